import { expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("the changelog is accessible in both schemes and widths", async () => {
  const page = await portal.visit("/changelog");
  for (const width of [1440, 360])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const label = `changelog-${width}-${colorScheme}`;
      await saveScreenshot(page, label, { fullPage: false });
      expect(await axeFindings(page, colorScheme === "light" ? undefined : "colors"), label).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, label).toBeLessThanOrEqual(0);
    }
});

test("an entry leads to the reference of its operation without scripts", async () => {
  const page = await portal.visit("/", { javaScriptEnabled: false });
  await page.getByRole("navigation", { name: "More" }).getByRole("link", { name: "Changelog" }).click();
  await page.getByRole("heading", { level: 1, name: "Changelog of the API" }).waitFor();
  await page.locator("#quotes").getByRole("link", { name: "createQuote" }).click();
  await page.waitForURL("**/explorer/checkouts#createQuote");
});

test("the docs show the changes since the last call until the user dismisses them", async () => {
  const { page } = await portal.signInAsDemo("/docs");
  const change = {
    id: "quotes",
    date: "2026-11-27",
    title: "Quotes say more",
    kind: "changed",
    path: "/changelog#quotes",
    operations: ["createQuote"],
  };
  await page.route("**/portal/api/api-changes", (route) => route.fulfill({ json: { changes: [change] } }));
  await page.reload();
  const notice = page.getByRole("region", { name: "API changes since your last call" });
  await checkPage(page, "docs-changed", () => notice.getByText("createQuote").waitFor());
  expect(await notice.getByRole("link", { name: "Quotes say more" }).getAttribute("href")).toBe("/changelog#quotes");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await notice.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "For operators" }).waitFor();
  expect(await notice.count()).toBe(0);
});
