import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { sandboxCheckout } from "../../../../test/harness/sandbox-checkout.ts";
import { Sandbox } from "../../../resources/orders/payments/sandbox/sandbox.ts";
import { findOrCreateAccount } from "../../../resources/users/accounts.ts";
import type { SimulationParts } from "./banks.ts";
import { type PlannedOrder, SimulatedBuyers } from "./buyers.ts";

const dayMs = 86_400_000;

const database = await testDatabase();
const { query: db, driver } = database;
const ids = await Promise.all(
  ["ada", "bob"].map(async (name) => (await findOrCreateAccount(db, { email: `${name}@example.com` })).id),
);
await insertBeats(database, [{ priceCents: 1999 }]);

afterEach(async () => {
  await driver`truncate orders, events cascade`;
  await driver`update beats set exclusive_state = 'available', exclusive_order_id = null, is_listed = true`;
});

const clock = new FakeClock();
const partsWith = (checkout: Pick<SimulationParts["checkout"], "log" | "payments">): SimulationParts => ({
  db,
  clock,
  seed: "refused",
  clearingDays: 7,
  tallyOrders: async () => {},
  checkout: { ...sandboxCheckout(db, clock), ...checkout },
});
const request = {
  byMs: dayMs,
  ordersPerDay: 40,
  outages: [],
  bouncedPerMille: 0,
  disputedPerMille: 0,
  failedPayoutsPerMille: 0,
};

class Unreachable extends Sandbox {
  override succeedsAtOnce(): boolean {
    return false;
  }

  override confirm(): Promise<never> {
    return Promise.reject(new Error("no answer"));
  }
}

test("an order that is placed and not paid is an error of `buy`, and does not count", async () => {
  const payments = [new Unreachable(db, clock)] as const;
  const buyers = await SimulatedBuyers.open(partsWith({ log: pino({ level: "silent" }), payments }), request, ids);
  const { error } = await buyers.buy(buyers.take(clock.nowMs() + dayMs));
  expect(error?.message).toMatch(/^Order \d+ was placed/);
  expect(buyers.orders).toBe(0);
});

test("the missing orders of an interrupted batch are taken, even if the next call requests no orders", async () => {
  const parts = partsWith({ log: pino({ level: "silent" }), payments: [new Sandbox(db, clock)] });
  const interrupted = await SimulatedBuyers.open(parts, request, ids);
  const batch = interrupted.take(clock.nowMs() + dayMs);
  expect(batch.length).toBeGreaterThan(1);
  const placed = batch.slice(0, batch.length >> 1);
  await interrupted.buy(placed);
  clock.advance((batch.at(-1)?.atMs ?? 0) - clock.nowMs());
  const resumed = await SimulatedBuyers.open(parts, { ...request, ordersPerDay: 0 }, ids, batch);
  expect(resumed.isBehind).toBe(true);
  expect(resumed.take(clock.nowMs())).toEqual(batch.slice(placed.length));
  expect(resumed.isBehind).toBe(false);
  clock.advance(dayMs - (clock.nowMs() % dayMs));
});

test.each(["exclusive", "basic"] as const)(
  "a pending order (%s) of an interrupted batch is completed at its moment",
  async (licenseType) => {
    const log = pino({ level: "silent" });
    // The state that a killed process leaves if it does not know the outcome of a payment yet.
    const unreachable = partsWith({ log, payments: [new Unreachable(db, clock)] });
    const killed = await SimulatedBuyers.open(unreachable, request, ids);
    const batch: PlannedOrder[] = [{ atMs: clock.nowMs() + 1, buyer: 0, beat: 0, licenseType, bounces: false }];
    clock.advance(1);
    await killed.buy(batch);
    const parts = partsWith({ log, payments: [new Sandbox(db, clock)] });
    const resumed = await SimulatedBuyers.open(parts, { ...request, ordersPerDay: 0 }, ids, batch);
    expect(resumed.isBehind).toBe(true);
    expect(await driver`select status from orders`).toEqual([{ status: "pending" }]);
    expect(await resumed.buy(resumed.take(clock.nowMs()))).toEqual({ makeJobsDue: true, error: null });
    expect([resumed.isBehind, resumed.orders]).toEqual([false, 1]);
    expect(await driver`select status, completed_at, license_type from orders`).toEqual([
      { status: "completed", completed_at: clock.now(), license_type: licenseType },
    ]);
    expect(await driver`select exclusive_state from beats`).toEqual([
      { exclusive_state: licenseType === "exclusive" ? "sold" : "available" },
    ]);
    expect(await driver`select type from events where type = 'beat.purchased'`).toHaveLength(1);
  },
);

test("an order that the database refuses is logged and is an error of `buy`; the others of its batch are placed", async () => {
  const logged: { msg: string; request: { userId: number } }[] = [];
  const parts = partsWith({
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    payments: [new Sandbox(db, clock)],
  });
  await driver.unsafe(`
    create function refuse_order() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refused before insert on orders for each row when (new.user_id = ${ids[1]}) execute function refuse_order()`);
  const buyers = await SimulatedBuyers.open(parts, request, ids);
  const planned = buyers.take(clock.nowMs() + dayMs);
  const [placed, refused] = [0, 1].map((buyer) => planned.filter((order) => order.buyer === buyer).length);
  expect(placed).toBeGreaterThan(1);
  expect(refused).toBeGreaterThan(1);
  expect((await buyers.buy(planned)).error?.message).toBe("refused");
  expect(buyers.orders).toBe(placed);
  expect(await driver`select count(*)::int as count from orders where user_id = ${ids[0] ?? 0}`).toEqual([
    { count: placed },
  ]);
  expect(logged.map(({ msg, request }) => [msg, request.userId])).toEqual(
    Array.from({ length: refused ?? 0 }, () => ["a simulated order was not completed", ids[1]]),
  );
});
