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
const shown = ({ id }: OrderWithPayment) =>
  db.selectFrom("orders").select(["status", "refunded_cents", "refunded_at"]).where("id", "=", id).executeTakeFirst();
const refundsOf = ({ id }: OrderWithPayment) =>
  driver`select status, amount_cents, origin, failure_reason from refunds where order_id = ${id} order by id`;
const disputed = (order: OrderWithPayment, state: DisputeState) => disputeReported(checkout, { order, state });
/** The amount that the provider holds according to the ledger. */
const held = async (): Promise<number> => {
  const [{ sum = 0 } = {}] = await driver`
    select coalesce(sum(amount_cents), 0)::int as sum from ledger_entries where account = 'assets:stripe'`;
  return sum;
};
const minutes = (count: number) => clock.advance(count * 60_000);

describe("a refund", () => {
  it("of the whole order is shown with its time, and leaves the order completed", async () => {
    const order = await buy();
    minutes(1);
    expect(await refund(order)).toMatchObject({ status: "succeeded", amount_cents: 1999, origin: "operator" });
    expect(await shown(order)).toEqual({ status: "completed", refunded_cents: 1999, refunded_at: clock.now() });
    expect(await held()).toBe(0);
    await expect(refund(order)).rejects.toMatchObject({ status: 409, details: expect.stringContaining("in full") });
  });

  it("of parts adds up to the order and not beyond", async () => {
    const order = await buy();
    await refund(order, 500);
    expect(await shown(order)).toMatchObject({ refunded_cents: 500 });
    await refund(order, 1000);
    await expect(refund(order, 500)).rejects.toMatchObject({
      status: 409,
      details: `Order ${order.id} has 4.99 EUR left to refund, which is less than 5.00 EUR.`,
    });
    expect(await refund(order)).toMatchObject({ amount_cents: 499 });
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
    expect(new Set(bank.keys).size).toBe(3);
    expect(await held()).toBe(0);
  });

  it("and concurrent ones never exceed the order together", async () => {
    const order = await buy();
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => refund(order, 300)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    const made = async () => [bank.refundsOf(order.id).length, (await shown(order))?.refunded_cents];
    expect(await made()).toEqual([6, 1800]);
    await Promise.allSettled(Array.from({ length: 12 }, () => refund(order)));
    expect(await made()).toEqual([7, 1999]);
  });

  it("stays pending with the provider, is asked about later, and counts when it has succeeded", async () => {
    const order = await buy();
    bank.next.push("pending");
    expect(await refund(order)).toMatchObject({ status: "pending" });
    expect(await shown(order)).toMatchObject({ refunded_cents: 0, refunded_at: null });
    await reconcile();
    expect(bank.calls.at(-1)).toBe(`refund ${order.id}`);
    minutes(10);
    await reconcile();
    expect(bank.calls.at(-1)).toBe(`query refund ${order.id}`);
    const [made] = bank.refundsOf(order.id);
    if (made !== undefined) made.status = "succeeded";
    minutes(10);
    await reconcile();
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
    expect(bank.keys).toHaveLength(1);
  });

  it("requested again while it is pending is the same refund", async () => {
    const order = await buy();
    bank.next.push("pending");
    const first = await refund(order);
    expect(await refund(order)).toMatchObject({ id: first.id, status: "pending" });
    await expect(refund(order, 100)).rejects.toMatchObject({ details: expect.stringContaining("under way") });
    expect(bank.keys).toHaveLength(1);
  });

  it("that the provider refuses has failed with its reason, and leaves the order unchanged", async () => {
    const order = await buy();
    bank.next.push({ refuse: "Insufficient funds in your account." });
    expect(await refund(order)).toMatchObject({
      status: "failed",
      failure_reason: "Insufficient funds in your account.",
    });
    expect(await shown(order)).toMatchObject({ refunded_cents: 0, refunded_at: null });
    expect(await refund(order)).toMatchObject({ status: "succeeded" });
    expect(new Set(bank.keys).size).toBe(2);
  });

  it("whose response is lost is found at the provider, and not made again", async () => {
    const order = await buy();
    bank.next.push("lose the response");
    expect(await refund(order)).toMatchObject({ status: "pending", reference: null });
    await reconcile();
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
    expect(bank.refundsOf(order.id)).toHaveLength(1);
    expect(bank.keys).toHaveLength(1);
  });

  it("whose request is lost is sent again with another key, once the first cannot be in progress any more", async () => {
    const order = await buy();
    bank.next.push("lose the request");
    const asked = await refund(order);
    await reconcile();
    expect(bank.keys).toHaveLength(1);
    minutes(2);
    await Promise.all([reconcile(), pursueRefund(checkout, asked.id), pursueRefund(checkout, asked.id)]);
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
    expect(bank.keys).toHaveLength(2);
    expect(new Set(bank.keys).size).toBe(2);
    expect(bank.refundsOf(order.id)).toHaveLength(1);
  });

  it("interrupted by a crash between the row and the request is made by the reconciler", async () => {
    const order = await buy();
    await driver`
      insert into refunds (order_id, amount_cents, origin, created_at) values (${order.id}, 500, 'operator', now())`;
    await Promise.all([reconcile(), reconcile()]);
    expect(bank.refundsOf(order.id)).toMatchObject([{ amountCents: 500 }]);
    expect(await shown(order)).toMatchObject({ refunded_cents: 500 });
  });

  it("holds no transaction open during a provider call", async () => {
    const order = await buy();
    const seen: unknown[] = [];
    const { onRefund } = bank;
    bank.onRefund = async (payment, asked) => {
      seen.push(
        ...(await driver`select state from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
            and backend_type = 'client backend'`),
      );
      return onRefund(payment, asked);
    };
    await refund(order);
    expect(seen).toEqual([]);
  });

  it("that the buyer's bank sends back later has failed, and can be made again", async () => {
    const order = await buy();
    await refund(order);
    const [made] = bank.refundsOf(order.id);
    if (made === undefined) throw new Error("no refund");
    const bounced = { ...made, status: "failed" as const, reason: "The account is closed." };
    await refundReported(checkout, { order, state: bounced });
    // An older state that arrives late.
    await refundReported(checkout, { order, state: made });
    expect(await shown(order)).toMatchObject({ refunded_cents: 0, refunded_at: null });
    expect(await held()).toBe(1999);
    expect(await refundsOf(order)).toMatchObject([{ status: "failed", failure_reason: "The account is closed." }]);
    expect(await refund(order)).toMatchObject({ status: "succeeded" });
    expect(await held()).toBe(0);
  });

  it("of a free order moves no money and sets the order's refund time", async () => {
    const [free = 0] = await insertBeats(database, [{ priceCents: 0 }]);
    const order = await buy({ beatId: free });
    await expect(refund(order, 1)).rejects.toMatchObject({ status: 409 });
    expect(await refund(order)).toMatchObject({ status: "succeeded", amount_cents: 0 });
    expect(await shown(order)).toEqual({ status: "completed", refunded_cents: 0, refunded_at: clock.now() });
    await expect(refund(order)).rejects.toMatchObject({ status: 409 });
    expect(bank.keys).toEqual([]);
  });

  it("is refused for an unknown order, one that is not paid, one that failed unpaid, and a wrong amount", async () => {
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
  it("is applied once, by any number of reports in any order", async () => {
    const order = await buy();
    const made = bank.make({ orderId: order.id }, 700, "pending");
    const done = { ...made, status: "succeeded" as const };
    await Promise.all([done, made, done, made].map((state) => refundReported(checkout, { order, state })));
    expect(await refundsOf(order)).toMatchObject([{ status: "succeeded", amount_cents: 700, origin: "provider" }]);
    expect(await shown(order)).toMatchObject({ refunded_cents: 700 });
    expect(await held()).toBe(1299);
  });

  it("leaves less for ours, which the provider refuses beyond that", async () => {
    const order = await buy();
    bank.make({ orderId: order.id }, 1999);
    bank.next.push({ refuse: "Charge has already been refunded." });
    expect(await refund(order, 500)).toMatchObject({ status: "failed" });
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
    expect(await refundsOf(order)).toMatchObject([
      { status: "failed", amount_cents: 500 },
      { status: "succeeded", amount_cents: 1999, origin: "provider" },
    ]);
  });

  it("is distinguished from ours when its report comes before our response", async () => {
    const order = await buy();
    const { onRefund } = bank;
    bank.onRefund = async (payment, asked) => {
      const made = await onRefund(payment, asked);
      await refundReported(checkout, { order, state: made });
      return made;
    };
    await refund(order, 500);
    expect(await refundsOf(order)).toMatchObject([{ origin: "operator", status: "succeeded" }]);
    expect(await shown(order)).toMatchObject({ refunded_cents: 500 });
  });

  it("of an order whose payment is not known yet: the sale is applied first", async () => {
    bank.onConfirm = outOfReach;
    const order = await buy();
    expect(order.status).toBe("pending");
    await refundReported(checkout, { order, state: bank.make({ orderId: order.id }, 1999) });
    expect(await shown(order)).toMatchObject({ status: "completed", refunded_cents: 1999 });
    expect(await held()).toBe(0);
    expect(await driver`select from events where type = 'beat.purchased'`).toHaveLength(1);
  });

  it("of an order whose payment is pending is refused, so that the provider reports it again", async () => {
    bank.onConfirm = () => pending;
    bank.onQuery = () => pending;
    const order = await buy();
    const state = bank.make({ orderId: order.id }, 1999);
    await expect(refundReported(checkout, { order, state })).rejects.toThrow("is pending");
  });

  it("of another order's reference is an error", async () => {
    const [one, other] = [await buy(), await buy()];
    const state = bank.make({ orderId: one.id }, 100);
    await refundReported(checkout, { order: one, state });
    await expect(refundReported(checkout, { order: other, state })).rejects.toThrow(`not to order ${other.id}`);
  });
});

describe("a payment of an order that failed", () => {
  const fulfilledTooLate = async (): Promise<OrderWithPayment> => {
    bank.onConfirm = () => failed;
    const order = await buy();
    await settle(checkout, order.id, succeeded);
    return order;
  };

  it("is refunded once, and shown as refunded", async () => {
    const order = await fulfilledTooLate();
    await settle(checkout, order.id, succeeded);
    await reconcile();
    expect(await shown(order)).toEqual({ status: "failed", refunded_cents: 1999, refunded_at: clock.now() });
    expect(await refundsOf(order)).toMatchObject([{ origin: "unfulfilled", status: "succeeded" }]);
    expect(bank.refundsOf(order.id)).toHaveLength(1);
    expect(await held()).toBe(0);
  });

  it("whose refund was refused is refunded by the operator", async () => {
    bank.next.push({ refuse: "Insufficient funds." });
    const order = await fulfilledTooLate();
    expect(await refundsOf(order)).toMatchObject([{ status: "failed" }]);
    expect(await held()).toBe(1999);
    expect(await refund(order)).toMatchObject({ status: "succeeded" });
    expect(await held()).toBe(0);
  });

  it("is refunded too when an instance of the previous release marks it as failed", async () => {
    bank.onConfirm = () => failed;
    const order = await buy();
    await driver`update orders set refund = 'due' where id = ${order.id}`;
    await driver`update orders set refund = 'due' where id = ${order.id}`;
    // That instance may have made this refund.
    bank.make({ orderId: order.id }, 1999);
    await driver`update orders set refund = 'done' where id = ${order.id}`;
    await reconcile();
    expect(await refundsOf(order)).toMatchObject([{ origin: "unfulfilled", status: "succeeded" }]);
    expect(bank.keys).toEqual([]);
    expect(await held()).toBe(0);
  });
});

describe("a dispute", () => {
  it("that is lost counts as a refund of its amount, and one that is won as nothing", async () => {
    for (const [status, refunded, holds] of [
      ["lost", 1999, 0],
      ["won", 0, 1999],
    ] as const) {
      await driver`truncate ledger_entries, ledger_transactions`;
      const order = await buy();
      const state = openDispute();
      await disputed(order, state);
      expect(await shown(order)).toMatchObject({ refunded_cents: 0 });
      expect(await held()).toBe(0);
      await disputed(order, { ...state, status, isWithdrawn: status === "lost" });
      expect(await shown(order)).toMatchObject({ status: "completed", refunded_cents: refunded });
      expect(await held()).toBe(holds);
    }
  });

  it("has the same result for every order of reports, each sent twice", async () => {
    for (const final of [
      { status: "lost", isWithdrawn: true },
      { status: "won", isWithdrawn: false },
    ] as const) {
      const opened = openDispute();
      const reports = [{ ...opened, isWithdrawn: false }, opened, { ...opened, ...final }];
      const outcomes = new Set<string>();
      for (const order of permutations([...reports, ...reports]).filter((_, index) => index % 47 === 0)) {
        await driver`truncate ledger_entries, ledger_transactions`;
        const bought = await buy();
        const reference = `${opened.reference}_${bought.id}`;
        for (const report of order) await disputed(bought, { ...report, reference });
        const [dispute] = await driver`select status, is_withdrawn from disputes where reference = ${reference}`;
        outcomes.add(JSON.stringify([(await shown(bought))?.refunded_cents, await held(), dispute]));
      }
      expect(outcomes.size).toBe(1);
    }
  });

  it("reduces what may be refunded, and an inquiry does not", async () => {
    const order = await buy();
    const inquiry = openDispute({ isWithdrawn: false });
    await disputed(order, inquiry);
    await refund(order, 500);
    await disputed(order, { ...inquiry, isWithdrawn: true });
    await expect(refund(order)).rejects.toMatchObject({ status: 409, details: expect.stringContaining("dispute dp_") });
    await disputed(order, { ...inquiry, status: "lost" });
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
    expect(await held()).toBe(-500);
  });

  it("of a part leaves the rest refundable", async () => {
    const order = await buy();
    await disputed(order, openDispute({ amountCents: 999, status: "lost" }));
    expect(await shown(order)).toMatchObject({ refunded_cents: 999 });
    expect(await refund(order)).toMatchObject({ amount_cents: 1000 });
    expect(await shown(order)).toMatchObject({ refunded_cents: 1999 });
  });
});

describe("the exclusive license of an order", () => {
  const stateOf = async () =>
    (await driver`select exclusive_state, exclusive_order_id, is_listed from beats where id = ${beat}`)[0];
  const onSale = { exclusive_state: "available", exclusive_order_id: null, is_listed: true };
  /** The number of events by which every subscriber learned that the beat left the lists, or returned. */
  const timesTold = async () => {
    const events = await driver`select payload, audience from events where type = 'beat.updated'`;
    for (const { payload, audience } of events) {
      expect(audience).toBeNull();
      expect(JSON.parse(payload).data).toMatchObject({ id: beat, changed: ["licenses", "available"] });
    }
    return events.length;
  };
  const timesSold = async () => (await driver`select id from events where type = 'beat.sold_exclusively'`).length;
  const exclusive = (userId = buyer) => buy({ userId, licenseType: "exclusive" });

  it("is on sale again after a full refund, with an event, and not after a part", async () => {
    const order = await exclusive();
    await refund(order, 1);
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold" });
    await refund(order);
    expect(await stateOf()).toEqual(onSale);
    expect(await timesTold()).toBe(2);
  });

  it("is sold and refunded again and again, and late reports of an earlier order change nothing", async () => {
    const first = await exclusive();
    await refund(first);
    const [made] = bank.refundsOf(first.id);
    const second = await exclusive(rival);
    expect(second.status).toBe("completed");
    if (made !== undefined) await refundReported(checkout, { order: first, state: made });
    await disputed(first, openDispute({ status: "lost" }));
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold", exclusive_order_id: second.id });
    await refund(second);
    expect(await stateOf()).toEqual(onSale);
    expect(await timesTold()).toBe(4);
  });

  it("is on sale again after a lost dispute, and not while it is open", async () => {
    const order = await exclusive();
    const state = openDispute({ amountCents: order.amount_cents });
    await disputed(order, state);
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold" });
    await disputed(order, { ...state, status: "lost" });
    expect(await stateOf()).toEqual(onSale);
  });

  it("belongs to the order again when the refund is returned, unless someone else has bought it by then", async () => {
    const [first, second] = [await exclusive(), await insertBeats(database, [{ priceCents: 1999 }])];
    const bounce = async (order: OrderWithPayment) => {
      for (const made of bank.refundsOf(order.id))
        await refundReported(checkout, { order, state: { ...made, status: "failed", reason: "Closed." } });
    };
    await refund(first);
    await bounce(first);
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold", exclusive_order_id: first.id, is_listed: false });
    expect([await timesTold(), await timesSold()]).toEqual([3, 2]);

    [beat = 0] = second;
    const lost = await exclusive();
    await refund(lost);
    const theirs = await exclusive(rival);
    await bounce(lost);
    expect(await stateOf()).toMatchObject({ exclusive_order_id: theirs.id });
    // Only one buyer can hold an exclusive license. So the first order stays refunded, and its buyer is owed the money.
    expect(await shown(lost)).toMatchObject({ refunded_cents: lost.amount_cents });
    expect(await refund(lost)).toMatchObject({ status: "succeeded" });
  });

  it("stays with the other order when a failed order's payment is refunded", async () => {
    bank.onConfirm = outOfReach;
    const late = await exclusive();
    minutes(15);
    bank.onConfirm = () => succeeded;
    const theirs = await exclusive(rival);
    await settle(checkout, late.id, succeeded);
    expect(await shown(late)).toMatchObject({ status: "failed", refunded_cents: late.amount_cents });
    expect(await stateOf()).toMatchObject({ exclusive_state: "sold", exclusive_order_id: theirs.id });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}
