import Stripe from "stripe";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startStripeServer } from "../../testing/stripe-server.ts";
import type { Payment, PaymentPage } from "../provider.ts";
import { StripePayments } from "./stripe.ts";

// The package `stripe` waits half a second before a retry.
Object.assign(Stripe.prototype, { getInitialNetworkRetryDelay: () => 0 });

const nowMs = Date.parse("2026-11-27T12:00:00Z");
const webhookSecret = "whsec_test";
const server = await startStripeServer({ nowMs: () => nowMs });
afterAll(() => server.close());
beforeEach(() => server.reset());
const payments = new StripePayments({ secretKey: "sk_test_1", webhookSecret, apiBase: server.url });

const payment = (method = "pm_card_visa", over: Partial<Payment> = {}): Payment => ({
  orderId: 42,
  key: "order_42_key",
  amountCents: 2_990,
  currency: "USD",
  method,
  reference: null,
  isShared: false,
  ...over,
});
const returnUrl = "https://shop.example/pay/order_42_key";
const chargedCents = () => [...server.account.charges.values()].map(({ amount }) => amount);

async function createPayment(method?: string): Promise<Payment> {
  const { reference } = await payments.create(payment(method));
  return payment(method, { reference });
}

describe("a payment at Stripe", () => {
  it("moves no money before it is confirmed", async () => {
    const begun = await createPayment();
    expect(await payments.query(begun)).toBeNull();
    expect(chargedCents()).toEqual([]);
    expect(await payments.confirm(begun, returnUrl)).toEqual({ status: "succeeded", reference: begun.reference });
    expect(chargedCents()).toEqual([2_990]);
  });

  it("is charged once if the response is lost and the confirmation is repeated", async () => {
    const begun = await createPayment();
    server.trouble = ({ path }) => (path.endsWith("/confirm") ? "response-lost" : null);
    await expect(payments.confirm(begun, returnUrl)).rejects.toThrow();
    server.trouble = () => null;
    expect(await payments.confirm(begun, returnUrl)).toMatchObject({ status: "succeeded" });
    expect(chargedCents()).toEqual([2_990]);
  });

  it("fails with the bank's reason, and cannot be charged afterwards", async () => {
    const declined = await createPayment("pm_card_visa_chargeDeclined");
    const failed = { status: "failed", reason: "Your card was declined." };
    expect(await payments.confirm(declined, returnUrl)).toMatchObject(failed);
    expect(await payments.confirm(declined, returnUrl)).toMatchObject({ status: "failed" });
    expect(chargedCents()).toEqual([]);
  });

  it("is rejected if the key or the amount differs", async () => {
    const begun = await createPayment();
    await payments.confirm(begun, returnUrl);
    await expect(payments.query({ ...begun, key: "order_43_key" })).rejects.toThrow("not for order 42");
    await expect(payments.query({ ...begun, amountCents: 1 })).rejects.toThrow("another amount");
  });

  it("is refunded once per key, and at most in full", async () => {
    const paid = await createPayment();
    await payments.confirm(paid, returnUrl);
    const [first, repeated] = [
      await payments.refund(paid, { key: "refund_1", amountCents: 990 }),
      await payments.refund(paid, { key: "refund_1", amountCents: 990 }),
    ];
    expect(repeated).toEqual(first);
    expect(await payments.refund(paid, { key: "refund_2", amountCents: 2_500 })).toMatchObject({ status: "failed" });
    expect(await payments.listRefunds(paid)).toEqual([first]);
  });
});

describe("a transfer to a connected account", () => {
  const payout = { id: 7, amount_cents: 990, currency: "USD", stripe_account: "acct_1", refusals: 0 };
  const transferredCents = () => server.account.transfers.transferredCents;

  it.each(["response-lost", "fails-after"] as const)("is created once after the fault %s", async (trouble) => {
    server.trouble = ({ method }) => (method === "POST" ? trouble : null);
    await expect(payments.transfers.make(payout)).rejects.toThrow();
    server.trouble = () => null;
    const [reference] = server.account.transfers.all.keys();
    expect(await payments.transfers.find(payout)).toBe(reference);
    if (trouble === "response-lost")
      expect(await payments.transfers.make(payout)).toEqual({ status: "paid", reference });
    expect(await payments.transfers.find({ ...payout, id: 8 })).toBeNull();
    expect(transferredCents()).toBe(990);
  });

  it("needs a new key after a refusal for an insufficient balance, since Stripe repeats the refusal", async () => {
    server.account.transfers.availableCents = 500;
    expect(await payments.transfers.make(payout)).toMatchObject({ status: "unfunded" });
    server.account.transfers.availableCents = 5_000;
    expect(await payments.transfers.make(payout)).toMatchObject({ status: "unfunded" });
    expect(await payments.transfers.make({ ...payout, refusals: 1 })).toMatchObject({ status: "paid" });
    expect([transferredCents(), server.account.transfers.availableCents]).toEqual([990, 4_010]);
  });

  it("fails with the reason if the account is closed; a reversed transfer is back in the balance", async () => {
    const { transfers } = server.account;
    transfers.closed.add("acct_1");
    expect(await payments.transfers.make(payout)).toEqual({
      status: "failed",
      reason: "Stripe reports: No such destination: 'acct_1'",
    });
    transfers.closed.clear();
    await payments.transfers.make({ ...payout, id: 8 });
    transfers.reverse([...transfers.all.keys()][0] ?? "");
    expect([transferredCents(), transfers.availableCents]).toEqual([0, 100_000_000]);
  });
});

it("findProblem returns null for a valid key, Stripe's refusal of a wrong key, and no status without a response", async () => {
  expect(await payments.findProblem()).toBeNull();
  const other = new StripePayments({ secretKey: "none", webhookSecret, apiBase: server.url });
  expect(await other.findProblem()).toEqual({ sentence: "You did not provide an API key.", status: 401 });
  server.trouble = () => "unreachable";
  expect(await payments.findProblem()).toMatchObject({ status: null });
});

it("one page is opened for a key, even if a response is lost", async () => {
  const page: PaymentPage = {
    key: "checkout_1",
    reference: null,
    amountCents: 990,
    currency: "USD",
    email: null,
    lines: [{ name: "Midnight", description: "a license", amountCents: 990 }],
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + 3_600_000),
    returnUrl: "https://shop.example/return",
    cancelUrl: "https://shop.example/basket",
  };
  server.trouble = () => "response-lost";
  await expect(payments.pages.open(page)).rejects.toThrow();
  server.trouble = () => null;
  const { reference } = await payments.pages.open(page);
  expect([...server.account.sessions.keys()]).toEqual([reference]);
  expect(await payments.pages.query({ ...page, reference })).toEqual({ status: "open" });
  expect(await payments.pages.expire({ ...page, reference })).toEqual({ status: "expired" });
});

it("an event of a webhook is read only with a valid signature of the last five minutes", async () => {
  const paid = await createPayment();
  await payments.confirm(paid, returnUrl);
  const event = server.account.events.find(({ type }) => type === "payment_intent.succeeded");
  const readSigned = (secret: string, atMs: number, change = (text: string) => text) => {
    const { payload, signature } = server.signed(event as object, { secret, atMs });
    return payments.readWebhook(Buffer.from(change(payload)), signature, nowMs);
  };
  expect(readSigned(webhookSecret, nowMs)).toEqual({
    kind: "payment",
    paymentKey: "order_42_key",
    paymentReference: paid.reference,
  });
  expect(() => readSigned("whsec_other", nowMs)).toThrow();
  expect(() => readSigned(webhookSecret, nowMs - 301_000)).toThrow();
  expect(() => readSigned(webhookSecret, nowMs, (text) => text.replace("order_42_key", "order_43_key"))).toThrow();
});

it("isFailing is true from a failure until Stripe responds without an error", async () => {
  const shop = new StripePayments({ secretKey: "sk_test_1", webhookSecret, apiBase: server.url });
  expect(await shop.isFailing()).toBe(false);
  for (const trouble of ["response-lost", "fails"] as const) {
    server.trouble = () => trouble;
    await expect(shop.requirePayable("pm_card_visa")).rejects.toMatchObject({ status: 503 });
    expect(await shop.isFailing()).toBe(true);
    expect(await shop.isFailing()).toBe(true);
    server.trouble = () => null;
    expect(await shop.isFailing()).toBe(false);
  }
});

it("isFailing stays false after a refusal", async () => {
  await expect(payments.requirePayable("pm_unknown")).rejects.toMatchObject({ status: 400 });
  expect(await payments.isFailing()).toBe(false);
});
