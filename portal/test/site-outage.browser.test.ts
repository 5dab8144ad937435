import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser({}, { newContexts: true });

/** Server-rendered pages, each with a link to another document. */
const pages = [
  ["/", (page: Page) => page.locator("#results").getByRole("listitem").getByRole("link").first()],
  ["/beats/3", (page: Page) => page.getByRole("link", { name: "Beats", exact: true })],
  ["/explorer/beats", (page: Page) => page.getByRole("link", { name: "All calls" })],
] as const;

const notice = (page: Page) => page.getByText("Connection lost, trying again");

test.each(pages)("%s stays open in an outage, reports it, and opens links afterwards", async (path, linkOf) => {
  const page = await portal.visit(path);
  const [from, to] = [page.url(), await linkOf(page).evaluate((link) => (link as HTMLAnchorElement).href)];
  const outages = {
    server: async () => {
      await portal.server.kill();
      return portal.server.restart;
    },
    network: async () => {
      await page.context().setOffline(true);
      return () => page.context().setOffline(false);
    },
    database: async () => {
      const restore = await portal.server.cutDatabase();
      // A click in the second before the outage is noticed opens the error page, which reloads automatically.
      await expect.poll(async () => (await page.request.get("/readyz")).status()).toBe(503);
      return restore;
    },
  };
  for (const [name, begin] of Object.entries(outages)) {
    const end = await begin();
    try {
      await linkOf(page).click();
      await notice(page).waitFor();
      expect(page.url(), name).toBe(from);
    } finally {
      await end();
    }
    await page.waitForURL(to);
    await page.goto(path);
  }
});

test("an idle page notices an outage and its end, and a search during the outage completes afterwards", async () => {
  const page = await portal.visit("/");
  await page.clock.install();
  await page.reload();
  await portal.server.kill();
  try {
    await page.clock.fastForward(31_000);
    await notice(page).waitFor();
    await page.getByRole("searchbox", { name: "Search beats" }).fill("velvet");
    await page.getByText("The search failed, trying again.").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("The server could not be reached. Try again.").waitFor();
  } finally {
    await portal.server.restart();
  }
  await page.getByRole("heading", { name: "Beats for “velvet”" }).waitFor();
  await notice(page).waitFor({ state: "hidden" });
});

test("a search and a call without a response time out", async () => {
  const page = await portal.visit("/");
  await page.route(/\/site\/(results|call)/, () => {});
  await page.getByRole("searchbox", { name: "Search beats" }).fill("velvet");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Sending …").waitFor();
  await page.getByText("The search failed, trying again.").waitFor();
  await page.getByText("The server could not be reached. Try again.").waitFor();
});

test("a page opened while the database is unreachable reloads automatically, without a script", async () => {
  const page = await portal.visit("/", { javaScriptEnabled: false });
  const restore = await portal.server.cutDatabase();
  try {
    await page.goto("/beats/4");
    await page.getByRole("heading", { name: "Service unavailable" }).waitFor();
  } finally {
    await restore();
  }
  await page.getByRole("region", { name: "Licenses" }).waitFor();
});
