import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { checkPage, goTo, portalBrowser, retryWhileShed } from "./harness.ts";

const portal = portalBrowser();

/** Expects no violation of axe's rules, minor ones included, and no element wider than the window. */
async function checkReference(page: Page, name: string, width: number, colorScheme: "light" | "dark"): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.goto(`/explorer${name}`);
  const label = `reference${name.replace("/", "-")}-${width}-${colorScheme}`;
  await saveScreenshot(page, label, { fullPage: false });
  expect(await axeFindings(page), label).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, label).toBeLessThanOrEqual(0);
}

test("the reference has less than 20 kB of scripts, and is accessible in both schemes and widths", async () => {
  const page = await portal.visit("/explorer");
  await checkReference(page, "", 1440, "light");
  await checkReference(page, "/orders", 1440, "dark");
  await checkReference(page, "/orders", 360, "light");
  await checkReference(page, "/webhooks", 360, "dark");
  const scriptBytes: number = await page.evaluate(`performance.getEntriesByType("resource")
    .filter(({ initiatorType, name }) => initiatorType === "script" || name.endsWith(".js"))
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`);
  expect(scriptBytes).toBeGreaterThan(0);
  expect(scriptBytes).toBeLessThan(20_000);
});

describe("the docs", () => {
  test("can be read signed out, with links and a table of contents that marks the current heading", async () => {
    const page = await portal.open("/docs");
    await page.getByRole("heading", { level: 1, name: "Docs" }).waitFor();
    await checkPage(page, "docs", () => page.getByRole("heading", { name: "For operators" }).waitFor());
    await page.getByRole("navigation", { name: "Docs" }).getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    expect(await page.title()).toBe("Webhooks · Beat Marketplace");

    const contents = page.getByRole("navigation", { name: "On this page" });
    const current = contents.locator("[aria-current]");
    await contents.getByRole("link", { name: "Verifying" }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe("#verifying");
    await expect.poll(() => current.textContent()).toBe("Verifying");
    await page.getByRole("heading", { name: "When your receiver is down" }).scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollBy({ top: 400, behavior: "instant" }));
    await expect.poll(() => current.textContent()).not.toBe("Verifying");

    await page.getByRole("article").getByRole("link", { name: "Events", exact: true }).first().click();
    await page.waitForURL("**/portal/docs/api/events");
    await page.goBack();
    await page.waitForURL("**/portal/docs/webhooks**");
    await page.getByRole("navigation", { name: "Previous and next" }).getByRole("link", { name: /^Next/ }).click();
    await page.getByRole("heading", { level: 1, name: "Events in a bucket" }).waitFor();
  });

  test("are also served as Markdown, each at its listed address", async () => {
    const page = await portal.open("/docs/webhooks");
    await page.getByRole("link", { name: "As Markdown" }).click();
    await page.waitForURL(/\/portal\/docs\/webhooks\.md$/);
    await page.getByText("# Webhooks").first().waitFor();
    const list = await (await page.request.get("/llms.txt")).text();
    const addresses = [...list.matchAll(/\]\((\S+\.md)\): \S/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBeGreaterThan(40);
    for (const address of addresses) {
      const response = await page.request.get(address);
      expect(response.status(), address).toBe(200);
      expect(await response.text()).toMatch(/^# /);
    }
  });

  test("are accessible with code, tables and pictures, and open at an anchor", async () => {
    const page = await portal.open("/docs/webhooks#when-the-signature-does-not-match");
    const heading = page.getByRole("heading", { name: "When the signature does not match" });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(300);
    await checkPage(page, "docs-webhooks", () => heading.waitFor());
    await page.goto("/portal/docs/client-libraries");
    const article = page.getByRole("article");
    await article.getByRole("link", { name: "Its page" }).last().click();
    await page.waitForURL("**/portal/docs/clients/go");
    // The line that installs it is for this server.
    await article.getByText(`${new URL(page.url()).origin}/portal/packages/beatmarket-go.tgz`).waitFor();
    await page.getByRole("heading", { level: 1, name: "Go client" }).waitFor();
    await checkPage(page, "docs-clients-go", () => article.getByRole("heading", { name: "Testing" }).waitFor());
    await page.goto("/portal/docs/buying");
    const picture = page.getByRole("img", { name: /^The catalogue: a search/ });
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(500);
  });

  test("have a reference of a client library, with links to its calls and types", async () => {
    const page = await portal.open("/docs/clients/ruby");
    const article = page.getByRole("article");
    await article.getByRole("link", { name: "Reference", exact: true }).click();
    await page.waitForURL("**/portal/docs/clients/ruby-reference");
    await article.getByRole("link", { name: "client.orders.create", exact: true }).click();
    const heading = article.getByRole("heading", { name: "client.orders.create", exact: true });
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(300);
    await article.getByRole("link", { name: "BeatDetail", exact: true }).first().click();
    await page.waitForURL("**/portal/docs/clients/ruby-types#beatdetail");
    await article.getByRole("heading", { name: "BeatDetail", exact: true }).waitFor();
    await page.goto("/portal/docs/clients/ruby-reference#clientorderscreate");
    await page.setViewportSize({ width: 360, height: 900 });
    await heading.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  test("return 404 for an unknown document", async () => {
    const page = await portal.visit("/portal/docs/nothing");
    await page.getByText("There is no such page").first().waitFor();
    for (const path of ["/docs/nothing", "/docs/api/nothing", "/docs/clients/nothing", "/docs/decisions/README"])
      expect((await page.request.get(`/portal${path}`)).status(), path).toBe(404);
    expect((await page.request.get("/portal/docs/api")).status()).toBe(200);
  });
});

describe("the search", () => {
  test("finds docs, calls, keys, endpoints, beats and actions with the keyboard alone", async () => {
    const { page } = await portal.signInAsDemo("/keys");
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    const headers = { origin: portal.server.origin };
    await page.context().request.post("/portal/api/webhooks/inbox", { data: {}, headers });
    const searchButton = page.getByRole("button", { name: /^Search/ });
    await searchButton.focus();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Search" });
    const field = dialog.getByRole("combobox");
    const options = dialog.getByRole("option");
    const selectedOption = dialog.locator('[role="option"][aria-selected="true"]');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);

    await field.fill("midnight");
    await dialog.getByRole("group", { name: "Beats" }).getByRole("option").first().waitFor();
    await field.fill("api key");
    await dialog.getByRole("group", { name: "API keys" }).getByRole("option").first().waitFor();
    await field.fill("inbox");
    await dialog.getByRole("group", { name: "Endpoints" }).getByRole("option").first().waitFor();
    await field.fill("createOrder");
    await expect.poll(() => selectedOption.textContent()).toContain("POST /orders");
    await saveScreenshot(page, "search-desk-light", { fullPage: false });

    // The field's aria-activedescendant names the selected option.
    await field.fill("signature");
    await dialog.getByRole("group", { name: "Docs" }).getByRole("option").first().waitFor();
    await expect.poll(() => dialog.locator("mark").first().textContent()).toMatch(/^signature/i);
    const ids = await options.evaluateAll((all) => all.map(({ id }) => id));
    for (const [key, at] of [
      ["ArrowDown", 1],
      ["ArrowDown", 2],
      ["ArrowUp", 1],
      ["ArrowUp", 0],
      ["ArrowUp", -1],
      ["ArrowDown", 0],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => field.getAttribute("aria-activedescendant")).toBe(ids.at(at));
      expect(await selectedOption.getAttribute("id")).toBe(ids.at(at));
    }
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await saveScreenshot(page, "search-desk-dark", { fullPage: false });
    expect(await axeFindings(page, "colors")).toEqual([]);

    // Escape closes the dialog and returns the focus.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => searchButton.evaluate((element) => element === document.activeElement)).toBe(true);

    // Run an action and open a document: both then appear among the recent results.
    await page.keyboard.press("Enter");
    await field.fill("create key");
    await expect.poll(() => selectedOption.textContent()).toContain("Create an API key");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /key/i }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await field.fill("pagination");
    await expect.poll(() => selectedOption.textContent()).toContain("Pagination");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/portal/docs/api/conventions#pagination");
    await page.getByRole("heading", { name: "Pagination" }).waitFor();
    await page.keyboard.press("Control+k");
    await expect
      .poll(() => dialog.getByRole("group", { name: "Recent" }).getByRole("option").allTextContents())
      .toEqual([expect.stringContaining("Pagination"), expect.stringContaining("Create an API key")]);
    await field.fill("zzzzqqqq");
    await dialog.getByText("Nothing has “zzzzqqqq”").waitFor();
  });

  test("opens the sheet of shortcuts; ? opens it, too, except in a text field", async () => {
    const page = await portal.visit("/portal/market");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("?");
    await sheet.getByRole("row", { name: "Type a search /" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.press("?");
    await expect.poll(() => page.locator("#catalogue-search").inputValue()).toBe("?");
    expect(await sheet.count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).getByRole("combobox").fill("shortcuts");
    await page.getByRole("option", { name: "Keyboard shortcuts" }).click();
    await sheet.waitFor();
  });

  test("works signed out, on a phone, and on the reference", async () => {
    const page = await portal.visit("/explorer/beats", { viewport: { width: 360, height: 780 }, colorScheme: "dark" });
    const button = page.getByRole("button", { name: /^Search/ });
    await button.click();
    const dialog = page.getByRole("dialog", { name: "Search" });
    const field = dialog.getByRole("combobox");
    await field.fill("buy a license");
    await dialog.getByRole("group", { name: "Calls" }).getByRole("option").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await saveScreenshot(page, "search-phone-dark", { fullPage: false });
    expect(await dialog.getByRole("group", { name: "API keys" }).count()).toBe(0);
    await field.fill("midnight");
    await dialog.getByRole("group", { name: "Beats" }).getByRole("option").first().click();
    await page.waitForURL(/\/beats\/\d+$/);
    await page.goBack();
    await page.keyboard.press("Control+k");
    await field.fill("getBeat");
    await dialog
      .getByRole("option", { name: /Get one beat/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explorer/beats#getBeat");
  });
});

test("single-key shortcuts can be switched off in the sheet of shortcuts, and on again in the account", async () => {
  const { page, context } = await portal.signInAsDemo("/market");
  const headers = { authorization: `Bearer ${portal.server.demoKey}` };
  expect((await retryWhileShed(() => context.request.get("/v1/genres", { headers }))).ok()).toBe(true);
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.locator("[data-beat] a").first().waitFor();
  await page.keyboard.press("?");
  await sheet.getByRole("switch", { name: "Shortcuts of a single letter or sign" }).click();
  await sheet.getByRole("row", { name: "Next call ↓" }).waitFor();
  expect(await sheet.getByRole("row", { name: "Type a search" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.reload();
  await page.locator("[data-beat] a").first().waitFor();
  for (const key of ["?", "/", "ArrowDown"]) await page.keyboard.press(key);
  // The arrow still works. The page has handled it, so it has also handled and ignored the two keys before.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("[data-beat]") !== null)).toBe(true);
  expect(await sheet.count()).toBe(0);

  await goTo(page, "Request log");
  const rows = page.getByRole("main").getByRole("row").getByRole("link");
  const isFocused = () => rows.first().evaluate((row) => row === document.activeElement);
  await rows.first().waitFor();
  await page.keyboard.press("j");
  expect(await isFocused()).toBe(false);
  await page.goto("/portal/account");
  await page.getByRole("switch", { name: "Shortcuts of a single letter or sign" }).click();
  await goTo(page, "Request log");
  await rows.first().waitFor();
  await page.keyboard.press("j");
  await expect.poll(isFocused).toBe(true);
});
