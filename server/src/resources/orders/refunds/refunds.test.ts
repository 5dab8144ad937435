import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { DisputeState } from "@beatmarket/payments/provider.ts";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { failed, outOfReach, pending, succeeded } from "../../../../test/harness/payments.ts";
import { openDispute, RefundingBank } from "../../../../test/harness/refunding-bank.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import type { OrderRequest } from "../checkout/create-order.ts";
import { placeOrder } from "../checkout/place-order.ts";
import { Reconciler } from "../checkout/reconciler.ts";
import type { CheckoutDependencies } from "../checkout.ts";
import type { OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { settle } from "../settle.ts";
import { pursueRefund } from "./pursue-refund.ts";
import { disputeReported, refundReported } from "./reported.ts";
import { requestRefund } from "./request-refund.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com" });
const { id: rival } = await findOrCreateAccount(db, { email: "rival@example.com" });
const clock = new FakeClock();

let bank: RefundingBank;
let checkout: CheckoutDependencies;
let beat: number;
let reconcile: () => Promise<void>;

beforeEach(async () => {
  await driver`truncate ledger_entries, ledger_transactions, orders, events, order_counts cascade`;
  bank = new RefundingBank();
  const log = pino({ level: "silent" });
  checkout = {
    db,
    clock,
    log,
    payments: [bank],
    currency: "EUR",
    commissionBasisPoints: 0,
    seller: null,
    publicUrl: "https://beats.example",
    termsVersion: "1",
  };
  [beat = 0] = await insertBeats(database, [{ priceCents: 1999 }]);
  const reconciler = new Reconciler(checkout, new CatalogueVersion());
  reconcile = () => reconciler.run();
});

const buy = async (request: Partial<OrderRequest> = {}): Promise<OrderWithPayment> => {
  const { id } = await placeOrder(checkout, {
    userId: buyer,
    beatId: beat,
    licenseType: "basic",
    paymentMethod: "pm_card_visa",
    run: null,
    requestId: "the-order",
    ...request,
  });
  return selectOrdersWithPayment(db).where("id", "=", id).executeTakeFirstOrThrow();
};
const refund = (order: OrderWithPayment, amountCents: number | null = null) =>
  requestRefund(checkout, order.id, { amountCents, origin: "operator" });
const orderState = ({ id }: OrderWithPayment) =>
  db.selectFrom("orders").select(["status", "refunded_cents", "refunded_at"]).where("id", "=", id).executeTakeFirst();
const refundsOf = ({ id }: OrderWithPayment) =>
  driver`select status, amount_cents, origin, failure_reason from refunds where order_id = ${id} order by id`;
const reportDispute = (order: OrderWithPayment, state: DisputeState) => disputeReported(checkout, { order, state });
/** Returns the provider's balance in the ledger. */
const providerBalance = async (): Promise<number> => {
  const [{ sum = 0 } = {}] = await driver`
    select coalesce(sum(amount_cents), 0)::int as sum from ledger_entries where account = 'assets:stripe'`;
  return sum;
};
const advanceMinutes = (count: number) => clock.advance(count * 60_000);

describe("a refund", () => {
  it("of the whole amount sets the order's refunded amount and time, and the order stays completed", async () => {
    const order = await buy();
    advanceMinutes(1);
    expect(await refund(order)).toMatchObject({ status: "succeeded", amount_cents: 1999, origin: "operator" });
    expect(await orderState(order)).toEqual({ status: "completed", refunded_cents: 1999, refunded_at: clock.now() });
    expect(await providerBalance()).toBe(0);
    await expect(refund(order)).rejects.toMatchObject({ status: 409, details: expect.stringContaining("in full") });
  });

  it("of a part is added to earlier refunds, up to the price", async () => {
    const order = await buy();
    await refund(order, 500);
    expect(await orderState(order)).toMatchObject({ refunded_cents: 500 });
    await refund(order, 1000);
    await expect(refund(order, 500)).rejects.toMatchObject({
      status: 409,
      details: `Order ${order.id} has 4.99 EUR left to refund, which is less than 5.00 EUR.`,
    });
    expect(await refund(order)).toMatchObject({ amount_cents: 499 });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
    expect(new Set(bank.keys).size).toBe(3);
    expect(await providerBalance()).toBe(0);
  });

  it("does not exceed the price together with concurrent refunds", async () => {
    const order = await buy();
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => refund(order, 300)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    const refundState = async () => [bank.refundsOf(order.id).length, (await orderState(order))?.refunded_cents];
    expect(await refundState()).toEqual([6, 1800]);
    await Promise.allSettled(Array.from({ length: 12 }, () => refund(order)));
    expect(await refundState()).toEqual([7, 1999]);
  });

  it("stays pending until a later query shows that it has succeeded", async () => {
    const order = await buy();
    bank.next.push("pending");
    expect(await refund(order)).toMatchObject({ status: "pending" });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 0, refunded_at: null });
    await reconcile();
    expect(bank.calls.at(-1)).toBe(`refund ${order.id}`);
    advanceMinutes(10);
    await reconcile();
    expect(bank.calls.at(-1)).toBe(`query refund ${order.id}`);
    const [refundAtBank] = bank.refundsOf(order.id);
    if (refundAtBank !== undefined) refundAtBank.status = "succeeded";
    advanceMinutes(10);
    await reconcile();
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
    expect(bank.keys).toHaveLength(1);
  });

  it("is the same refund if it is requested again while it is pending", async () => {
    const order = await buy();
    bank.next.push("pending");
    const first = await refund(order);
    expect(await refund(order)).toMatchObject({ id: first.id, status: "pending" });
    await expect(refund(order, 100)).rejects.toMatchObject({ details: expect.stringContaining("under way") });
    expect(bank.keys).toHaveLength(1);
  });

  it("fails with the provider's reason if the provider refuses it, and the order stays unchanged", async () => {
    const order = await buy();
    bank.next.push({ refuse: "Insufficient funds in your account." });
    expect(await refund(order)).toMatchObject({
      status: "failed",
      failure_reason: "Insufficient funds in your account.",
    });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 0, refunded_at: null });
    expect(await refund(order)).toMatchObject({ status: "succeeded" });
    expect(new Set(bank.keys).size).toBe(2);
  });

  it("is not requested again if its response is lost, because the provider lists it", async () => {
    const order = await buy();
    bank.next.push("lose the response");
    expect(await refund(order)).toMatchObject({ status: "pending", reference: null });
    await reconcile();
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
    expect(bank.refundsOf(order.id)).toHaveLength(1);
    expect(bank.keys).toHaveLength(1);
  });

  it("is requested again with another key if its request is lost and no longer in progress", async () => {
    const order = await buy();
    bank.next.push("lose the request");
    const requested = await refund(order);
    await reconcile();
    expect(bank.keys).toHaveLength(1);
    advanceMinutes(2);
    await Promise.all([reconcile(), pursueRefund(checkout, requested.id), pursueRefund(checkout, requested.id)]);
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
    expect(bank.keys).toHaveLength(2);
    expect(new Set(bank.keys).size).toBe(2);
    expect(bank.refundsOf(order.id)).toHaveLength(1);
  });

  it("is requested by the reconciler after a crash before the request", async () => {
    const order = await buy();
    await driver`
      insert into refunds (order_id, amount_cents, origin, created_at) values (${order.id}, 500, 'operator', now())`;
    await Promise.all([reconcile(), reconcile()]);
    expect(bank.refundsOf(order.id)).toMatchObject([{ amountCents: 500 }]);
    expect(await orderState(order)).toMatchObject({ refunded_cents: 500 });
  });

  it("holds no transaction open during a provider call", async () => {
    const order = await buy();
    const seen: unknown[] = [];
    const { onRefund } = bank;
    bank.onRefund = async (payment, request) => {
      seen.push(
        ...(await driver`select state from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
            and backend_type = 'client backend'`),
      );
      return onRefund(payment, request);
    };
    await refund(order);
    expect(seen).toEqual([]);
  });

  it("fails if the buyer's bank sends it back later, and can be requested again", async () => {
    const order = await buy();
    await refund(order);
    const [refundAtBank] = bank.refundsOf(order.id);
    if (refundAtBank === undefined) throw new Error("no refund");
    const bounced = { ...refundAtBank, status: "failed" as const, reason: "The account is closed." };
    await refundReported(checkout, { order, state: bounced });
    // An older state arrives late.
    await refundReported(checkout, { order, state: refundAtBank });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 0, refunded_at: null });
    expect(await providerBalance()).toBe(1999);
    expect(await refundsOf(order)).toMatchObject([{ status: "failed", failure_reason: "The account is closed." }]);
    expect(await refund(order)).toMatchObject({ status: "succeeded" });
    expect(await providerBalance()).toBe(0);
  });

  it("of a free order moves no money, and sets the time of the refund", async () => {
    const [free = 0] = await insertBeats(database, [{ priceCents: 0 }]);
    const order = await buy({ beatId: free });
    await expect(refund(order, 1)).rejects.toMatchObject({ status: 409 });
    expect(await refund(order)).toMatchObject({ status: "succeeded", amount_cents: 0 });
    expect(await orderState(order)).toEqual({ status: "completed", refunded_cents: 0, refunded_at: clock.now() });
    await expect(refund(order)).rejects.toMatchObject({ status: 409 });
    expect(bank.keys).toEqual([]);
  });

  it("is rejected for unknown, unpaid and failed orders, a wrong amount, and an unconfigured provider", async () => {
    bank.onConfirm = () => pending;
    const open = await buy();
    bank.onConfirm = () => failed;
    const declined = await buy();
    await expect(requestRefund(checkout, 999_999, { amountCents: null, origin: "operator" })).rejects.toMatchObject({
      status: 404,
    });
    await expect(refund(open)).rejects.toMatchObject({ status: 409, details: expect.stringContaining("not paid yet") });
    await expect(refund(declined)).rejects.toMatchObject({
      status: 409,
      details: expect.stringContaining("nothing to refund"),
    });
    for (const amount of [0, -5]) await expect(refund(open, amount)).rejects.toMatchObject({ status: 400 });
    Object.assign(bank, { name: "sandbox" });
    await expect(refund(declined)).rejects.toThrow("not configured");
    expect(await driver`select from refunds`).toEqual([]);
  });
});

describe("a refund made in the provider's dashboard", () => {
  it("is applied once for repeated reports in any order", async () => {
    const order = await buy();
    const pending = bank.make({ orderId: order.id }, 700, "pending");
    const settled = { ...pending, status: "succeeded" as const };
    await Promise.all([settled, pending, settled, pending].map((state) => refundReported(checkout, { order, state })));
    expect(await refundsOf(order)).toMatchObject([{ status: "succeeded", amount_cents: 700, origin: "provider" }]);
    expect(await orderState(order)).toMatchObject({ refunded_cents: 700 });
    expect(await providerBalance()).toBe(1299);
  });

  it("reduces the amount that the provider still refunds", async () => {
    const order = await buy();
    bank.make({ orderId: order.id }, 1999);
    bank.next.push({ refuse: "Charge has already been refunded." });
    expect(await refund(order, 500)).toMatchObject({ status: "failed" });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
    expect(await refundsOf(order)).toMatchObject([
      { status: "failed", amount_cents: 500 },
      { status: "succeeded", amount_cents: 1999, origin: "provider" },
    ]);
  });

  it("is not confused with our own refund, whose report comes before the provider's response", async () => {
    const order = await buy();
    const { onRefund } = bank;
    bank.onRefund = async (payment, request) => {
      const reply = await onRefund(payment, request);
      await refundReported(checkout, { order, state: reply });
      return reply;
    };
    await refund(order, 500);
    expect(await refundsOf(order)).toMatchObject([{ origin: "operator", status: "succeeded" }]);
    expect(await orderState(order)).toMatchObject({ refunded_cents: 500 });
  });

  it("settles the order first if the payment's outcome is not known yet", async () => {
    bank.onConfirm = outOfReach;
    const order = await buy();
    expect(order.status).toBe("pending");
    await refundReported(checkout, { order, state: bank.make({ orderId: order.id }, 1999) });
    expect(await orderState(order)).toMatchObject({ status: "completed", refunded_cents: 1999 });
    expect(await providerBalance()).toBe(0);
    expect(await driver`select from events where type = 'beat.purchased'`).toHaveLength(1);
  });

  it("is rejected while the payment is pending, so that the provider reports it again", async () => {
    bank.onConfirm = () => pending;
    bank.onQuery = () => pending;
    const order = await buy();
    const state = bank.make({ orderId: order.id }, 1999);
    await expect(refundReported(checkout, { order, state })).rejects.toThrow("is pending");
  });

  it("is rejected if its reference belongs to another order", async () => {
    const [one, other] = [await buy(), await buy()];
    const state = bank.make({ orderId: one.id }, 100);
    await refundReported(checkout, { order: one, state });
    await expect(refundReported(checkout, { order: other, state })).rejects.toThrow(`not to order ${other.id}`);
  });
});

describe("a payment of an order that failed", () => {
  const payAfterFailure = async (): Promise<OrderWithPayment> => {
    bank.onConfirm = () => failed;
    const order = await buy();
    await settle(checkout, order.id, succeeded);
    return order;
  };

  it("is refunded once, and the order shows the refund", async () => {
    const order = await payAfterFailure();
    await settle(checkout, order.id, succeeded);
    await reconcile();
    expect(await orderState(order)).toEqual({ status: "failed", refunded_cents: 1999, refunded_at: clock.now() });
    expect(await refundsOf(order)).toMatchObject([{ origin: "unfulfilled", status: "succeeded" }]);
    expect(bank.refundsOf(order.id)).toHaveLength(1);
    expect(await providerBalance()).toBe(0);
  });

  it("can be refunded by the operator if the provider has refused the refund", async () => {
    bank.next.push({ refuse: "Insufficient funds." });
    const order = await payAfterFailure();
    expect(await refundsOf(order)).toMatchObject([{ status: "failed" }]);
    expect(await providerBalance()).toBe(1999);
    expect(await refund(order)).toMatchObject({ status: "succeeded" });
    expect(await providerBalance()).toBe(0);
  });

  it("is not refunded again if an instance of the previous release has refunded it", async () => {
    bank.onConfirm = () => failed;
    const order = await buy();
    await driver`update orders set refund = 'due' where id = ${order.id}`;
    await driver`update orders set refund = 'due' where id = ${order.id}`;
    // That instance has made this refund.
    bank.make({ orderId: order.id }, 1999);
    await driver`update orders set refund = 'done' where id = ${order.id}`;
    await reconcile();
    expect(await refundsOf(order)).toMatchObject([{ origin: "unfulfilled", status: "succeeded" }]);
    expect(bank.keys).toEqual([]);
    expect(await providerBalance()).toBe(0);
  });
});

describe("a dispute", () => {
  it("counts as a refund if it is lost, and not if it is won", async () => {
    for (const [status, refunded, balance] of [
      ["lost", 1999, 0],
      ["won", 0, 1999],
    ] as const) {
      await driver`truncate ledger_entries, ledger_transactions`;
      const order = await buy();
      const state = openDispute();
      await reportDispute(order, state);
      expect(await orderState(order)).toMatchObject({ refunded_cents: 0 });
      expect(await providerBalance()).toBe(0);
      await reportDispute(order, { ...state, status, isWithdrawn: status === "lost" });
      expect(await orderState(order)).toMatchObject({ status: "completed", refunded_cents: refunded });
      expect(await providerBalance()).toBe(balance);
    }
  });

  it("has the same result for different sequences of repeated reports", async () => {
    for (const final of [
      { status: "lost", isWithdrawn: true },
      { status: "won", isWithdrawn: false },
    ] as const) {
      const opened = openDispute();
      const reports = [{ ...opened, isWithdrawn: false }, opened, { ...opened, ...final }];
      const outcomes = new Set<string>();
      for (const order of permutations([...reports, ...reports]).filter((_, index) => index % 47 === 0)) {
        await driver`truncate ledger_entries, ledger_transactions`;
        const purchase = await buy();
        const reference = `${opened.reference}_${purchase.id}`;
        for (const report of order) await reportDispute(purchase, { ...report, reference });
        const [dispute] = await driver`select status, is_withdrawn from disputes where reference = ${reference}`;
        outcomes.add(JSON.stringify([(await orderState(purchase))?.refunded_cents, await providerBalance(), dispute]));
      }
      expect(outcomes.size).toBe(1);
    }
  });

  it("reduces the refundable amount, but an inquiry does not", async () => {
    const order = await buy();
    const inquiry = openDispute({ isWithdrawn: false });
    await reportDispute(order, inquiry);
    await refund(order, 500);
    await reportDispute(order, { ...inquiry, isWithdrawn: true });
    await expect(refund(order)).rejects.toMatchObject({ status: 409, details: expect.stringContaining("dispute dp_") });
    await reportDispute(order, { ...inquiry, status: "lost" });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
    expect(await providerBalance()).toBe(-500);
  });

  it("about a part leaves the rest refundable", async () => {
    const order = await buy();
    await reportDispute(order, openDispute({ amountCents: 999, status: "lost" }));
    expect(await orderState(order)).toMatchObject({ refunded_cents: 999 });
    expect(await refund(order)).toMatchObject({ amount_cents: 1000 });
    expect(await orderState(order)).toMatchObject({ refunded_cents: 1999 });
  });
});

describe("the exclusive license of an order", () => {
  const stateOf = async () =>
    (await driver`select exclusive_state, exclusive_order_id, is_listed from beats where id = ${beat}`)[0];
  const stateOnSale = { exclusive_state: "available", exclusive_order_id: null, is_listed: true };
  /** Returns the number of public events about a change of the beat's availability. */
  const countUpdates = async () => {
    const events = await driver`select payload, audience from events where type = 'beat.updated'`;
    for (const { payload, audience } of events) {
      expect(audience).toBeNull();
      expect(JSON.parse(payload).data).toMatchObject({ id: beat, changed: ["licenses", "available"] });
    }
    return events.length;
  };
  const countSales = async () => (await driver`select id from events where type = 'beat.sold_exclusively'`).length;
  const exclusive = (userId = buyer) => buy({ userId, licenseType: "exclusive" });

  it("is on sale again after a full refund, but not after a partial refund", async () => {
    const order = await exclusive();
    await refund(order, 1);
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold" });
    await refund(order);
    expect(await stateOf()).toEqual(stateOnSale);
    expect(await countUpdates()).toBe(2);
  });

  it("is not affected by late reports about an earlier order", async () => {
    const first = await exclusive();
    await refund(first);
    const [refundAtBank] = bank.refundsOf(first.id);
    const second = await exclusive(rival);
    expect(second.status).toBe("completed");
    if (refundAtBank !== undefined) await refundReported(checkout, { order: first, state: refundAtBank });
    await reportDispute(first, openDispute({ status: "lost" }));
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold", exclusive_order_id: second.id });
    await refund(second);
    expect(await stateOf()).toEqual(stateOnSale);
    expect(await countUpdates()).toBe(4);
  });

  it("is on sale again after a lost dispute, but not while the dispute is open", async () => {
    const order = await exclusive();
    const state = openDispute({ amountCents: order.amount_cents });
    await reportDispute(order, state);
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold" });
    await reportDispute(order, { ...state, status: "lost" });
    expect(await stateOf()).toEqual(stateOnSale);
  });

  it("belongs to the order again when the bank returns the refund, unless it was sold again", async () => {
    const [first, second] = [await exclusive(), await insertBeats(database, [{ priceCents: 1999 }])];
    const bounce = async (order: OrderWithPayment) => {
      for (const refundAtBank of bank.refundsOf(order.id))
        await refundReported(checkout, { order, state: { ...refundAtBank, status: "failed", reason: "Closed." } });
    };
    await refund(first);
    await bounce(first);
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold", exclusive_order_id: first.id, is_listed: false });
    expect([await countUpdates(), await countSales()]).toEqual([3, 2]);

    [beat = 0] = second;
    const firstOrder = await exclusive();
    await refund(firstOrder);
    const rivalOrder = await exclusive(rival);
    await bounce(firstOrder);
    expect(await stateOf()).toMatchObject({ exclusive_order_id: rivalOrder.id });
    // Only one buyer can have an exclusive license. So the first order stays refunded, and its buyer gets the money
    // back.
    expect(await orderState(firstOrder)).toMatchObject({ refunded_cents: firstOrder.amount_cents });
    expect(await refund(firstOrder)).toMatchObject({ status: "succeeded" });
  });

  it("stays with another order when the payment of a failed order is refunded", async () => {
    bank.onConfirm = outOfReach;
    const late = await exclusive();
    advanceMinutes(15);
    bank.onConfirm = () => succeeded;
    const rivalOrder = await exclusive(rival);
    await settle(checkout, late.id, succeeded);
    expect(await orderState(late)).toMatchObject({ status: "failed", refunded_cents: late.amount_cents });
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold", exclusive_order_id: rivalOrder.id });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}
