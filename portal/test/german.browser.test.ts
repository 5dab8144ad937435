import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { PortalArea } from "../../contract/texts/en/portal/index.ts";
import { portalTexts } from "../../contract/texts/portal.ts";
import type { Texts } from "../../contract/texts/text.ts";
import { englishIn } from "../../server/test/harness/english-in.ts";
import { checkPage, type Developer, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const all = (areas: Readonly<Record<PortalArea, Texts>>): Texts => Object.assign({}, ...Object.values(areas));
const [english, german] = [all(portalTexts.en), all(portalTexts.de)];

/** No text of the page is one of the English texts, on a desktop and on a phone. */
async function expectGerman(page: Page, name: string, heading: string | RegExp): Promise<void> {
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await checkPage(page, `german-${name}`, async () => {
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
  });
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(englishIn(await page.content(), english, german), name).toEqual([]);
}

/** Signs up, and chooses German in the account, as its settings do. */
async function signUpInGerman(): Promise<Developer> {
  const someone = await portal.signUp();
  const data = { language: "de" };
  const headers = { origin: portal.server.origin };
  const saved = await someone.context.request.patch("/portal/api/account/mails", { data, headers });
  expect(saved.status()).toBe(200);
  return someone;
}

test("a page follows the browser, then what was chosen on it, in all tabs", async () => {
  const page = await portal.visit("/portal/nothing-here", { locale: "de-DE" });
  await expectGerman(page, "missing", "Diese Seite gibt es nicht");
  await page.goto("/portal/market");
  const choose = (name: string) =>
    page.getByRole("navigation", { name: "Portal" }).getByRole("button", { name }).click();
  await choose("English");
  await page.getByRole("link", { name: "Catalogue" }).waitFor();
  await page.goto("/portal/explorer");
  await page.getByRole("link", { name: "Catalogue" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  await choose("Deutsch");
  await page.getByRole("link", { name: "Katalog" }).waitFor();
  // So do the public pages.
  await page.goto("/terms");
  await page.getByRole("heading", { name: "Nutzungsbedingungen", level: 1 }).waitFor();
});

test("the account's language is that of the portal in a browser that prefers another one, and a choice changes it", async () => {
  const { page, context } = await signUpInGerman();
  await page.goto("/portal/market");
  const navigation = page.getByRole("navigation", { name: "Portal" });
  await navigation.getByRole("link", { name: "Katalog" }).waitFor();
  await navigation.getByRole("button", { name: "English" }).click();
  await navigation.getByRole("link", { name: "Catalogue" }).waitFor();
  const { language } = await (await context.request.get("/portal/api/account/mails")).json();
  expect(language).toBe("en");
});

test("the search, the shortcuts and the account menu are in German", async () => {
  const { page } = await signUpInGerman();
  await page.goto("/portal/market");
  await page.getByRole("button", { name: /^Konto von/ }).click();
  await page.getByRole("menuitem", { name: "Abmelden" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Suchen" }).click();
  const search = page.getByRole("dialog", { name: "Suchen" });
  await search.getByRole("combobox").fill("tastenk");
  await search.getByRole("option", { name: "Tastenkürzel" }).click();
  const shortcuts = page.getByRole("dialog", { name: "Tastenkürzel" });
  await shortcuts.getByText("Von Beat zu Beat").waitFor();
  expect(englishIn(await shortcuts.innerHTML(), english, german)).toEqual([]);
});
