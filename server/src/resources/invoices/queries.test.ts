import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { RefundingBank } from "../../../test/harness/refunding-bank.ts";
import { numbersOf, testSeller, upTo } from "../../../test/harness/seller.ts";
import { placeOrder } from "../orders/checkout/place-order.ts";
import type { CheckoutDependencies } from "../orders/checkout.ts";
import { selectOrdersWithPayment } from "../orders/queries.ts";
import { refundReported } from "../orders/refunds/reported.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { readBilling, saveBilling } from "./billing.ts";
import { findInvoice, issueInvoices, listInvoices, producersCopy } from "./queries.ts";
import { addTaxRate, endTaxRate, listTaxRates } from "./tax-rates.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com", name: "Bonnie Buyer" });
const now = new Date("2026-11-27T12:00:00Z");
const author = "operator" as const;
let clock: FakeClock;
let bank: RefundingBank;
let checkout: CheckoutDependencies;

beforeEach(async () => {
  await driver`truncate invoices, invoice_numbers, tax_rates, billing_details, ledger_entries, ledger_transactions, orders cascade`;
  await driver`update users set display_name = 'Bonnie Buyer' where id = ${buyer}`;
  clock = new FakeClock(now.getTime());
  bank = new RefundingBank();
  checkout = {
    db,
    clock,
    log: pino({ level: "silent" }),
    payments: [bank],
    currency: "EUR",
    commissionBasisPoints: 0,
    seller: testSeller,
    publicUrl: "https://beats.example",
    termsVersion: "1",
  };
});

async function buy(priceCents = 2_990): Promise<number> {
  const [beatId = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl", priceCents }]);
  const order = { userId: buyer, beatId, licenseType: "basic", paymentMethod: "pm_card_visa" } as const;
  return (await placeOrder(checkout, { ...order, run: null, requestId: "a-request" })).id;
}
const invoicesOf = async (orderId: number) =>
  Promise.all((await listInvoices(db, [orderId])).map(({ id }) => findInvoice(db, id, "all")));
const refund = (orderId: number, amountCents: number | null = null) =>
  requestRefund(checkout, orderId, { amountCents, origin: "operator" });
const vat = (rate: Partial<Parameters<typeof addTaxRate>[1]> = {}) =>
  addTaxRate(db, { country: "DE", name: "VAT", basisPoints: 1_900, from: "2026-01-01", to: null, ...rate });

describe("a sale", () => {
  it("has an invoice with seller, buyer and line, without tax if there is no rate", async () => {
    const orderId = await buy();
    expect(await invoicesOf(orderId)).toMatchObject([
      {
        kind: "invoice",
        year: 2026,
        number: 1,
        orderId,
        amountCents: 2_990,
        taxCents: 0,
        currency: "EUR",
        corrects: null,
        issuedAt: now,
        facts: {
          seller: testSeller,
          buyer: { name: "Bonnie Buyer", address: [], country: null, vatId: null },
          line: { orderId, title: "Midnight", producerName: "Nightowl", licenseType: "basic" },
          tax: null,
        },
      },
    ]);
  });

  it("has no invoice if it is free or failed, or if the marketplace has no seller", async () => {
    expect(await invoicesOf(await buy(0))).toEqual([]);
    bank.onConfirm = () => ({ status: "failed", reference: "pay_1", reason: "Declined." });
    expect(await invoicesOf(await buy())).toEqual([]);
    bank.onConfirm = () => ({ status: "succeeded", reference: "pay_1" });
    checkout = { ...checkout, seller: null };
    const orderId = await buy();
    await refund(orderId);
    expect(await invoicesOf(orderId)).toEqual([]);
  });

  it("has the tax of its day (UTC) in the buyer's country; an unknown country counts as the seller's", async () => {
    await vat();
    await vat({ country: "FR", name: "TVA", basisPoints: 2_000, to: "2026-11-27" });
    expect(await invoicesOf(await buy())).toMatchObject([
      { taxCents: 477, facts: { tax: { name: "VAT", country: "DE", basisPoints: 1_900 } } },
    ]);
    const french = readBilling({
      name: "Société",
      address: "1 rue A\n75001 Paris\n",
      country: "fr",
      vatId: "FR 12 345678901",
    });
    await saveBilling(db, buyer, french, { author, now });
    expect(await invoicesOf(await buy())).toMatchObject([
      {
        taxCents: 498,
        facts: {
          buyer: { name: "Société", address: ["1 rue A", "75001 Paris"], country: "FR", vatId: "FR12345678901" },
          tax: { name: "TVA", basisPoints: 2_000 },
        },
      },
    ]);
    clock.advance(86_400_000);
    expect(await invoicesOf(await buy())).toMatchObject([{ taxCents: 0, facts: { tax: null } }]);
  });

  it("keeps its invoice after changes of names, rates and details; the database refuses to change it", async () => {
    await vat();
    const orderId = await buy();
    const [before] = await invoicesOf(orderId);
    await driver`update users set display_name = 'Another'`;
    await driver`update beats set title = 'Another'`;
    await driver`update tax_rates set basis_points = 700`;
    await saveBilling(db, buyer, readBilling({ name: "X", address: "", country: "AT", vatId: "" }), { author, now });
    expect(await invoicesOf(orderId)).toEqual([before]);
    await expect(driver`update invoices set tax_cents = 0`).rejects.toThrow("An invoice never changes");
    await expect(driver`delete from invoices`).rejects.toThrow("An invoice never changes");
  });
});

describe("numbers", () => {
  it("have no gap after concurrent sales and rollbacks", async () => {
    const rolledBackSale = async () => {
      const orderId = await buy(0);
      const order = {
        id: orderId,
        title: "T",
        producer_name: "P",
        license_type: "basic",
        amount_cents: 5,
        currency: "EUR",
      };
      await transact(db, async (transaction) => {
        await issueInvoices(transaction, [order], { seller: testSeller, now });
        throw new Error("killed");
      }).catch(() => {});
    };
    await Promise.all(Array.from({ length: 8 }, () => [buy(), rolledBackSale()]).flat());
    expect(await numbersOf(database)).toEqual({ "invoice 2026": upTo(8) });
  });

  it("begin with 1 in each year (UTC)", async () => {
    await buy();
    await buy();
    clock.advance(Date.parse("2027-01-01T00:00:00Z") - clock.nowMs());
    await buy();
    expect(await numbersOf(database)).toEqual({ "invoice 2026": [1, 2], "invoice 2027": [1] });
  });
});

describe("a refund", () => {
  it("has a credit note that names the invoice; the credit notes of a full refund sum to price and tax", async () => {
    await vat();
    const orderId = await buy();
    await refund(orderId, 1_000);
    await vat({ country: "AT" });
    await driver`update tax_rates set basis_points = 100`;
    await refund(orderId, 333);
    await refund(orderId);
    const [invoice, ...notes] = await invoicesOf(orderId);
    expect(notes.map(({ kind, number, amountCents }) => [kind, number, amountCents])).toEqual([
      ["credit_note", 1, 1_000],
      ["credit_note", 2, 333],
      ["credit_note", 3, 1_657],
    ]);
    expect(notes.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(invoice?.taxCents);
    for (const note of notes)
      expect(note).toMatchObject({ corrects: { name: "INV-2026-000001", issuedAt: now }, facts: invoice?.facts ?? {} });
  });

  it("has another invoice if the buyer's bank returns it", async () => {
    await vat();
    const orderId = await buy();
    await refund(orderId, 1_000);
    const order = await selectOrdersWithPayment(db).where("id", "=", orderId).executeTakeFirstOrThrow();
    const [{ reference = "" } = {}] = bank.refundsOf(orderId);
    const state = { reference, amountCents: 1_000, status: "failed", reason: "Account closed." } as const;
    await refundReported(checkout, { order, state });
    await refundReported(checkout, { order, state });
    expect((await invoicesOf(orderId)).map(({ kind, amountCents, taxCents }) => [kind, amountCents, taxCents])).toEqual(
      [
        ["invoice", 2_990, 477],
        ["credit_note", 1_000, 159],
        ["invoice", 1_000, 159],
      ],
    );
  });
});

describe("a reader", () => {
  it("finds only documents of own purchases or sales; the producer's copy has only the buyer's name", async () => {
    const billing = readBilling({ name: "Buyer Ltd", address: "1 High Street", country: "GB", vatId: "GB123456789" });
    await saveBilling(db, buyer, billing, { author, now });
    const orderId = await buy();
    const [{ id = 0 } = {}] = await listInvoices(db, [orderId]);
    const { producer_id: producerId } = await selectOrdersWithPayment(db)
      .where("id", "=", orderId)
      .executeTakeFirstOrThrow();
    expect(await findInvoice(db, id, { buyerId: buyer })).toMatchObject({ orderId });
    const refused = { status: 404, details: `There is no invoice ${id}, or it is not yours.` };
    await expect(findInvoice(db, id, { buyerId: producerId })).rejects.toMatchObject(refused);
    await expect(findInvoice(db, id, { producerId: buyer })).rejects.toMatchObject(refused);
    expect(producersCopy(await findInvoice(db, id, { producerId })).facts.buyer).toEqual({
      name: "Bonnie Buyer",
      address: [],
      country: null,
      vatId: null,
    });
  });
});

describe("rates", () => {
  it("of a country cannot overlap, and can be ended", async () => {
    await vat();
    await expect(vat({ from: "2027-01-01" })).rejects.toMatchObject({ status: 409 });
    await endTaxRate(db, { country: "DE", from: "2026-01-01", to: "2026-12-31" });
    await vat({ from: "2027-01-01", basisPoints: 1_600 });
    expect((await listTaxRates(db)).map(({ from, to, basisPoints }) => [from, to, basisPoints])).toEqual([
      ["2026-01-01", "2026-12-31", 1_900],
      ["2027-01-01", null, 1_600],
    ]);
    await expect(endTaxRate(db, { country: "DE", from: "2026-02-01", to: "2026-12-31" })).rejects.toMatchObject({
      status: 404,
    });
  });

  it.each([
    [{ country: "Germany" }, 'The country is "Germany"'],
    [{ country: "UK" }, "such as DE or GB"],
    [{ basisPoints: 0 }, "from 1 to 10000"],
    [{ from: "2026-02-30" }, '"2026-02-30" is not a day'],
    [{ to: "2025-12-31" }, "is before the first"],
    [{ name: " " }, "1 to 40 characters"],
  ])("with %o are 400 with the reason", async (wrong, reason) => {
    await expect(vat(wrong)).rejects.toMatchObject({ status: 400, details: expect.stringContaining(reason) });
  });
});

describe("details of a buyer", () => {
  const typed = { name: "", address: "", country: "", vatId: "" };
  it.each([
    [{ address: "1 High Street" }, "needs a name"],
    [{ name: "A", address: "1\n2\n3\n4" }, "three lines"],
    [{ name: "A", country: "XX" }, "two letters"],
    [{ name: "A", vatId: "12345" }, "begins with its country"],
  ])("%o are 400 with the reason", (wrong, reason) => {
    expect(() => readBilling({ ...typed, ...wrong })).toThrow(
      expect.objectContaining({ details: expect.stringContaining(reason) }),
    );
  });

  it("name a country by the code that tax rates have", () => {
    expect(readBilling({ ...typed, name: "A", country: "uk" })?.country).toBe("GB");
  });

  it("are null if all fields are empty", () => {
    expect(readBilling({ ...typed, name: " \n" })).toBeNull();
  });
});
