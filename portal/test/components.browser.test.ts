import { join } from "node:path";
import type { Browser } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { launchBrowser } from "../../server/test/harness/browser.ts";

// Checks the page of all components, which Vite serves in development. Saves pictures in portal/screenshots.

const looks = [
  { name: "light", colorScheme: "light", width: 1100 },
  { name: "dark", colorScheme: "dark", width: 1100 },
  { name: "phone", colorScheme: "light", width: 390 },
  { name: "right-to-left", colorScheme: "dark", width: 1100 },
] as const;

let server: ViteDevServer;
let browser: Browser;
beforeAll(async () => {
  server = await createServer({ root: join(import.meta.dirname, ".."), server: { port: 0 }, logLevel: "error" });
  [browser] = await Promise.all([launchBrowser(), server.listen()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test.each(looks)("every component is accessible and fits the window: $name", async ({ name, colorScheme, width }) => {
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce", bypassCSP: true });
  // Vite transforms the modules during the first visit, which can take minutes on a busy machine.
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  await page.goto(new URL("components", server.resolvedUrls?.local[0]).href);
  await page.getByRole("heading", { name: "Overlays" }).waitFor();
  if (name === "right-to-left") await page.getByRole("switch", { name: "Right to left" }).press("Space");
  await page.evaluate(() => document.fonts.ready);
  await saveScreenshot(page, `components-${name}`);
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await context.close();
});
