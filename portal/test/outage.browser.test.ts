import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageRoutes } from "../pages.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser({}, { newContexts: true });

/** Pages and their headings. A beat's page has one heading while the beat loads, and another one afterwards. */
const pages = [
  ["", "Home"],
  ["/keys", "API keys"],
  ["/sandboxes", "Sandboxes"],
  ["/log", "Request log"],
  ["/analytics", "Analytics"],
  ["/webhooks", "Webhooks"],
  ["/webhooks/doctor", "Signature doctor"],
  ["/webhooks/1", "Endpoint 1"],
  ["/webhooks/deliveries/1", "Delivery 1"],
  ["/market", "Catalogue"],
  ["/library", "Library"],
  ["/library/1/receipt", "Receipt of order 1"],
  ["/library/1/contact", "Order 1"],
  ["/library/1/license", "License of order 1"],
  ["/sales/orders/1", "Sale 1"],
  ["/earnings", "Earnings"],
  ["/studio", "Studio"],
  ["/studio/beats/1", "Beat"],
  ["/studio/discounts", "Discounts"],
  ["/studio/free-downloads", "Free downloads"],
  ["/studio/uploads/none", "New beat"],
  ["/explorer", "Explorer"],
  ["/account", "Account"],
  ["/account/security", "Account"],
  ["/account/sessions", "Account"],
  ["/account/data", "Account"],
  ["/account/log", "Account"],
  ["/organisation", "Organisation"],
  ["/device", "Log in a program"],
  ["/docs", "Docs"],
  ["/docs/webhooks", "Webhooks"],
  ["/docs/api/errors", "Errors"],
  ["/docs/clients/go", "Go client"],
  ["/market/beats/1", /^(Beat 1|Telephone & Shadow)$/],
  ["/admin", "Overview"],
  ["/admin/accounts", "Accounts"],
  ["/admin/accounts/999999", "Account 999999"],
  ["/admin/beats", "Beats"],
  ["/admin/reports", "Reports"],
  ["/admin/orders", "Orders"],
  ["/admin/orders/999999", "Order 999999"],
  ["/admin/payouts", "Payouts"],
  ["/admin/webhooks", "Webhook fleet"],
  ["/admin/calls", "All calls"],
  ["/admin/calls/999999", "Call"],
  ["/admin/errors", "Errors by kind"],
  ["/admin/imports", "Imports"],
  ["/admin/imports/999999", "Import 999999"],
  ["/admin/audit", "Audit"],
  ["/sign-in", "Sign in"],
  ["/register", "Create an account"],
  ["/forgot-password", "Choose a new password"],
  ["/reset-password", "Choose a new password"],
  ["/confirm", "Confirm your registration"],
  ["/confirm-email", "Confirm your new address"],
  ["/undo-email", "Take your account back"],
  ["/claim", "Claim your beats"],
  ["/join", "Join an organisation"],
] as const;

/** A page that is opened for the first time during the outage. */
const notLoadedBefore = "/sales";

/** Pages that show their lists for any query string. */
const listPages = /^\/(keys|log|analytics|webhooks|market|library|studio|admin\/[a-z]+)$/;
const openedAtOnce = 6;

/** Parameters with invalid values. Every page must ignore them. */
const oddQuery = [
  "status=4xx&class=9xx&from=yesterday&to=%2B275760-09-13&last=toString&key=-1&call=x&request=[]&span=never&page=0",
  "genre=[]&sort={}&beat=null&order=1.5&show=all&state=true&type=%00&q=%&endpoint=NaN&receipt=1e999&operation=constructor",
  "view=3&next=//evil.example&__proto__=1&older_than={}&path=%ED%A0%80&utm_source=mail",
].join("&");

const notice = (page: Page) => page.getByText("Connection lost, trying again");
/** The error message of a request that failed because of the outage. */
const failedForOutage = (page: Page) => page.getByRole("alert").getByText(/^(No response|Service unavailable)$/);
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name, exact: true });

test("a tab of an older release opens a page of the newer release", async () => {
  const { page } = await portal.signInAsDemo("");
  await heading(page, "Home").waitFor();
  let documents = 0;
  page.on("domcontentloaded", () => documents++);
  const chunk = /\/portal\/assets\/library-page-/;
  // The server no longer has the older release's chunk, but has the chunks of a new document.
  await page.route(chunk, (route) => (documents === 0 ? route.fulfill({ status: 404 }) : route.continue()));
  await page.getByRole("link", { name: "Library" }).hover();
  await page.getByRole("link", { name: "Library" }).click();
  await heading(page, "Library").waitFor();
  expect(documents).toBe(1);

  // If the chunk is still missing after the reload, the page shows an error and waits before the next reload.
  await page.route(/\/portal\/assets\/sales-page-/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Sales" }).click();
  await page.getByRole("alert").getByText("This page could not be loaded").waitFor();
  expect(documents).toBeLessThanOrEqual(2);
});

/** Opens a page within the document, as a link does. */
const follow = (page: Page, path: string) =>
  page.evaluate((address) => history.pushState({}, "", address), `/portal${path}`);

test("the test of outages covers every page of the route table", () => {
  const addresses = [...pages.map(([path]) => path || "/"), notLoadedBefore];
  for (const { path } of pageRoutes())
    expect(addresses, path).toContainEqual(
      expect.stringMatching(new RegExp(`^${path.replaceAll(/\$\w+/g, "[^/]+")}$`)),
    );
});

test("every page reports any kind of outage, stays open, and continues automatically", {
  // The test keeps about sixty pages open.
  timeout: 1_200_000,
}, async () => {
  const me = await portal.signInAsDemo("/keys");
  await portal.server.run("users", "operator", "--email", me.email);
  const walker = me.page;
  await walker.reload();
  const [log, explorer, reference] = await Promise.all([
    portal.openTab(me, "/log"),
    portal.openTab(me, "/explorer"),
    portal.openTab(me, "/explorer?view=reference"),
  ]);
  const live = log.getByRole("switch", { name: "Live", exact: true });
  const send = explorer.getByRole("button", { name: "Send" });
  await live.waitFor();
  await expect.poll(() => send.isEnabled()).toBe(true);
  const referenceTitle = reference.frameLocator("iframe").getByRole("heading", { name: "Get one beat" }).first();
  await referenceTitle.waitFor();
  for (const [path, title] of pages) {
    await follow(walker, `${path}?${oddQuery}`);
    await heading(walker, title).waitFor();
    expect(await walker.getByText("Something went wrong in this page").count(), path).toBe(0);
    if (!listPages.test(path)) continue;
    await expect.poll(() => walker.locator(".mantine-Skeleton-root").count(), { message: path }).toBe(0);
    expect(await walker.getByRole("alert").allTextContents(), path).toEqual([]);
  }
  // Each page has a tab, so that one outage tests all of them.
  const tabs: { path: string; title: string | RegExp; tab: Page }[] = [];
  for (let first = 0; first < pages.length; first += openedAtOnce) {
    const openPage = async ([path, title]: (typeof pages)[number]) => {
      const tab = await portal.openTab(me, path);
      await heading(tab, title).waitFor();
      return { path, title, tab };
    };
    tabs.push(...(await Promise.all(pages.slice(first, first + openedAtOnce).map(openPage))));
  }
  const earlyPages = [walker, log, explorer, reference];

  const expectStays = async () => {
    for (const { path, title, tab } of tabs) {
      await heading(tab, title).waitFor();
      expect(await tab.getByText("Something went wrong in this page").count(), path).toBe(0);
    }
  };
  const expectLost = async () => {
    await Promise.all([...earlyPages, ...tabs.map(({ tab }) => tab)].map((tab) => notice(tab).waitFor()));
    await expectStays();
    await live.waitFor({ state: "hidden" });
    await referenceTitle.waitFor();
  };
  const expectRestored = async () => {
    const allPages = [...earlyPages, ...tabs.map(({ tab }) => tab)];
    await Promise.all(allPages.map((tab) => notice(tab).waitFor({ state: "hidden" })));
    await expectStays();
    for (const { path, tab } of tabs) await expect.poll(() => failedForOutage(tab).count(), { message: path }).toBe(0);
    await live.waitFor();
  };

  const searchOf = (tab: Page) => tab.getByRole("dialog", { name: "Search" });
  for (const tab of [explorer, log]) {
    await tab.keyboard.press("Control+k");
    await searchOf(tab).getByRole("combobox").waitFor();
    await tab.keyboard.press("Escape");
    await searchOf(tab).waitFor({ state: "detached" });
  }

  // An hour later, pages that were open before must still open without the server.
  await walker.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
  });

  // Kill the server. Pages opened during the outage must load after it.
  await portal.server.kill();
  await send.click();
  await explorer.getByRole("alert").getByText("No response").waitFor();
  expect(await explorer.getByText(/report it/).count()).toBe(0);
  await expectLost();
  for (const [path, title] of pages) {
    await follow(walker, path);
    await heading(walker, title).waitFor();
    expect(await notice(walker).isVisible(), path).toBe(true);
  }
  // Once the server is back, a page whose chunk was not loaded opens, and so does a document outside the portal.
  await follow(walker, notLoadedBefore);
  await explorer.keyboard.press("Control+k");
  await searchOf(explorer).getByRole("combobox").fill("API reference");
  await searchOf(explorer)
    .getByRole("option", { name: /^API reference/ })
    .click();
  await notice(explorer).waitFor();
  // A search during the outage shows its results afterwards, with those of the signed-in account.
  await log.keyboard.press("Control+k");
  await searchOf(log).getByRole("combobox").fill("midnight");
  await portal.server.restart();
  await heading(walker, "Sales").waitFor();
  await explorer.waitForURL(/\/explorer$/);
  await explorer.goBack();
  await searchOf(log).getByRole("group", { name: "Beats" }).getByRole("option").first().waitFor();
  await log.keyboard.press("Escape");
  tabs.push({ path: notLoadedBefore, title: "Sales", tab: walker });
  await expectRestored();

  // Restart the server immediately. Pages must work whether or not they noticed.
  await portal.server.kill();
  await portal.server.restart();
  await expectRestored();

  const restoreDatabase = await portal.server.cutDatabase();
  await expectLost();
  await restoreDatabase();
  await expectRestored();

  await me.context.setOffline(true);
  await expectLost();
  await me.context.setOffline(false);
  await expectRestored();
});
