import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Payment } from "@beatmarket/payments/provider.ts";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { failed, outOfReach, pending, ScriptedPayments, succeeded } from "../../../test/harness/payments.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { newestPosition, readChanges } from "../changes/queries.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import type { OrderRequest } from "./checkout/create-order.ts";
import { placeOrder } from "./checkout/place-order.ts";
import { Reconciler } from "./checkout/reconciler.ts";
import type { CheckoutDependencies } from "./checkout.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./queries.ts";
import { settle } from "./settle.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com" });
const { id: rival } = await findOrCreateAccount(db, { email: "rival@example.com" });

const clock = new FakeClock();
const publicUrl = "https://beats.example";
let payments: ScriptedPayments;
let checkout: CheckoutDependencies;
let beat: number;
let reconcile: () => Promise<void>;

beforeEach(async () => {
  await driver`truncate orders, events, order_counts cascade`;
  payments = new ScriptedPayments();
  checkout = {
    db,
    clock,
    log: pino({ level: "silent" }),
    payments: [payments],
    currency: "EUR",
    commissionBasisPoints: 0,
    seller: null,
    publicUrl,
    termsVersion: "1",
  };
  [beat = 0] = await insertBeats(database, [{ priceCents: 1999 }]);
  const reconciler = new Reconciler(checkout, new CatalogueVersion());
  reconcile = () => reconciler.run();
});

const buy = (request: Partial<OrderRequest> = {}): Promise<Order> =>
  placeOrder(checkout, {
    userId: buyer,
    beatId: beat,
    licenseType: "basic",
    paymentMethod: "pm_card_visa",
    run: null,
    requestId: "the-order",
    ...request,
  });
const stateOf = async ({ id, user_id }: Order) => {
  const { status, failure_reason } = await findOrder(db, user_id, id);
  const [{ refund = null } = {}] = await driver`select status as refund from refunds where order_id = ${id}`;
  return { status, failure_reason, refund };
};
const events = () => driver`select type, request_id from events where type = 'beat.purchased'`;
const advanceMinutes = (count: number) => clock.advance(count * 60_000);

describe("an order", () => {
  it("is charged at its price and currency, with a unique key", async () => {
    const charged: Payment[] = [];
    payments.onConfirm = (payment) => {
      charged.push(payment);
      return succeeded;
    };
    const order = await buy();
    await buy();
    expect(charged[0]).toMatchObject({ orderId: order.id, amountCents: 1999, currency: "EUR", method: "pm_card_visa" });
    expect(charged[0]?.key).toMatch(new RegExp(`^order_${order.id}_[\\w-]{12}$`));
    expect(charged[1]?.key).not.toBe(charged[0]?.key);
  });

  it("holds no transaction open during a provider call", async () => {
    const openTransactions: unknown[] = [];
    const checkTransactions = async () => {
      openTransactions.push(
        ...(await driver`select state from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
            and backend_type = 'client backend'`),
      );
    };
    payments.onConfirm = () => checkTransactions().then(() => pending);
    payments.onQuery = () => checkTransactions().then(() => pending);
    payments.onCancel = ({ method }) => checkTransactions().then(() => (method === "pm_late" ? succeeded : failed));
    const { onRefund } = payments;
    payments.onRefund = (payment, refund) => checkTransactions().then(() => onRefund(payment, refund));
    const late = await buy({ licenseType: "exclusive", paymentMethod: "pm_late" });
    advanceMinutes(15);
    const rivalOrder = await buy({ userId: rival, licenseType: "exclusive" });
    await settle(checkout, rivalOrder.id, succeeded);
    await reconcile();
    expect(payments.calls).toEqual([
      `create ${late.id}`,
      `confirm ${late.id}`,
      `create ${rivalOrder.id}`,
      `confirm ${rivalOrder.id}`,
      `cancel ${late.id}`,
      `refund ${late.id}`,
    ]);
    const [other = 0] = await insertBeats(database, [{}]);
    const slow = await buy({ beatId: other });
    advanceMinutes(15);
    await reconcile();
    expect(payments.calls.at(-1)).toBe(`cancel ${slow.id}`);
    expect(openTransactions).toEqual([]);
  });

  it("stays pending while the outcome of the payment is unknown, and is settled by a later query", async () => {
    payments.onConfirm = outOfReach;
    const order = await buy();
    expect(order.status).toBe("pending");
    expect(await events()).toEqual([]);

    payments.onQuery = outOfReach;
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "pending" });

    payments.onQuery = () => succeeded;
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "completed" });
    // The event has the request id of the call that placed the order.
    expect(await events()).toEqual([{ type: "beat.purchased", request_id: "the-order" }]);
    expect(payments.calls.filter((call) => call.startsWith("confirm"))).toHaveLength(1);
  });

  it("is charged by the reconciler if its payment has not started, and fails uncharged if it is overdue", async () => {
    payments.onConfirm = outOfReach;
    const [soon, late] = [await buy(), await buy()];
    payments.onConfirm = () => succeeded;
    payments.onQuery = ({ orderId }) => (orderId === late.id ? outOfReach() : null);
    await reconcile();
    expect(await stateOf(soon)).toMatchObject({ status: "completed" });

    advanceMinutes(15);
    payments.calls.length = 0;
    await reconcile();
    expect(payments.calls).toEqual([`cancel ${late.id}`]);
    expect(await stateOf(late)).toMatchObject({ status: "failed" });
  });

  it("for an exclusive license emits public events and changes about the sale, without the buyer", async () => {
    payments.onConfirm = () => succeeded;
    await buy();
    expect(await driver`select id from events where type = 'beat.updated'`).toEqual([]);
    const position = await newestPosition(db);
    await buy({ licenseType: "exclusive" });
    const { changes } = (await readChanges(db, position, 10)).page;
    expect(changes.map(({ type, beatId }) => `${type} ${beatId}`)).toEqual([`updated ${beat}`, `sold ${beat}`]);
    const [event, ...others] = await driver`select payload, audience from events where type = 'beat.updated'`;
    expect(others).toEqual([]);
    expect(event.audience).toBeNull();
    const { data } = JSON.parse(event.payload);
    expect(data).toMatchObject({ id: beat, audio_url: `${publicUrl}/media/beats/${beat}.wav`, available: false });
    expect(data.changed).toEqual(["licenses", "available"]);
    expect(Object.keys(data).filter((name) => /buyer|purchase/.test(name))).toEqual([]);
    const sold = await driver`select payload, audience from events where type = 'beat.sold_exclusively'`;
    expect(sold).toHaveLength(1);
    expect(sold[0].audience).toBeNull();
    expect(Object.keys(JSON.parse(sold[0].payload).data)).toEqual([
      ...["beat_id", "title", "producer_id", "producer_name", "sold_at"],
    ]);
  });

  it("stays pending while it waits for its buyer, and fails after 15 minutes, which releases its exclusive license", async () => {
    payments.onConfirm = () => pending;
    payments.onQuery = () => pending;
    const order = await buy({ licenseType: "exclusive" });
    advanceMinutes(14);
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "pending" });
    advanceMinutes(1);
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "failed" });
    expect(await driver`select exclusive_state from beats where id = ${beat}`).toEqual([
      { exclusive_state: "available" },
    ]);
  });

  it("is completed if it is confirmed during its cancellation", async () => {
    payments.onConfirm = () => pending;
    payments.onQuery = () => pending;
    payments.onCancel = () => succeeded;
    const order = await buy();
    advanceMinutes(15);
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "completed" });
  });

  it("keeps its first final state after later and concurrent updates", async () => {
    payments.onConfirm = () => pending;
    const order = await buy();
    await Promise.all(Array.from({ length: 20 }, () => settle(checkout, order.id, succeeded)));
    await settle(checkout, order.id, failed);
    await settle(checkout, order.id, pending);
    expect(await stateOf(order)).toEqual({ status: "completed", failure_reason: null, refund: null });
    expect(await events()).toHaveLength(1);
    expect(payments.calls).toEqual([`create ${order.id}`, `confirm ${order.id}`]);
  });

  it("emits order.failed to its buyer once if it fails later, and not if it fails immediately", async () => {
    const sent = async () => {
      const rows = await driver`select payload, audience, request_id from events where type = 'order.failed'`;
      return rows.map(({ payload, ...columns }) => ({ ...columns, data: JSON.parse(payload).data }));
    };
    payments.onConfirm = async () => failed;
    expect(await buy()).toMatchObject({ status: "failed" });
    expect(await sent()).toEqual([]);
    payments.onConfirm = async () => pending;
    const order = await buy();
    await settle(checkout, order.id, failed);
    await settle(checkout, order.id, failed);
    const { failure_reason } = await stateOf(order);
    expect(await sent()).toEqual([
      {
        audience: [buyer],
        request_id: "the-order",
        data: expect.objectContaining({ order_id: order.id, beat_id: beat, purchaser_id: buyer, failure_reason }),
      },
    ]);
    expect(await events()).toEqual([]);
  });

  it("exists once per run, even with concurrent attempts of the run", async () => {
    for (const licenseType of ["basic", "exclusive"] as const) {
      payments.calls.length = 0;
      const run = crypto.randomUUID();
      const orders = await Promise.all(Array.from({ length: 12 }, () => buy({ run, licenseType })));
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
      expect((await buy({ run, licenseType })).id).toBe(orders[0]?.id);
    }
    expect(await events()).toHaveLength(2);
  });

  it("is charged by the next attempt of its run if the provider did not answer the confirmation", async () => {
    const run = crypto.randomUUID();
    payments.onConfirm = outOfReach;
    const interrupted = await buy({ run, licenseType: "exclusive" });
    payments.onConfirm = () => succeeded;
    expect(await buy({ run, licenseType: "exclusive" })).toMatchObject({ id: interrupted.id, status: "completed" });
  });
});

describe("a payment that succeeds too late", () => {
  const loseExclusive = async (): Promise<Order> => {
    payments.onConfirm = outOfReach;
    const order = await buy({ licenseType: "exclusive" });
    advanceMinutes(15);
    payments.onConfirm = () => succeeded;
    expect((await buy({ userId: rival, licenseType: "exclusive" })).status).toBe("completed");
    payments.calls.length = 0;
    return order;
  };

  it("is refunded once if the exclusive license was sold to another buyer, and the order fails with the reason", async () => {
    const order = await loseExclusive();
    payments.onCancel = () => succeeded;
    await reconcile();
    expect(await stateOf(order)).toEqual({
      status: "failed",
      failure_reason: expect.stringContaining("went to another buyer"),
      refund: "succeeded",
    });
    await reconcile();
    await settle(checkout, order.id, succeeded);
    expect(payments.calls).toEqual([`cancel ${order.id}`, `refund ${order.id}`]);
    expect(await events()).toHaveLength(1);
  });

  it("is refunded after the provider answers again", async () => {
    const order = await loseExclusive();
    payments.onCancel = () => succeeded;
    const { onRefund } = payments;
    payments.onRefund = outOfReach;
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "failed", refund: "pending" });
    payments.onRefund = onRefund;
    advanceMinutes(2);
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "failed", refund: "succeeded" });
  });

  it("is refunded if the order has failed", async () => {
    payments.onConfirm = () => failed;
    const order = await buy();
    await settle(checkout, order.id, succeeded);
    expect(await stateOf(order)).toEqual({
      status: "failed",
      failure_reason: "Your card was declined.",
      refund: "succeeded",
    });
  });

  it("still buys the exclusive license if no other buyer has it", async () => {
    payments.onConfirm = outOfReach;
    const order = await buy({ licenseType: "exclusive" });
    advanceMinutes(15);
    payments.onCancel = () => succeeded;
    await reconcile();
    expect(await stateOf(order)).toEqual({ status: "completed", failure_reason: null, refund: null });
  });

  it("does not take the exclusive license from its current holder", async () => {
    payments.onConfirm = () => pending;
    const first = await buy({ licenseType: "exclusive" });
    advanceMinutes(15);
    const second = await buy({ userId: rival, licenseType: "exclusive" });
    await settle(checkout, first.id, succeeded);
    await settle(checkout, second.id, succeeded);
    expect(await stateOf(first)).toMatchObject({ status: "failed", refund: "succeeded" });
    expect(await stateOf(second)).toMatchObject({ status: "completed", refund: null });
  });
});

describe("the reconciler", () => {
  it("releases an expired hold on an exclusive license even if its payment cannot be queried", async () => {
    payments.onConfirm = outOfReach;
    payments.onCancel = outOfReach;
    const order = await buy({ licenseType: "exclusive" });
    advanceMinutes(15);
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "pending" });
    expect(await driver`select exclusive_state from beats where id = ${beat}`).toEqual([
      { exclusive_state: "available" },
    ]);
  });

  it("continues after orders that cannot be settled", async () => {
    payments.onConfirm = outOfReach;
    const orders: Order[] = [];
    for (let count = 0; count < 50; count++) orders.push(await buy());
    payments.onQuery = ({ orderId }) => (orderId <= (orders[24]?.id ?? 0) ? outOfReach() : succeeded);
    for (let run = 0; run < 3; run++) await reconcile();
    const states = await Promise.all(orders.map(stateOf));
    expect(states.map(({ status }) => status)).toEqual([...Array(25).fill("pending"), ...Array(25).fill("completed")]);
  });

  it("leaves orders of an unconfigured provider unchanged", async () => {
    payments.onConfirm = () => pending;
    const order = await buy();
    // The provider of the order is not configured any more.
    Object.assign(payments, { name: "sandbox" });
    advanceMinutes(60);
    await reconcile();
    expect(await stateOf(order)).toMatchObject({ status: "pending" });
  });
});
