import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** Expects no axe violation and no element wider than the window, on a light desktop and on a dark phone. */
async function check(page: Page, name: string): Promise<void> {
  for (const [label, width, colorScheme] of [
    ["desk-light", 1440, "light"],
    ["phone-dark", 360, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await saveScreenshot(page, `favorites-${name}-${label}`);
    expect(await axeFindings(page), `${name} ${label}`).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${name} ${label}`,
    ).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("the portal's menu leads to the favorites of an account", async () => {
  const { page } = await portal.signUp({ path: "/library" });
  await page.getByRole("navigation").getByRole("link", { name: "Favorites" }).click();
  await page.getByRole("heading", { name: "Favorites", level: 1 }).waitFor();
});

test("a listener makes a beat a favorite, follows the producer and creates a playlist with the keyboard", async () => {
  const { page } = await portal.signUp();
  const beat = await openTestDatabase(portal.server.databaseUrl)
    .query.selectFrom("beats")
    .select("id")
    .where("title", "=", "Lost Cinema")
    .executeTakeFirstOrThrow();
  await page.goto(`/beats/${beat.id}`);
  await page.getByRole("button", { name: "Add to favorites" }).press("Enter");
  await page.getByRole("heading", { name: "Favorites" }).waitFor();
  await page.getByRole("link", { name: "Into a playlist" }).press("Enter");
  await page.getByRole("heading", { name: "Put Lost Cinema into a playlist" }).waitFor();
  await check(page, "choose");
  await page.getByLabel("Or into a new one").fill("Night drives");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Night drives" }).waitFor();
  await page.getByRole("button", { name: "Make it public" }).press("Enter");
  await page.getByText("Everybody with its address sees it.").waitFor();
  await check(page, "playlist");
  await page.goto(`/beats/${beat.id}`);
  await page.locator("a.producer").first().press("Enter");
  await page.waitForURL(/\/producers\//);
  await check(page, "producer");
  await page.getByRole("button", { name: "Follow" }).press("Enter");
  await page.getByRole("button", { name: /^Unfollow / }).waitFor();
  await check(page, "favorites");
  for (const path of [`/embed/beats/${beat.id}?size=large`, `/embed/beats/${beat.id}?size=small`]) {
    await page.goto(path);
    await check(page, `embed-${path.slice(-5)}`);
  }
});
