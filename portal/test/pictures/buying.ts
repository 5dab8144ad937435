import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { portalBrowser } from "../harness.ts";
import { openForPicture, savePicture } from "./picture.ts";

// Takes the pictures of docs/buying.md (docs/images/portal-buying-<step>.webp): a new buyer's steps from the search to
// the certificate and the refund.

const portal = portalBrowser();

/** The time limit for files, which the server renders at the buyer's first request. */
const soon = { timeout: 60_000 };
const phone = { width: 390, height: 780 };

const choose = async (page: Page, license: string) => {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: new RegExp(`^${license}`) }).click();
  return dialog;
};

test("the pictures of buying", async () => {
  const { page, context } = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  await openForPicture(page, portal.server.origin, "/portal/market");
  await page.getByLabel("Search beats").fill("harbour lights 82 bpm");
  await page.getByText("Harbour Lights", { exact: true }).waitFor();
  await savePicture(page, "buying-find");

  await page.getByRole("link", { name: "Harbour Lights", exact: true }).click();
  await page.getByRole("link", { name: /^Buy Basic/ }).click();
  const dialog = await choose(page, "Premium");
  await dialog.getByText("Terms of the Premium license").waitFor();
  await savePicture(page, "buying-license");
  await dialog.getByRole("button", { name: /^Put Premium into the basket/ }).click();
  await page.getByRole("button", { name: /^Pay / }).waitFor();
  await savePicture(page, "buying-basket");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: /^A card that pays/ }).waitFor();
  await savePicture(page, "buying-pay");
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  await savePicture(page, "buying-done");
  const orderId = /order (\d+)/.exec((await page.getByText(/license, order \d+/).textContent()) ?? "")?.[1] ?? "";
  await openForPicture(page, portal.server.origin, `/portal/library?order=${orderId}`);

  await page.getByText("WAV (lossless)").first().waitFor(soon);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Download .*mp3$/ }).click(),
  ]);
  await download.path();
  await page.getByText(/^downloaded /).waitFor();
  await savePicture(page, "buying-library");

  const address = await page.getByRole("link", { name: "Open its public page" }).getAttribute("href");
  const certificate = await context.newPage();
  await certificate.setViewportSize(phone);
  await certificate.goto(address ?? "");
  await certificate.getByText("Harbour Lights").first().waitFor();
  await savePicture(certificate, "buying-certificate");

  await portal.server.run("orders", "refund", orderId);
  await openForPicture(page, portal.server.origin, `/portal/library?order=${orderId}`);
  await page.getByText(/The order was refunded in full/).waitFor();
  await savePicture(page, "buying-refunded");
  await certificate.reload();
  await expect.poll(() => certificate.getByText(/refunded/i).count()).toBeGreaterThan(0);
  await savePicture(certificate, "buying-certificate-refunded");
});

test("the picture of the sales", async () => {
  const { page } = await portal.signInAsDemo();
  await openForPicture(page, portal.server.origin, "/portal/sales");
  await page.getByRole("group", { name: "Sums in USD" }).waitFor();
  await savePicture(page, "sales");
});
