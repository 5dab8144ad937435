import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** Expects no axe violation and no element wider than the window, on a light desktop and a dark phone. */
async function checkWidths(page: Page, name: string): Promise<void> {
  for (const [label, width, colorScheme] of [
    ["desk", 1440, "light"],
    ["phone", 360, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await saveScreenshot(page, `german-${name}-${label}`);
    expect(await axeFindings(page), `${name} ${label}`).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${name} ${label}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 800 });
}

test("a German buyer sees every page from the front page to the files in German", async () => {
  const page = await portal.visit("/", { locale: "de-DE" });
  await page.getByRole("heading", { name: "Hören, finden, verkaufen: aus Ihrem Code." }).waitFor();
  await page
    .getByRole("button", { name: /abspielen$/ })
    .first()
    .waitFor();
  await checkWidths(page, "home");

  await page.locator(".wall .title").first().click();
  await page.getByRole("heading", { name: "Lizenzen" }).waitFor();
  await checkWidths(page, "beat");

  await page
    .getByRole("button", { name: /^Kaufen/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Warenkorb" }).waitFor();
  await checkWidths(page, "basket");

  await page.getByLabel("E-Mail").fill("kundin@example.com");
  await page.getByRole("button", { name: /bezahlen$/ }).click();
  await page.getByRole("button", { name: /Eine Karte, die zahlt/ }).waitFor();
  await checkWidths(page, "payment");

  await page.getByRole("button", { name: /Eine Karte, die zahlt/ }).click();
  await page.getByText("Bezahlt. Die Lizenzen gehören Ihnen.").waitFor();
  await checkWidths(page, "files");

  for (const [path, heading] of [
    ["/library", "Ihre Bibliothek"],
    ["/terms", "Nutzungsbedingungen"],
    ["/status", /./],
    ["/nothing", "Hier ist nichts"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await checkWidths(page, path.slice(1));
  }
});

test("the button in the footer changes the language of this page and of all others", async () => {
  const page = await portal.visit("/terms");
  await page.getByRole("heading", { name: "Terms", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "Nutzungsbedingungen", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/terms");
  await page.goto("/library");
  await page.getByRole("heading", { name: "Ihre Bibliothek", level: 1 }).waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { name: "Your library", level: 1 }).waitFor();
  await page.goto("/terms");
  await page.getByRole("heading", { name: "Terms", level: 1 }).waitFor();
});
