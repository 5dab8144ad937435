import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** Expects no axe violation or element wider than the window: light, dark, and on a dark phone from right to left. */
async function checkSite(page: Page, name: string): Promise<void> {
  for (const [label, width, colorScheme, dir, rules] of [
    ["desk-light", 1440, "light", "ltr", undefined],
    ["desk-dark", 1440, "dark", "ltr", "colors"],
    ["phone-rtl-dark", 360, "dark", "rtl", undefined],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate((direction) => {
      document.documentElement.dir = direction;
    }, dir);
    await saveScreenshot(page, `site-${name}-${label}`);
    expect(await axeFindings(page, rules), label).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, label).toBeLessThanOrEqual(0);
  }
  await page.evaluate(() => {
    document.documentElement.dir = "ltr";
  });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** A script that counts the coloured pixels at a quarter of a waveform's height, which silence does not reach. */
const drawnBars = `(selector) => {
  const canvas = document.querySelector(selector);
  const { width, height } = canvas;
  if (width === 0) return 0;
  const row = canvas.getContext("2d").getImageData(0, Math.round(height / 4), width, 1).data;
  return row.filter((value, index) => index % 4 === 3 && value > 0).length;
}`;

test("a stranger searches, plays a beat and runs a call on the front page", async () => {
  const page = await portal.visit("/");
  const results = page.locator("#results");
  await checkSite(page, "home");

  // The first Tab stop is the skip link. The search updates while text is typed.
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  const search = page.getByRole("searchbox", { name: "Search beats" });
  await search.focus();
  await page.keyboard.type("midnihgt 134 bpm");
  await results.getByText("134 BPM", { exact: true }).waitFor();
  expect(await results.getByRole("list", { name: "Understood as" }).getByRole("listitem").allTextContents()).toEqual([
    "134 BPM",
    "midnight",
    "midnihgt → midnight",
  ]);
  expect(new URL(page.url()).search).toBe("?q=midnihgt+134+bpm");
  expect(await page.title()).toBe("midnihgt 134 bpm · Beat Marketplace");
  expect(await search.evaluate((input) => input === document.activeElement)).toBe(true);

  // The page shows the search as a call, which runs without a key and shows the API's response.
  const call = page.locator("#call");
  await call.getByRole("radio", { name: "Python" }).check();
  await call.getByRole("region", { name: "The call in Python" }).getByText("midnihgt 134 bpm").waitFor();
  await call.getByRole("button", { name: "Run" }).press("Enter");
  const response = await page.request.get("/site/call?q=midnihgt+134+bpm");
  await call.getByText(new RegExp(`^200 · \\d+ ms · ${(await response.body()).byteLength} bytes$`)).waitFor();
  expect(await call.getByRole("region", { name: "The response" }).textContent()).toContain('"bpm_min": 134');
  await call.getByRole("button", { name: "Copy" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("from beatmarket import");

  // Enter on a cover plays the beat. The player shows its name and waveform, and pauses.
  const cover = results.getByRole("button", { name: /^Play / }).first();
  const name = (await cover.getAttribute("aria-label"))?.replace("Play ", "");
  await cover.press("Enter");
  const player = page.getByRole("region", { name: "Player" });
  await player.getByRole("button", { name: `Pause ${name}` }).waitFor();
  await expect.poll(() => page.evaluate(`(${drawnBars})("#player canvas")`)).toBeGreaterThan(20);
  await expect.poll(() => player.locator(".time").textContent()).toMatch(/^0:0\d \/ 0:\d\d$/);
  // A click seeks to the time that is shown under the pointer.
  const slider = player.getByRole("slider", { name: "Position in the preview" });
  const mark = player.locator(".pointed");
  const { width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
  await slider.hover({ position: { x: width / 2, y: height / 2 } });
  const pointed = await mark.getAttribute("data-time");
  expect(pointed).toMatch(/^0:\d\d$/);
  await slider.click({ position: { x: width / 2, y: height / 2 } });
  await expect.poll(() => player.locator(".time").textContent()).toMatch(new RegExp(`^${pointed} / `));
  await page.mouse.move(0, 0);
  await mark.waitFor({ state: "detached" });
  expect(await axeFindings(page)).toEqual([]);
  await slider.press("Home");
  await player.getByRole("button", { name: `Pause ${name}` }).press("Space");
  await player.getByRole("button", { name: `Play ${name}` }).waitFor();
  await player.getByRole("button", { name: "Close the player" }).press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(`Play ${name}`);

  // Every view has an address, and Back returns to the previous view.
  await page.goBack();
  await results.getByRole("heading", { name: "Popular beats" }).waitFor();
  expect(await page.title()).toBe("Beat Marketplace: beats by API");
  expect(await search.inputValue()).toBe("");
  await results.getByRole("link", { name: "Next" }).click();
  await results.getByText("Page 2 of").waitFor();
  await page.reload();
  await results.getByText("Page 2 of").waitFor();

  // After a failure the old results stay, and the search retries automatically. Only a 429 is reported as throttling.
  for (const [status, message] of [
    [429, /^Many searches came from your network/],
    [503, "The search failed, trying again."],
  ] as const) {
    await page.route("**/site/results**", (route) => route.fulfill({ status, headers: { "retry-after": "1" } }));
    await search.fill(`velvet ${status}`);
    await results.getByText(message).waitFor();
    expect(await results.getByRole("listitem").count()).toBe(18);
  }
  await search.fill("velvet");
  await page.unroute("**/site/results**");
  await results.getByRole("heading", { name: "Beats for “velvet”" }).waitFor();
});

test("without JavaScript the search is a form, a beat has a player, and a call runs", async () => {
  const page = await portal.visit("/", { javaScriptEnabled: false });
  await page.getByRole("searchbox").fill("midnight 134 bpm");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("heading", { name: /^Beats for/ }).waitFor();
  expect(new URL(page.url()).search).toBe("?q=midnight+134+bpm");
  expect(await page.getByRole("button", { name: /^Play/ }).count()).toBe(0);
  await page.locator("#results").getByRole("link").first().click();
  await page.getByRole("heading", { level: 1, name: "Midnight" }).waitFor();
  expect(await page.locator("audio[controls]").getAttribute("src")).toMatch(/^\/media\/beats\/\d+\./);
  await page.getByRole("button", { name: "Run" }).click();
  expect(await page.textContent("body")).toContain('"similarity"');
});

test("a beat's page draws the waveform, explains similar beats, and puts each license into the basket", async () => {
  const { page } = await portal.signInAsDemo("/account");
  await page.goto("/beats/3");
  await page
    .getByRole("link", { name: /^Open.the portal$/ })
    .first()
    .waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
  await expect.poll(() => page.evaluate(`(${drawnBars})(".listen canvas")`)).toBeGreaterThan(20);
  await checkSite(page, "beat");
  const similar = page.getByRole("region", { name: "Similar beats, and why" });
  expect(await similar.getByRole("listitem").count()).toBe(5);
  for (const reason of ["Tempo", "Key", "Genre"])
    expect(await similar.getByText(reason, { exact: true }).count()).toBe(5);
  const title = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  for (const license of ["Basic", "Premium", "Unlimited", "Exclusive"]) {
    await page.getByRole("button", { name: `Buy the ${license.toLowerCase()} license` }).click();
    await page.getByRole("listitem").filter({ hasText: title }).getByText(`${license} license, by`).waitFor();
    await page.goto("/beats/3");
  }

  await page.goto("/beats/999999");
  await page.getByRole("heading", { name: "No such beat" }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test("the header on a phone links to browsing and selling, and a license's price is next to the button", async () => {
  const page = await portal.visit("/beats/3", { viewport: { width: 360, height: 780 } });
  for (const name of ["Browse", "Sell", "Basket", "Sign in"])
    expect(await page.getByRole("banner").getByRole("link", { name }).isVisible(), name).toBe(true);
  expect(await page.getByRole("banner").getByRole("link", { name: "Beat Marketplace" }).count()).toBe(1);
  const basic = page.getByRole("row", { name: /^Basic/ });
  const [price, button] = [await basic.getByText("$").boundingBox(), await basic.getByRole("button").boundingBox()];
  expect(price).not.toBeNull();
  expect(button?.x).toBeGreaterThan((price?.x ?? 0) + (price?.width ?? 0));
  expect(
    Math.abs((button?.y ?? 0) + (button?.height ?? 0) / 2 - (price?.y ?? 0) - (price?.height ?? 0) / 2),
  ).toBeLessThan(8);
});

test("the playing beat continues from page to page, and the next beat of the list follows", async () => {
  const page = await portal.visit("/");
  // Marks the document: a new document would lose the variable.
  await page.evaluate("window.isSameDocument = true");
  const covers = page.locator("#results").getByRole("button", { name: /^Play / });
  const names = (await covers.all()).map(async (cover) =>
    (await cover.getAttribute("aria-label"))?.slice("Play ".length),
  );
  const [first, second] = await Promise.all(names.slice(0, 2));
  await covers.first().click();
  const player = page.getByRole("region", { name: "Player" });
  await player.getByRole("button", { name: `Pause ${first}` }).waitFor();
  await player.getByRole("slider", { name: "Volume" }).fill("0.4");

  await player.getByRole("link", { name: `${first}` }).click();
  await page.getByRole("heading", { level: 1, name: `${first}` }).waitFor();
  const pauseButton = page.locator(".listen").getByRole("button", { name: `Pause ${first}` });
  await pauseButton.waitFor();
  await page.getByRole("button", { name: "Buy the basic license" }).click();
  await page.getByRole("heading", { name: "Basket" }).waitFor();
  expect(await page.evaluate("window.isSameDocument")).toBe(true);
  await player.getByRole("button", { name: `Pause ${first}` }).waitFor();
  await player.getByRole("button", { name: "Next beat" }).click();
  await player.getByRole("button", { name: `Pause ${second}` }).waitFor();
  await player.getByRole("button", { name: "Back" }).click();
  await player.getByRole("button", { name: `Pause ${first}` }).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await page.goBack();
  await pauseButton.waitFor();
  await page.goBack();
  await page
    .locator("#results")
    .getByRole("button", { name: `Pause ${first}` })
    .waitFor();
  // A new document keeps the chosen volume.
  await page.reload();
  await covers.first().click();
  await expect.poll(() => player.getByRole("slider", { name: "Volume" }).inputValue()).toBe("0.4");
});

test("an unknown address shows an error page of the site", async () => {
  const page = await portal.visit("/nowhere");
  await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
  await checkSite(page, "not-found");
  await page.getByRole("link", { name: "Beat Marketplace" }).click();
  await page.getByRole("searchbox", { name: "Search beats" }).waitFor();
});
