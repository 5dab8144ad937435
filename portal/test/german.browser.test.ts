import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { PortalArea } from "../../contract/texts/en/portal/index.ts";
import { portalTexts } from "../../contract/texts/portal.ts";
import type { Texts } from "../../contract/texts/text.ts";
import { englishIn } from "../../server/test/harness/english-in.ts";
import { checkPage, type Developer, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const mergedTexts = (areas: Readonly<Record<PortalArea, Texts>>): Texts => Object.assign({}, ...Object.values(areas));
const [english, german] = [mergedTexts(portalTexts.en), mergedTexts(portalTexts.de)];

/** Expects that the page passes checkPage, and has none of the English texts. */
async function expectGerman(page: Page, name: string, heading: string | RegExp): Promise<void> {
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await checkPage(page, `german-${name}`, async () => {
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
  });
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(englishIn(await page.content(), english, german), name).toEqual([]);
}

/** Signs up, and sets the account's language to German. */
async function signUpInGerman(): Promise<Developer> {
  const someone = await portal.signUp();
  const data = { language: "de" };
  const headers = { origin: portal.server.origin };
  const saved = await someone.context.request.patch("/portal/api/account/mails", { data, headers });
  expect(saved.status()).toBe(200);
  return someone;
}

test("a page follows the browser's language until the user chooses one for all pages", async () => {
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
  // The public pages follow the choice, too.
  await page.goto("/terms");
  await page.getByRole("heading", { name: "Nutzungsbedingungen", level: 1 }).waitFor();
});

test("the portal uses the account's language instead of the browser's, and a choice changes the account's", async () => {
  const { page, context } = await signUpInGerman();
  await page.goto("/portal/market");
  const navigation = page.getByRole("navigation", { name: "Portal" });
  await navigation.getByRole("link", { name: "Katalog" }).waitFor();
  await navigation.getByRole("button", { name: "English" }).click();
  await navigation.getByRole("link", { name: "Catalogue" }).waitFor();
  const { language } = await (await context.request.get("/portal/api/account/mails")).json();
  expect(language).toBe("en");
});

test("a choice made before the session is loaded changes the account's language, too", async () => {
  const { page, context } = await signUpInGerman();
  await context.addCookies([{ name: "language", value: "de", url: portal.server.origin }]);
  const clicked = Promise.withResolvers<void>();
  await page.route("**/portal/api/session", async (route) => {
    await clicked.promise;
    await route.continue();
  });
  await page.goto("/portal/market");
  await page.getByRole("button", { name: "English" }).first().click();
  clicked.resolve();
  await page.getByRole("link", { name: "Catalogue" }).first().waitFor();
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

test.each([
  ["/sign-in", "Anmelden"],
  ["/register", "Konto erstellen"],
  ["/forgot-password", "Neues Passwort wählen"],
  ["/reset-password#x", "Neues Passwort wählen"],
  ["/confirm#x", "Bestätigen Sie Ihre Registrierung"],
  ["/confirm-email#x", "Bestätigen Sie Ihre neue Adresse"],
  ["/undo-email#x", "Ihr Konto zurückholen"],
  ["/claim#x", "Ihre Beats übernehmen"],
  ["/join#x", "Einer Organisation beitreten"],
  ["/market", "Katalog"],
  ["/market?q=zzzz", "Katalog"],
  ["/market?q=a+minor+120+bpm&genre=1&price_max=50", "Katalog"],
  ["/market/beats/999999", "Beat 999999 gibt es nicht"],
])("a stranger reads %s in German", async (path, heading) => {
  const page = await portal.visit(`/portal${path}`, { locale: "de-DE" });
  await expectGerman(page, path.slice(1).replaceAll(/\W+/g, "-"), heading);
});

test("a buyer reads the catalogue, a purchase, the library, its license, contact and receipt in German", async () => {
  const { page } = await signUpInGerman();
  await page.goto("/portal/market");
  await page
    .getByRole("link", { name: /kaufen, ab/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: /^Lizenz von/ });
  await dialog.getByRole("radio").first().waitFor();
  expect(englishIn(await dialog.innerHTML(), english, german)).toEqual([]);
  await dialog.getByRole("button", { name: /in den Warenkorb$/ }).click();
  await page.getByRole("button", { name: /bezahlen$/ }).click();
  await page.getByRole("button", { name: /Eine Karte, die zahlt/ }).click();
  await page.getByText("Bezahlt. Die Lizenzen gehören Ihnen.").waitFor();
  await page.goto("/portal/library");
  await page.getByRole("button", { name: /^Dateien und Zertifikat von/ }).click();
  await page.getByText("Öffentliche Seite öffnen").waitFor();
  await expectGerman(page, "library", "Bibliothek");
  const receipt = await page.getByRole("link", { name: /^Beleg der Bestellung/ }).getAttribute("href");
  const id = /\d+/.exec(receipt ?? "")?.[0];
  await page.goto(`/portal/library/${id}/license`);
  await expectGerman(page, "license", `Lizenz der Bestellung ${id}`);
  await page.goto(`/portal/library/${id}/contact`);
  await expectGerman(page, "contact", `Bestellung ${id}`);
  await page.goto(`/portal/library/${id}/receipt`);
  await expectGerman(page, "receipt", `Beleg der Bestellung ${id}`);
});

test.each([
  ["/studio", "Studio"],
  ["/studio/discounts", "Rabatte"],
  ["/studio/free-downloads", "Kostenlose Downloads"],
  ["/sales", "Verkäufe"],
  ["/earnings", "Einnahmen"],
  ["/account", "Konto"],
  ["/account/security", "Konto"],
  ["/account/sessions", "Konto"],
  ["/account/data", "Konto"],
  ["/account/log", "Konto"],
  ["/organisation", "Organisation"],
])("a member reads %s in German", async (path, heading) => {
  const { page } = await signUpInGerman();
  await page.goto(`/portal${path}`);
  await expectGerman(page, path.slice(1).replaceAll("/", "-"), heading);
});

test("a producer reads the form of a beat in German", async () => {
  const { page, context } = await portal.signInAsDemo();
  await context.addCookies([{ name: "language", value: "de", url: portal.server.origin }]);
  await page.goto("/portal/studio");
  await page.getByRole("heading", { name: "Studio", level: 1 }).waitFor();
  const edit = page.getByRole("link", { name: /bearbeiten$/ }).first();
  await edit.waitFor();
  await expectGerman(page, "studio-demo", "Studio");
  await edit.click();
  await page.getByRole("heading", { name: "Was es kostet" }).waitFor();
  expect(englishIn(await page.content(), english, german)).toEqual([]);
});

test("a page for developers says that it is in English", async () => {
  const { page } = await signUpInGerman();
  await page.goto("/portal/keys");
  await page.getByText("Diese Seite gibt es nur auf Englisch.").waitFor();
  const title = page.locator('main [lang="en"]').getByRole("heading", { name: "API keys", level: 1 });
  await title.waitFor();
});

test("a link to a page of another area loads the German texts without a new document", async () => {
  const { page } = await signUpInGerman();
  await page.goto("/portal/market");
  await page.getByRole("heading", { name: "Katalog", level: 1 }).waitFor();
  let documents = 0;
  page.on("domcontentloaded", () => documents++);
  for (const [link, heading] of [
    ["Studio", "Studio"],
    ["Einnahmen", "Einnahmen"],
    ["Bibliothek", "Bibliothek"],
    ["API-Schlüssel", "API keys"],
  ] as const) {
    await goTo(page, link);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    expect(englishIn(await page.locator("main").innerHTML(), english, german), link).toEqual([]);
  }
  expect(documents).toBe(0);
});
