import { ApiError } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Payment, PaymentState } from "@beatmarket/payments/provider.ts";
import pino from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { attachRecording } from "../../../../test/harness/database/order-files.ts";
import { sandboxCheckout } from "../../../../test/harness/sandbox-checkout.ts";
import { onRandomSource, SeededSource } from "../../../access/random-source.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import type { CheckoutDependencies } from "../checkout.ts";
import { Sandbox } from "../payments/sandbox/sandbox.ts";
import type { PlainOrderRequest } from "./create-order.ts";
import { placeOrders } from "./place-order.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const buyers = await Promise.all(
  ["ada", "bob", "eve"].map(async (name) => (await findOrCreateAccount(db, { email: `${name}@example.com` })).id),
);
const clock = new FakeClock();
const checkout = sandboxCheckout(db, clock);
const beats = await insertBeats(database, [{ priceCents: 1999 }, { priceCents: 2999 }, { priceCents: 0 }]);
const startMs = clock.nowMs();
// The second beat has a collaborator, and the first buyer has a webhook endpoint.
await driver`
  insert into beat_shares (beat_id, user_id, basis_points, invited_at, accepted_at)
  values (${beats[1] ?? 0}, ${buyers[2] ?? 0}, 3333, ${new Date(startMs)}, ${new Date(startMs)})`;
await driver`
  insert into webhook_endpoints (user_id, url, secret, created_at)
  values (${buyers[0] ?? 0}, 'https://receiver.example/', 'secret', ${new Date(startMs)})`;

/**
 * Deletes the sandbox's payments too: the sandbox finds a payment by the id of its order, and these ids begin again at
 * 1.
 */
const empty = () =>
  driver`truncate orders, events, outgoing_mails, ledger_transactions, sandbox_payments, webhook_deliveries, license_log
    restart identity cascade`;

beforeEach(empty);

/** The n-th order, a minute after the previous order. */
const request = (place: number, overrides: Partial<PlainOrderRequest> = {}): PlainOrderRequest => ({
  userId: buyers[place % buyers.length] ?? 0,
  beatId: beats[place % 2] ?? 0,
  licenseType: "basic",
  paymentMethod: "pm_card_visa",
  run: null,
  requestId: `order ${place}`,
  at: new Date(startMs + place * 60_000),
  ...overrides,
});

const requests = Array.from({ length: 6 }, (_, place) => request(place));

/** All rows that the orders have written. */
async function writtenRows() {
  return {
    orders: await driver`select id, user_id, beat_id, license_type, amount_cents, status, created_at,
      completed_at, right(payment_key, 12) as secret, request_id from orders order by id`,
    events: await driver`select id, type, payload, audience, created_at, request_id from events order by id`,
    mails: await driver`select id, user_id, recipient, template, facts, created_at, due_at
      from outgoing_mails order by due_at, id`,
    ledger: await driver`select kind, order_id, at, account, amount_cents, currency
      from ledger_transactions join ledger_entries on transaction_id = id order by id, account`,
    shares: await driver`select order_id, user_id, basis_points from order_shares order by order_id, user_id`,
    payments: await driver`select * from sandbox_payments order by order_id`,
    deliveries: await driver`select id, endpoint_id, event_id, type, state, next_attempt_at, created_at
      from webhook_deliveries order by id`,
    leaves: await driver`select index, kind, beat_id, order_id, at from license_log order by index`,
  };
}

const placeInParts = (sizes: readonly number[], provider = new Sandbox(db, clock)) =>
  onRandomSource(new SeededSource("together"), async () => {
    let begin = 0;
    for (const size of sizes) {
      await placeOrders({ ...checkout, payments: [provider] }, requests.slice(begin, begin + size));
      begin += size;
    }
    return writtenRows();
  });

/** A provider whose payments may stay pending, so that orders are inserted as pending and settled afterwards. */
class MayWait extends Sandbox {
  override succeedsAtOnce(): boolean {
    return false;
  }
}

/** A provider that does not answer for one payment method. */
class UnreachableFor extends Sandbox {
  readonly #method: string;

  constructor(db: Queryable, method: string) {
    super(db, clock);
    this.#method = method;
  }

  override succeedsAtOnce(method: string): boolean {
    return method !== this.#method && super.succeedsAtOnce(method);
  }

  override async confirm(payment: Payment): Promise<PaymentState> {
    if (payment.method === this.#method) throw new Error("no answer");
    return super.confirm(payment);
  }
}

describe("orders that are placed together", () => {
  it("write the same rows with the same times as orders that are placed one by one, whatever their number", async () => {
    const oneByOne = await placeInParts([1, 1, 1, 1, 1, 1]);
    expect(oneByOne.orders.map(({ status }) => status)).toEqual(requests.map(() => "completed"));
    expect(oneByOne.orders.map(({ completed_at }) => completed_at)).toEqual(requests.map(({ at }) => at));
    expect(oneByOne.events).toHaveLength(6);
    expect(oneByOne.ledger.reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0)).toBe(0);
    expect(oneByOne.shares).toHaveLength(6);
    expect(oneByOne.payments).toHaveLength(6);
    expect(oneByOne.deliveries).toHaveLength(2);
    for (const sizes of [[6], [2, 4], [5, 1]]) {
      await empty();
      expect(await placeInParts(sizes)).toEqual(oneByOne);
    }
  });

  it.each([[[1, 1, 1, 1, 1, 1]], [[6]], [[2, 4]], [[5, 1]]])(
    "write the same rows if their payments may stay pending, so that they are placed in steps (%j)",
    async (sizes) => {
      const paidAtOnce = await placeInParts([6]);
      await empty();
      expect(await placeInParts(sizes, new MayWait(db, clock))).toEqual(paidAtOnce);
    },
  );

  it("are refused separately: a refused order does not prevent the others", async () => {
    const [{ user_id: producer }] = (await driver`select user_id from beats where id = ${beats[0] ?? 0}`) as [
      { user_id: number },
    ];
    const placed = await placeOrders(checkout, [
      request(0, { userId: producer }),
      request(1),
      request(2, { beatId: 1_000_000 }),
      request(3, { paymentMethod: "pm_card_visa_chargeDeclined" }),
      request(4, { beatId: beats[2] ?? 0 }),
      request(5, { expected: { amountCents: 1 } }),
    ]);
    expect(
      placed.map((order) =>
        order instanceof ApiError ? order.details : order instanceof Error ? order : order.status,
      ),
    ).toEqual([
      expect.stringContaining("is your own"),
      "completed",
      expect.stringContaining("does not exist"),
      "failed",
      "completed",
      expect.stringContaining("costs"),
    ]);
    expect(await driver`select count(*)::int as count from orders`).toEqual([{ count: 3 }]);
  });

  it("are settled, except an order whose payment has an unknown outcome: that order stays pending", async () => {
    const payments: CheckoutDependencies["payments"] = [new UnreachableFor(db, "pm_card_mastercard")];
    const placed = await placeOrders({ ...checkout, payments }, [
      request(0),
      request(1, { paymentMethod: "pm_card_mastercard" }),
      request(2),
    ]);
    expect(placed.map((order) => !(order instanceof Error) && order.status)).toEqual([
      "completed",
      "pending",
      "completed",
    ]);
    expect(await driver`select order_id from sandbox_payments order by order_id`).toEqual([
      { order_id: 1 },
      { order_id: 3 },
    ]);
    expect(await driver`select count(*)::int as count from events`).toEqual([{ count: 2 }]);
  });

  it("are placed, except an order whose files are lost: that order fails and is not charged", async () => {
    const [kept, lost] = ["a", "b"].map((digit) => digit.repeat(64)) as [string, string];
    const heads: string[] = [];
    const objects = {
      requirePlace: async () => {},
      head: async (sha256: string) => {
        heads.push(sha256);
        return sha256 === lost ? null : {};
      },
    };
    await driver`insert into stored_objects (sha256, bytes, touched_at)
      select unnest(${[kept, lost]}::text[]), 1, now()`;
    await attachRecording(db, beats[0] ?? 0, { master: { sha256: kept, bytes: 1 } });
    await attachRecording(db, beats[1] ?? 0, { master: { sha256: lost, bytes: 1 } });
    onTestFinished(async () => void (await driver`delete from beat_files`));
    const placed = await placeOrders({ ...checkout, objects }, [request(0), request(1), request(2)]);
    expect(placed.map((order) => !(order instanceof Error) && order.status)).toEqual([
      "completed",
      "failed",
      "completed",
    ]);
    expect(await driver`select failure_reason from orders where status = 'failed'`).toEqual([
      { failure_reason: expect.stringContaining("files of this beat are not available") },
    ]);
    expect(await driver`select count(*)::int as count from sandbox_payments`).toEqual([{ count: 2 }]);
    expect(await driver`select distinct type from events`).toEqual([{ type: "beat.purchased" }]);
    expect(new Set(heads)).toEqual(new Set([kept, lost]));
  });

  it("are placed, except an order that the database refuses", async () => {
    const placed = await placeOrders(checkout, [request(0), request(1, { requestId: "a\u0000" }), request(2)]);
    expect(placed.map((order) => (order instanceof Error ? order.message : order.status))).toEqual([
      "completed",
      expect.stringContaining("0x00"),
      "completed",
    ]);
    expect(await driver`select request_id from orders order by id`).toEqual([
      { request_id: "order 0" },
      { request_id: "order 2" },
    ]);
  });

  it("are settled, except an order that the database refuses: that order stays pending and is logged as paid", async () => {
    await driver.unsafe(`
      create function refuse_settling() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refused before insert or update on orders for each row
        when (new.request_id = 'order 1' and new.status = 'completed')
        execute function refuse_settling()`);
    onTestFinished(async () => void (await driver`drop function refuse_settling cascade`));
    const logged: { msg: string; orderId: number }[] = [];
    const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const placed = await placeOrders({ ...checkout, log }, [request(0), request(1), request(2)]);
    expect(placed.map((order) => !(order instanceof Error) && order.status)).toEqual([
      "completed",
      "pending",
      "completed",
    ]);
    expect(await driver`select count(*)::int as count from sandbox_payments`).toEqual([{ count: 3 }]);
    // The attempt to place them in one transaction has used three ids.
    expect(logged.map(({ msg, orderId }) => [orderId, msg])).toEqual([
      [5, expect.stringContaining("payment outcome known")],
    ]);
  });

  it("are not created again one by one after an error that does not come from one of the orders", async () => {
    await driver.unsafe(`
      create sequence statements;
      create function fill_disk() returns trigger language plpgsql as $$ begin
        perform nextval('statements'); raise 'no space' using errcode = 'disk_full';
      end $$;
      create trigger full_disk before insert on orders for each row execute function fill_disk()`);
    onTestFinished(async () => {
      await driver`drop function fill_disk cascade`;
      await driver`drop sequence statements`;
    });
    await expect(placeOrders(checkout, [request(0), request(1), request(2)])).rejects.toThrow("no space");
    expect(await driver`select last_value::int as count from statements`).toEqual([{ count: 1 }]);
  });
});
