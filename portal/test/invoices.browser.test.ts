import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, portalBrowser, retryWhileShed } from "./harness.ts";

const portal = portalBrowser({
  INVOICE_SELLER_NAME: "Beats GmbH",
  INVOICE_SELLER_ADDRESS: "Example Street 1; 10115 Berlin",
  INVOICE_SELLER_COUNTRY: "DE",
  INVOICE_SELLER_VAT_ID: "DE123456789",
});

/** Follows a link by keyboard, and expects a PDF. */
async function expectPdf(page: Page, link: Locator): Promise<void> {
  const download = page.waitForEvent("download");
  await link.focus();
  await page.keyboard.press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
}

test("receipt, library and sales link to an order's invoice and credit note", async () => {
  const database = openTestDatabase(portal.server.databaseUrl);
  const producer = await portal.signUp({ name: "Nora Night" });
  const { id: beatId } = await database.query
    .selectFrom("beats")
    .select("id")
    .where("title", "=", "Lost Cinema")
    .executeTakeFirstOrThrow();
  await database.driver`update beats set user_id = ${producer.userId} where id = ${beatId}`;
  const { page, context } = await portal.signUp({ name: "Robin Sand" });
  const { key } = await portal.makeKey(context, { name: "Shop", permissions: ["orders:write", "orders:read"] });
  const bought = await retryWhileShed(() =>
    context.request.post("/v1/orders", {
      data: { beat_id: beatId, payment_method: "pm_card_visa" },
      headers: { authorization: `Bearer ${key}` },
    }),
  );
  const { id } = (await bought.json()).data.order;

  await page.goto(`/portal/library/${id}/receipt`);
  const invoice = page.getByRole("link", { name: /^Invoice INV-\d{4}-\d{6}$/ });
  await checkPage(page, "receipt-invoice", () => invoice.waitFor());
  await expectPdf(page, invoice);
  // The printed receipt omits the links to the invoice, which is a separate document.
  await page.emulateMedia({ media: "print" });
  expect(await invoice.isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });

  await portal.server.run("orders", "refund", String(id));
  await page.goto("/portal/library");
  const note = page.getByRole("link", { name: /^Credit note / });
  await checkPage(page, "library-invoices", () => note.waitFor());
  await expectPdf(page, note);

  const seller = producer.page;
  await seller.goto("/portal/sales");
  const sales = seller.getByRole("region", { name: "Sales" }).getByRole("row").last();
  await checkPage(seller, "sales-invoices", () => sales.getByRole("link", { name: /^Credit note / }).waitFor());
  expect(await sales.getByRole("link", { name: /^(Invoice|Credit note) / }).count()).toBe(2);
  await expectPdf(seller, sales.getByRole("link", { name: /^Invoice / }));
});
