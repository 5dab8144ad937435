import { expect, test } from "vitest";

import { pageRoutes } from "../pages.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser({}, { newContexts: true });

/** The limit covers the document, the style sheet, the font, scripts and pictures. */
const maxRequests = 10;

const guides: Readonly<Record<string, string>> = { "/docs/api/$page": "beats", "/docs/clients/$page": "go" };

/** The addresses of all pages, with a number or the name of a guide for each parameter. */
const paths = pageRoutes().map(({ path }) => path.replace("$page", guides[path] ?? "webhooks").replace(/\$\w+/g, "1"));

test("each page paints its first words before any script, style sheet or font arrives, with at most ten requests", async () => {
  const page = await portal.visit("about:blank");
  const requestedPaths: string[] = [];
  // As on a slow line, only documents and pictures arrive.
  await page.route("**/*", (route) => {
    requestedPaths.push(route.request().url());
    if (!["script", "stylesheet", "font"].includes(route.request().resourceType())) return route.continue();
  });
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    requestedPaths.length = 0;
    const response = await page.goto(`/portal${path}`, { waitUntil: "commit" });
    expect(response?.status(), path).toBe(200);
    await page.getByText("Beat Marketplace", { exact: true }).waitFor();
    const painted = () => performance.getEntriesByName("first-contentful-paint").length;
    await expect.poll(() => page.evaluate(painted)).toBe(1);
    expect(requestedPaths.length, requestedPaths.join("\n")).toBeLessThanOrEqual(maxRequests);
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe("light");
  }
});

test("the first paint stays until the page is complete", async () => {
  const page = await portal.visit("about:blank");
  const opening = page.locator(".opening");
  let goOn = (): void => {};
  const response = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route("**/portal/api/session", async (route) => {
    await response;
    await route.continue();
  });
  await page.goto("/portal/keys", { waitUntil: "commit" });
  await page.waitForRequest("**/portal/api/session");
  expect(await opening.isVisible()).toBe(true);
  goOn();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await opening.count()).toBe(0);
});

/** At 50 kB/s, this size takes less than two seconds. */
const maxFrontPageBytes = 80_000;

test("the front page paints from its document alone, which is small enough for a slow line", async () => {
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
