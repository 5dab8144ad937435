import { systemClock } from "@beatmarket/foundation/clock.ts";
import type { PaymentProvider } from "@beatmarket/payments/provider.ts";
import pino from "pino";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { runHere } from "../../../test/harness/command.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { ScriptedPayments } from "../../../test/harness/payments.ts";
import { listAudit } from "../../resources/audit/queries.ts";
import { placeOrder } from "../../resources/orders/checkout/place-order.ts";
import { Sandbox } from "../../resources/orders/payments/sandbox/sandbox.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import { ordersCommand } from "./orders.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { query: db, driver } = database;
const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com" });

let id = 0;
beforeEach(async () => {
  await driver`truncate orders cascade`;
  id = await buy();
});

async function buy(paymentMethod = "pm_card_visa", payments: PaymentProvider = new Sandbox(db)): Promise<number> {
  const [beatId = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2990 }]);
  const log = pino({ level: "silent" });
  const checkout = {
    db,
    clock: systemClock,
    log,
    currency: "EUR",
    commissionBasisPoints: 0,
    seller: null,
    publicUrl: "https://beats.example",
  };
  const order = await placeOrder(
    { ...checkout, payments: [payments], termsVersion: "1" },
    { userId: buyer, beatId, licenseType: "basic", paymentMethod, run: null, requestId: "a-test" },
  );
  return order.id;
}

const orders = (...args: string[]) => runHere(ordersCommand, ["orders", ...args], { DATABASE_URL: url });
const json = async (...args: string[]) => JSON.parse((await orders(...args, "--json")).out);

test("orders refund refunds a part, and then the rest", async () => {
  expect(await orders("refund", `${id}`, "--amount", "9.9")).toMatchObject({
    status: 0,
    out: expect.stringMatching(new RegExp(`^Refund \\d+ of 9.90 EUR for order ${id} succeeded\\.\n$`)),
    errors: "",
  });
  expect(await json("refund", `${id}`)).toMatchObject({
    order_id: id,
    amount: 20,
    currency: "EUR",
    status: "succeeded",
    origin: "operator",
    is_full: true,
    reference: expect.stringMatching(/^sandbox_refund_/),
  });
  expect(await json("show", `${id}`)).toMatchObject({
    id,
    status: "completed",
    amount: 29.9,
    refunded_amount: 29.9,
    refunded_at: expect.any(String),
    refunds: [{ amount: 9.9 }, { amount: 20 }],
    disputes: [],
  });
  const shown = (await orders("show", `${id}`)).out;
  expect(shown).toMatch(/refunded +in full/);
  expect(shown).toMatch(/REFUND +CREATED/);
});

test("the reason of a refund is in the buyer's audit log", async () => {
  expect((await orders("refund", `${id}`, "--reason", "The beat was sold twice")).status).toBe(0);
  const [entry] = await listAudit(db, buyer, { limit: 1 });
  expect(entry?.subject).toMatch(/\. Reason: The beat was sold twice\.$/);
});

test.each([
  [["refund", "999999"], "Order 999999 does not exist."],
  [["show", "999999"], "Order 999999 does not exist."],
  [["refund", "ID", "--reason", " "], "The reason is a sentence of 1 to 300 characters"],
  [["refund", "one"], "It takes a whole number."],
  [["refund", "ID", "--amount", "29.91"], "has 29.90 EUR left to refund, which is less than 29.91 EUR."],
  ...["0", "-1", "1.234", "1e3", "5 EUR", "99999999.99"].map((amount): [string[], string] => [
    ["refund", "ID", `--amount=${amount}`],
    "An amount is a number above 0 with at most two decimals",
  ]),
  [["list", "--limit", "0"], "A limit is a whole number from 1 to 1000."],
  [["list", "--status", "shipped"], "Allowed choices are completed, pending, failed."],
])("orders %j fails with a sentence and exit status 1", async (args, sentence) => {
  const { status, out, errors } = await orders(...args.map((arg) => (arg === "ID" ? `${id}` : arg)));
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(errors).toContain(sentence);
  expect(await driver`select from refunds`).toEqual([]);
});

test("orders refund says why an order that is not paid, or already refunded, is not refunded", async () => {
  const failed = await buy("pm_card_visa_chargeDeclined");
  const pending = await buy("pm_card_authenticationRequired");
  await orders("refund", `${id}`);
  for (const [order, sentence] of [
    [failed, "there is nothing to refund"],
    [pending, "is not paid yet"],
    [id, "is refunded in full already"],
  ] as const)
    expect(await orders("refund", `${order}`)).toMatchObject({ status: 1, errors: expect.stringContaining(sentence) });
});

test("orders refund of an order that another provider charged names the missing setting", async () => {
  const order = await buy("pm_card_visa", new ScriptedPayments());
  expect(await orders("refund", `${order}`)).toMatchObject({
    status: 1,
    errors: expect.stringContaining("set STRIPE_SECRET_KEY as the server has it"),
  });
  expect(await driver`select from refunds`).toEqual([]);
});

test("orders refund is pending and recorded while the provider is unreachable", async () => {
  const order = await buy("pm_card_visa", new ScriptedPayments());
  vi.stubEnv("STRIPE_SECRET_KEY", "sk_test_1");
  vi.stubEnv("STRIPE_API_BASE", "http://127.0.0.1:1");
  const { status, out, errors } = await orders("refund", `${order}`, "--json");
  expect(status).toBe(0);
  expect(errors).toMatch(/^warning: .*connection to Stripe.*\n$/);
  expect(JSON.parse(out)).toMatchObject({ status: "pending", reference: null, is_full: false });
  expect(await driver`select status, attempts from refunds`).toEqual([{ status: "pending", attempts: 1 }]);
});

test("orders refund that the provider refuses has exit status 1 and the reason, and leaves the order unchanged", async () => {
  const refuse = vi.spyOn(Sandbox.prototype, "refund").mockResolvedValue({
    reference: null,
    amountCents: 2990,
    status: "failed",
    reason: "Insufficient funds.",
  });
  onTestFinished(() => refuse.mockRestore());
  const { status, out, errors } = await orders("refund", `${id}`);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(errors).toMatch(/failed; the order is unchanged\. Insufficient funds\.$/m);
  const refusal = await orders("refund", `${id}`, "--json");
  expect(refusal.status).toBe(1);
  expect(JSON.parse(refusal.out)).toMatchObject({ status: "failed", failure_reason: "Insufficient funds." });
  expect(await json("show", `${id}`)).toMatchObject({ refunded_amount: 0, refunded_at: null });
});

test("orders list shows the newest orders first, and filters them by buyer and state", async () => {
  const failed = await buy("pm_card_visa_chargeDeclined");
  const ids = async (...args: string[]) =>
    (await json("list", ...args)).orders.map((order: { id: number }) => order.id);
  expect(await ids()).toEqual([failed, id]);
  expect(await ids("--limit", "1")).toEqual([failed]);
  expect(await ids("--status", "completed")).toEqual([id]);
  expect(await ids("--email", "Buyer@example.com")).toEqual([failed, id]);
  expect(await ids("--email", "nobody@example.com")).toEqual([]);
  expect((await orders("list")).out).toMatch(/^ID +CREATED +STATUS +BUYER/);
});
