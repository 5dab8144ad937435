import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { placeTestOrder } from "../../server/test/harness/database/place-order.ts";
import { checkPage, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("a new buyer finds a beat, buys a license, downloads the files, opens the certificate and gets a refund", async () => {
  const { page, context } = await portal.signUp({ name: "Robin Sand", path: "" });
  await goTo(page, "Library");
  await page.getByText("Nothing bought yet").waitFor();
  await checkPage(page, "library-empty", () => page.getByText("Nothing bought yet").waitFor());
  await page.getByRole("link", { name: "Find a beat" }).click();

  await page.getByLabel("Search beats").fill("lost cinema");
  await page.getByText("1 beat", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Lost Cinema", exact: true }).click();
  await page.getByRole("link", { name: /^Buy Basic/ }).click();

  const dialog = page.getByRole("dialog");
  const premium = dialog.getByRole("radio", { name: /^Premium/ });
  await premium.click();
  const price = (await premium.getAttribute("aria-label"))?.replace("Premium, ", "") ?? "";
  await dialog.getByRole("region", { name: "Terms of the Premium license" }).getByText("“Lost Cinema”").waitFor();
  const putButton = dialog.getByRole("button", { name: `Put Premium into the basket for ${price}` });
  await checkPage(page, "market-licenses", () => putButton.waitFor());
  await putButton.click();
  await page.getByRole("button", { name: `Pay ${price}` }).click();

  // The page shows why a card was declined, and another card pays.
  await page.getByRole("button", { name: /^A card that is declined/ }).click();
  await page.getByText("Your card was declined. Nothing was charged; choose another card.").waitFor();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  const orderId = Number(/order (\d+)/.exec((await page.getByText(/license, order \d+/).textContent()) ?? "")?.[1]);
  await page.goto(`/portal/library?order=${orderId}`);

  const files = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Download / }) });
  await files.getByText("WAV (lossless)").waitFor();
  expect(await page.getByText(/^Completed$/).count()).toBe(1);
  const fileList = await (await context.request.get(`/portal/api/library/orders/${orderId}/files`)).json();
  expect(fileList.files.map(({ kind }: { kind: string }) => kind)).toEqual(["mp3", "wav", "license"]);
  for (const { filename, bytes, sha256 } of fileList.files) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: `Download ${filename}`, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(filename);
    const content = await readFile(await download.path());
    expect(content.length).toBe(bytes);
    expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
  }
  await expect.poll(() => page.getByText(/^downloaded /).count()).toBe(3);
  await checkPage(page, "library", () => files.getByText("WAV (lossless)").waitFor());
  await page.getByRole("link", { name: `Receipt of order ${orderId}` }).click();
  await checkPage(page, "receipt", () => page.getByText("Premium license of “Lost Cinema”").waitFor());
  await page.getByText("Robin Sand, ").waitFor();
  await page.getByRole("link", { name: "Back to the order in the library" }).click();

  const [certificate] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Open its public page" }).click(),
  ]);
  await certificate.getByText("Lost Cinema").first().waitFor();
  const status = async () => {
    const response = await context.request.get(certificate.url(), { headers: { accept: "application/json" } });
    return (await response.json()).data.license.status;
  };
  expect(await status()).toBe("valid");

  await portal.server.run("orders", "refund", String(orderId));
  expect(await status()).toBe("refunded");
  for (const { url } of fileList.files) expect((await context.request.get(url)).status()).toBe(410);
  await page.reload();
  await page.getByText(`${price} paid back`).waitFor();
  await page.getByText(/The order was refunded in full/).waitFor();
});

test("the browser's Back does not reopen a closed dialog", async () => {
  const { page } = await portal.signUp({ path: "/market?q=lost+cinema" });
  await page.getByRole("link", { name: "Lost Cinema", exact: true }).click();
  await page.getByRole("link", { name: /^Buy Basic/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("radio", { name: /^Basic/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/beats\/\d+$/);
  await page.goBack();
  await page.waitForURL(/\/beats\/\d+$/);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("the buyer completes a pending payment from the library", async () => {
  const { page, userId } = await portal.signUp();
  const database = openTestDatabase(portal.server.databaseUrl);
  const { id: beatId } = await database.query
    .selectFrom("beats")
    .select("id")
    .where("title", "=", "Shallow Rooftop")
    .executeTakeFirstOrThrow();
  await placeTestOrder(database, { userId, beatId, paymentMethod: "pm_card_authenticationRequired" });
  await page.goto("/portal/library");
  await page.getByText("The payment waits for you.").waitFor();
  await page.getByRole("link", { name: "Finish paying" }).click();
  await page.getByRole("button", { name: /^Approve/ }).click();
  await page.waitForLoadState();
  await page.goto("/portal/library");
  await page.getByText(/^Completed$/).waitFor();
});

test("the demo account has initial orders and sales, and the sales can be filtered and downloaded as CSV", async () => {
  const { page, context } = await portal.signInAsDemo("/library");
  await page.getByText(/^Refunded$/).waitFor();
  expect(await page.getByText(/^Completed$/).count()).toBe(3);

  await goTo(page, "Sales");
  const sums = page.getByRole("group", { name: "Sums in USD" });
  for (const sum of ["5", "$224.50", "$44.90", "$179.60"]) await sums.getByText(sum, { exact: true }).waitFor();
  await checkPage(page, "sales", () => sums.waitFor());
  await page.getByRole("combobox", { name: "Beat" }).selectOption("Second Wind");
  await sums.getByText("2", { exact: true }).waitFor();
  const month = new Date().toISOString().slice(0, 7);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: `CSV of ${month}` }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`sales-${month}.csv`);
  expect((await readFile(await file.path(), "utf8")).split("\r\n")[0]).toContain("order_id,completed_at,beat_id,title");
  expect((await context.request.get("/portal/api/sales?from=2000-01-01&to=2000-02-01")).status()).toBe(200);
  await page.goto("/portal/sales?from=2000-01-01&to=2000-01-31");
  await page.getByText("No sale passes these filters").waitFor();
});
