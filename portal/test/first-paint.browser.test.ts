import { expect, test } from "vitest";

import { pageRoutes } from "../pages.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** The document, the style sheet, the font, and scripts that come while the browser paints. */
const maxRequests = 10;

const guides: Readonly<Record<string, string>> = { "/docs/api/$page": "beats", "/docs/clients/$page": "go" };

/** Addresses of all pages: numbers for their parameters, and a guide's name. */
const paths = pageRoutes().map(({ path }) => path.replace("$page", guides[path] ?? "webhooks").replace(/\$\w+/g, "1"));

test("each page paints its first words before any script, style sheet or font has come, with at most ten requests", async () => {
  const page = await portal.visit("about:blank");
  const asked: string[] = [];
  // Nothing but documents and pictures ever comes, as over a slow line.
  await page.route("**/*", (route) => {
    asked.push(route.request().url());
    if (!["script", "stylesheet", "font"].includes(route.request().resourceType())) return route.continue();
  });
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    asked.length = 0;
    const response = await page.goto(`/portal${path}`, { waitUntil: "commit" });
    expect(response?.status(), path).toBe(200);
    await page.getByText("Beat Marketplace", { exact: true }).waitFor();
    const painted = () => performance.getEntriesByName("first-contentful-paint").length;
    await expect.poll(() => page.evaluate(painted)).toBe(1);
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(maxRequests);
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe("light");
  }
});

test("what it painted first stands until the page is there", async () => {
  const page = await portal.visit("about:blank");
  const opening = page.locator(".opening");
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route("**/portal/api/session", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/portal/keys", { waitUntil: "commit" });
  await page.waitForRequest("**/portal/api/session");
  expect(await opening.isVisible()).toBe(true);
  goOn();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await opening.count()).toBe(0);
});

/** Within two seconds at 50 kB/s. */
const maxFrontPageBytes = 80_000;

test("the front page paints its words from its document alone, which is small enough for a slow line", async () => {
  const page = await portal.visit("about:blank");
  await page.route("**/*", (route) => {
    if (route.request().resourceType() === "document") return route.continue();
  });
  const response = await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const painted = () => performance.getEntriesByName("first-contentful-paint").length;
  await expect.poll(() => page.evaluate(painted)).toBe(1);
  const { encodedBodySize } = JSON.parse(
    await page.evaluate(() => JSON.stringify(performance.getEntriesByType("navigation")[0])),
  );
  expect(response?.status()).toBe(200);
  expect(encodedBodySize).toBeGreaterThan(1_000);
  expect(encodedBodySize).toBeLessThan(maxFrontPageBytes);
});
