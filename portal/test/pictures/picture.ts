import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const images = join(import.meta.dirname, "../../../docs/images");
const size = { width: 1280, height: 800 };
const maxBytes = 150_000;
const maxBytesOfLook = 80_000;

const looks = [
  { look: "light", colorScheme: "light", viewport: size },
  { look: "dark", colorScheme: "dark", viewport: size },
  { look: "phone", colorScheme: "light", viewport: { width: 390, height: 780 } },
] as const;

/** The address and the certificate's file in the pictures: those of a server with default settings. */
const shownOrigin = "https://localhost:8443";
const shownCaFile = ".data/tls/ca.pem";

/** Opens a path in the size and colours of the pictures. */
export async function openForPicture(page: Page, origin: string, path: string): Promise<Page> {
  await page.route("**/portal/api/session", async (route) => {
    const response = await route.fetch();
    const session = JSON.parse((await response.text()).replaceAll(origin, shownOrigin));
    await route.fulfill({ response, json: { ...session, ca_file: shownCaFile } });
  });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(path);
  return page;
}

/** Saves what the page shows as docs/images/portal-<name>.webp. */
export async function savePicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const picture = await webpOf(page, 80);
  expect(picture.length, `portal-${name}.webp`).toBeLessThan(maxBytes);
  await mkdir(images, { recursive: true });
  await writeFile(join(images, `portal-${name}.webp`), picture);
}

/** What the page shows, as the browser writes WebP. `quality`: from 0 to 100. */
async function webpOf(page: Page, quality: number): Promise<Buffer> {
  const devTools = await page.context().newCDPSession(page);
  const { data } = await devTools.send("Page.captureScreenshot", { format: "webp", quality });
  await devTools.detach();
  return Buffer.from(data, "base64");
}

/** Saves a page of docs/portal.md in each look, as docs/images/pages/<name>-<look>.webp. */
export async function saveLooks(page: Page, name: string): Promise<void> {
  for (const { look, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled(page);
    const picture = await webpOf(page, 60);
    expect(picture.length, `${name}-${look}`).toBeLessThan(maxBytesOfLook);
    await mkdir(join(images, "pages"), { recursive: true });
    await writeFile(join(images, "pages", `${name}-${look}.webp`), picture);
  }
}

/** Waits until nothing loads, moves or stands in for what will come. */
async function settled(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  // Pages that follow what happens are never idle.
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator(".mantine-Skeleton-root, [aria-busy=true]").count()).toBe(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(Array.from(document.images, (element) => element.decode().catch(() => undefined)));
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  });
}
