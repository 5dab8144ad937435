import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** Pages that the server writes, and a link from each to another document. */
const pages = [
  ["/", (page: Page) => page.locator("#results").getByRole("listitem").getByRole("link").first()],
  ["/beats/3", (page: Page) => page.getByRole("link", { name: "Beats", exact: true })],
  ["/explorer/beats", (page: Page) => page.getByRole("link", { name: "All calls" })],
] as const;

const notice = (page: Page) => page.getByText("Connection lost, trying again");

test.each(pages)("in an outage %s stays, says so, and its links work again by themselves", async (path, linkOf) => {
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
      // A link that is followed in the second before leads to the page that loads again by itself.
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

test("a page at rest notices an outage and its end, and what is searched for within it is found after it", async () => {
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

test("a search and a call that get no response end", async () => {
  const page = await portal.visit("/");
  await page.route(/\/site\/(results|call)/, () => {});
  await page.getByRole("searchbox", { name: "Search beats" }).fill("velvet");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Sending …").waitFor();
  await page.getByText("The search failed, trying again.").waitFor();
  await page.getByText("The server could not be reached. Try again.").waitFor();
});

test("a page that is opened while the database is unreachable loads again by itself, without a script, too", async () => {
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
