import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const results = (page: Page) => page.getByRole("region", { name: "Beats", exact: true });
const player = (page: Page) => page.getByRole("region", { name: "Player" });
const control = (page: Page, name: string) => player(page).getByRole("button", { name });
const cards = (page: Page) => results(page).locator("[data-beat]");
const titlesOf = (page: Page) =>
  cards(page).locator('a:first-of-type:not([href^="/producers/"])').filter({ hasNotText: /^\$/ }).allTextContents();
/** Waits for the page's status message with this text. */
const waitForStatus = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).waitFor();

const isAscending = (numbers: readonly number[]) =>
  numbers.length > 1 && numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) <= number);

test("a stranger filters and sorts; the address has the whole state, and Back undoes a step", async () => {
  const page = await portal.open("/market");
  await waitForStatus(page, "502 beats");
  expect(await cards(page).count()).toBe(24);
  await expect.poll(() => cards(page).locator('a[href^="/producers/"]').count()).toBe(24);
  await checkPage(page, "catalogue", () => waitForStatus(page, "502 beats"));

  await page.getByRole("button", { name: "Show 24 more" }).click();
  await expect.poll(() => cards(page).count()).toBe(48);

  // A facet shows the number of results before it is chosen.
  const trap = page
    .getByRole("region", { name: "Genre" })
    .getByRole("listitem")
    .filter({ hasText: /^Trap\d/ });
  const count = /\d+$/.exec((await trap.textContent()) ?? "")?.[0];
  await trap.getByRole("checkbox").check();
  await waitForStatus(page, `${count} beats`);
  const bar = page.getByRole("button", { name: /^140 to 149 BPM/ });
  const inBar = /(\d+) beats?$/.exec((await bar.getAttribute("aria-label")) ?? "")?.[1];
  await bar.click();
  await waitForStatus(page, new RegExp(`^${inBar} beats?$`));
  await page.getByLabel("Order").selectOption("Cheapest first");
  await page.waitForURL(/bpm_min=140&bpm_max=149&sort=price_asc/);
  expect(page.url()).toMatch(/market\?genre=\d+&/);

  const prices = async () =>
    (await results(page).getByText(/^\$/).allTextContents()).map((price) => Number(price.slice(1)));
  await expect.poll(async () => isAscending(await prices())).toBe(true);

  // Another person who opens the same address sees the same beats.
  const titles = () => titlesOf(page);
  const titlesBefore = await titles();
  await page.reload();
  await expect.poll(titles).toEqual(titlesBefore);

  await page.getByRole("button", { name: "Remove 140 to 149 BPM" }).click();
  await waitForStatus(page, `${count} beats`);
  await page.goBack();
  await waitForStatus(page, new RegExp(`^${inBar} beats?$`));
  await page.getByRole("button", { name: "Clear all" }).click();
  await waitForStatus(page, "502 beats");
});

test("a search shows its interpretation and corrects a word; a search without results offers a next step", async () => {
  const page = await portal.open("/market");
  await waitForStatus(page, "502 beats");
  // The skip link makes the first beat reachable with three keys.
  for (const key of ["Tab", "Enter", "ArrowDown"]) await page.keyboard.press(key);
  const first = cards(page).first().getByRole("link").first();
  expect(await first.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press("/");
  await page.keyboard.type("midnihgt 134 bpm");
  await page.getByText("Read as 134 BPM, “midnight”").waitFor();
  await page.getByText("Nothing has “midnihgt”: these are for “midnight”").waitFor();
  const results = await titlesOf(page);
  expect(results.length).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Search for the words instead" }).click();
  await page.waitForURL(/read=words/);

  await page.getByLabel("Search beats").fill("zzzzqqqq");
  await page.waitForURL(/q=zzzzqqqq/);
  await page.getByText("No beat found").waitFor();
  expect(await page.getByRole("heading", { name: "Genre" }).count()).toBe(0);
  await page.getByRole("button", { name: "Show all beats" }).click();
  await waitForStatus(page, "502 beats");
  await page.getByRole("heading", { name: "Genre" }).waitFor();
  expect(await page.getByLabel("Search beats").inputValue()).toBe("");

  // A text that was typed shortly before a navigation must not change the address.
  await page.getByLabel("Search beats").fill("midnight");
  await page.waitForURL(/q=midnight/);
  await page.clock.install();
  await page.getByLabel("Search beats").pressSequentially(" rain");
  await page.goBack();
  await page.clock.fastForward(1_000);
  await waitForStatus(page, "502 beats");
  expect(new URL(page.url()).search).toBe("");
});

test("the player continues from page to page, obeys the keyboard, and reports a beat that cannot be played", async () => {
  const { page } = await portal.signUp({ path: "/market?sort=newest&view=list" });
  await waitForStatus(page, "502 beats");
  // The keyboard plays, pauses and resumes the second beat.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const second = cards(page).nth(1);
  const title = (await second.getByRole("link").first().textContent()) ?? "";
  await page.keyboard.press(" ");
  await player(page).getByRole("link", { name: title }).waitFor();
  await second.getByRole("button", { name: `Pause ${title}` }).waitFor();
  const position = player(page).getByLabel(`Position in ${title}`);
  await expect.poll(() => position.getAttribute("aria-valuetext")).toMatch(/of \d+:\d\d/);

  // A click seeks to the time that is shown under the pointer.
  const box = await position.boundingBox();
  if (box === null) throw new Error("The slider has no place.");
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  const pointed = await player(page).locator("[class*=pointedTime]").textContent();
  expect(pointed).toMatch(/^\d+:\d\d$/);
  await control(page, `Pause ${title} in the player`).click();
  await player(page).locator("[class*=pointedTime]").waitFor({ state: "detached" });
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  await expect.poll(() => position.getAttribute("aria-valuetext")).toMatch(new RegExp(`^${pointed} of `));
  await control(page, `Play ${title} in the player`).click();

  await position.focus();
  await page.keyboard.press("End");
  // The queue plays the next beat automatically.
  const third = (await cards(page).nth(2).getByRole("link").first().textContent()) ?? "";
  await control(page, `Pause ${third} in the player`).click();
  await checkPage(page, "catalogue-player", () => player(page).waitFor());

  await goTo(page, "Library");
  await page.getByText("Nothing bought yet").waitFor();
  await control(page, `Play ${third} in the player`).click();
  await control(page, `Pause ${third} in the player`).waitFor();

  await page.route("**/media/beats/*.wav", (route) => route.fulfill({ status: 404 }));
  await control(page, "Next beat").click();
  await player(page).getByText("This preview cannot be played").waitFor();
  await control(page, "Close the player").click();
  await player(page).waitFor({ state: "detached" });
});

test("a beat's page has licenses, similar beats and its call in six languages; buying needs an account", async () => {
  const page = await portal.open("/market/beats/1");
  const licenses = page.getByRole("region", { name: "Licenses" });
  await licenses.getByRole("link", { name: /^Buy Basic for \$/ }).waitFor();
  const similar = page.getByRole("region", { name: "Similar beats, and why" });
  await expect.poll(() => similar.getByRole("listitem").count()).toBe(6);
  await similar
    .getByText(/BPM, .*(apart|equal)/)
    .first()
    .waitFor();
  await checkPage(page, "beat", () => similar.getByRole("listitem").first().waitFor());

  await page.getByRole("button", { name: "Show as API call" }).first().click();
  const call = page.getByRole("dialog", { name: "The same as an API call" });
  for (const language of ["curl", "JavaScript", "Python", "PHP", "Ruby", "Go"]) {
    await call.getByRole("tab", { name: language }).click();
    await call.getByRole("region", { name: `The call in ${language}` }).waitFor();
  }
  await checkPage(page, "api-call", () => call.getByRole("tab", { name: "Ruby" }).waitFor());
  expect(await call.getByRole("link", { name: "Open in explorer" }).getAttribute("href")).toBe(
    "/portal/explorer?operation=getBeat&beat_id=1",
  );
  await page.keyboard.press("Escape");

  // The link contains the shown price, so that the dialog can detect a change.
  const premium = licenses.getByRole("link", { name: /^Buy Premium/ });
  const price = Number(/\$([\d.]+)$/.exec((await premium.getAttribute("aria-label")) ?? "")?.[1]);
  await premium.click();
  await page.waitForURL(/sign-in\?next=/);
  expect(new URL(page.url()).searchParams.get("next")).toBe(`/market/beats/1?buy=premium&price=${price}`);
  await page.goto("/portal/market/beats/99999999");
  await page.getByRole("heading", { level: 1, name: "There is no beat 99999999" }).waitFor();
  expect(await page.title()).toBe("There is no beat 99999999 · Beat Marketplace");
});

test("filters on a phone open in a dialog and show the number of results", async () => {
  const page = await portal.open("/market");
  await waitForStatus(page, "502 beats");
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("button", { name: "Filters" }).click();
  const filters = page.getByRole("dialog", { name: "Filters" });
  await filters.getByRole("checkbox", { name: /^A minor/ }).check();
  await filters.getByRole("button", { name: /^Show \d+ beats$/ }).waitFor();
  await checkPage(page, "catalogue-filters", () =>
    page
      .getByText(/^A minor/)
      .first()
      .waitFor(),
  );
});

test("the catalogue is read without a key, and a link to buy opens the beat's dialog", async () => {
  const { page } = await portal.signUp();
  const requestHeaders: Record<string, string>[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/site/v1/")) requestHeaders.push(request.headers());
  });
  await page.goto("/portal/market/beats/2?buy=basic");
  await page.getByRole("dialog", { name: /^Buy a license of/ }).waitFor();
  expect(requestHeaders.length).toBeGreaterThan(1);
  for (const headers of requestHeaders) expect(headers).not.toHaveProperty("authorization");
});
