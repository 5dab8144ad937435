import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { attachPreview } from "../../server/test/harness/database/previews.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();
const beatOf = async (title: string): Promise<number> =>
  (
    await openTestDatabase(portal.server.databaseUrl)
      .query.selectFrom("beats")
      .select("id")
      .where("title", "=", title)
      .executeTakeFirstOrThrow()
  ).id;

const checkShop = (page: Page, name: string): Promise<void> => checkLooks(page, `shop-${name}`);

test("a buyer without a password gets a beat's file with four clicks", async () => {
  const { page, presses } = await portal.visitCounted(`/beats/${await beatOf("Lost Cinema")}`);
  await page.getByRole("button", { name: "Buy the basic license" }).click();
  await page.getByLabel("E-mail").fill("robin@example.com");
  await page.getByLabel("Name on the licenses").fill("Robin Sand");
  await checkShop(page, "basket");
  await page.getByRole("button", { name: /^Pay / }).click();
  await checkShop(page, "pay");
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  await checkShop(page, "files");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "MP3" }).click();
  expect((await download).suggestedFilename()).toMatch(/Lost Cinema \(basic\)\.mp3$/);
  expect(presses.clicks).toBe(4);
});

test("the mailed link opens a page that plays the beat, downloads all files and requests a refund", async () => {
  const page = await portal.visit(`/beats/${await beatOf("Lost Cinema")}`);
  await page.getByRole("button", { name: "Buy the basic license" }).click();
  await page.getByLabel("E-mail").fill("guest@example.com");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  const mail = await portal.server.mailTo("guest@example.com", /\/library\//);
  // Quoted-printable breaks long lines, so join them.
  await page.goto(/\/library\/[\w.-]+/.exec(mail.replaceAll("=\n", ""))?.[0] ?? "/");
  const [zip] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download all \(ZIP/ }).click(),
  ]);
  expect(zip.suggestedFilename()).toMatch(/Lost Cinema \(basic\)\.zip$/);
  expect(await zip.failure()).toBeNull();
  await page.reload();
  await page.getByText(/^Download all \(ZIP, [\d.]+ [kM]B\)$/).waitFor();
  const played = () => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.readyState > 0);
  await page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.load());
  await page.locator("audio").evaluate((audio: HTMLAudioElement) => {
    audio.muted = true;
    return audio.play();
  });
  await expect.poll(played).toBe(true);
  await checkShop(page, "library");
  await page.getByRole("link", { name: /^Write to the producer/ }).click();
  await page.getByLabel("What is wrong?").fill("I took the wrong one.");
  await page.getByRole("button", { name: "Ask for a refund" }).click();
  await page.getByText("It waits for a decision.").waitFor();
  await checkShop(page, "library-contact");
});

test("the keyboard alone buys two licenses with one payment, and the header of a page counts the items", async () => {
  const page = await portal.visit(`/beats/${await beatOf("Lost Cinema")}`);
  await page.getByRole("button", { name: "Buy the premium license" }).press("Enter");
  await page.getByRole("heading", { name: "Basket" }).waitFor();
  await page.goto(`/beats/${await beatOf("Shallow Rooftop")}`);
  await page.getByRole("link", { name: "Basket (1)" }).waitFor();
  await page.getByRole("button", { name: "Buy the basic license" }).press("Enter");
  await page.getByText("Total of 2 licenses").waitFor();
  await page.getByLabel("E-mail").press("Control+a");
  await page.keyboard.type("two@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^A card that needs approval/ }).press("Enter");
  await page.getByRole("button", { name: "Approve" }).press("Enter");
  await page.getByText("The licenses are yours").waitFor();
  expect(await page.getByRole("link", { name: "License certificate (PDF)" }).count()).toBe(2);
});

test("without scripts, a license can be put into the basket and removed", async () => {
  const page = await portal.visit(`/beats/${await beatOf("Lost Cinema")}`, { javaScriptEnabled: false });
  await page.getByRole("button", { name: "Buy the basic license" }).click();
  await page.getByRole("button", { name: "Remove Lost Cinema" }).click();
  await page.getByText("Nothing is in the basket yet.").waitFor();
});

test("a free download needs an address, a consent and a mailed link; its reader withdraws the consent", async () => {
  // No other test visits the page of this beat, and the server keeps a page for half a minute.
  const beat = await beatOf("Harbour Lights");
  const { query: db } = openTestDatabase(portal.server.databaseUrl);
  await attachPreview(db, portal.server.dataDir, beat);
  await db
    .updateTable("beats")
    .set({ has_free_download: true, updated_at: new Date() })
    .where("id", "=", beat)
    .execute();
  const page = await portal.visit(`/beats/${beat}`);
  const form = page.getByRole("region", { name: "Free download" });
  await checkShop(page, "free-download");
  await form.getByLabel("E-mail address").fill("fan@example.com");
  await form.getByRole("checkbox", { name: /may write to me about their music/ }).check();
  await form.getByRole("button", { name: "Get the MP3" }).click();
  await page.getByText("Look into your mailbox").waitFor();
  // Quoted-printable breaks long lines, so join them.
  const text = (await portal.server.mailTo("fan@example.com", /free-downloads/)).replaceAll(/=\r?\n/g, "");
  await page.goto(new URL(/https:\S+\/free-downloads\/\S+/.exec(text)?.[0] ?? "").pathname);
  await checkShop(page, "free-download-confirm");
  await page.getByRole("button", { name: "Confirm and see the file" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Download the tagged MP3/ }).click();
  expect((await download).suggestedFilename()).toBe("Harbour Lights (tagged).mp3");
  await checkShop(page, "free-download-file");
  await page.getByRole("button", { name: "Withdraw my consent" }).press("Enter");
  await page.getByText("Your consent is withdrawn.").waitFor();
});
