import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { sandboxCheckout } from "../../../test/harness/sandbox-checkout.ts";
import { Sandbox } from "../../resources/orders/payments/sandbox/sandbox.ts";
import type { AdvanceRequest } from "../../resources/sandboxes/control.ts";
import { createAccount } from "../../resources/users/accounts.ts";
import type { DueJob } from "../services/scope.ts";
import { advance } from "./advance.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

const database = await testDatabase();
const { query: db } = database;
const untilMs = 10_000;
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

interface Options {
  jobs?: (real: { ms: number }, clock: FakeClock) => DueJob[];
  request?: Partial<AdvanceRequest>;
  payments?: (clock: FakeClock) => Sandbox;
  countChanges?: () => number;
  state?: { isDayBeginning: boolean };
}

/** Advances a sandbox, by a minute unless `request` says otherwise. The real time stands still unless a job sets it. */
async function advanceWith({
  jobs = () => [],
  request,
  payments,
  countChanges = () => 0,
  state = { isDayBeginning: false },
}: Options) {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const real = { ms: 0 };
  const set = async (ms: number) => clock.advance(ms - clock.nowMs());
  const sandboxClock = Object.assign(clock, {
    set,
    beginDay: (ms: number) => {
      state.isDayBeginning = true;
      return set(ms);
    },
    beginBatch: (orders: { atMs: number }[]) => set(orders.at(-1)?.atMs ?? 0),
    endBatch: async () => {
      state.isDayBeginning = false;
    },
    interrupted: async () => ({ orders: [], isDayBeginning: false }),
  });
  const checkout = sandboxCheckout(db, clock);
  const { leftMs, orders } = await advance(
    {
      db,
      clock: sandboxClock as unknown as SandboxClock,
      seed: "late",
      clearingDays: 7,
      tallyOrders: async () => {},
      checkout: { ...checkout, payments: [payments?.(clock) ?? new Sandbox(db, clock)] },
      jobs: jobs(real, clock),
      daily: async () => {},
      untilMs,
      realMs: () => real.ms,
      countChanges,
    },
    {
      byMs: minuteMs,
      ordersPerDay: 0,
      outages: [],
      bouncedPerMille: 0,
      disputedPerMille: 0,
      failedPayoutsPerMille: 0,
      ...request,
    },
  );
  return { leftMs, passedMs: clock.nowMs() - startMs, orders };
}

/** A job that is always due, and takes all the time that a call has. */
const slowJob = (real: { ms: number }, clock: FakeClock): DueJob => ({
  name: "slow",
  due: sql`${clock.now()}::timestamptz`,
  run: async () => {
    real.ms = untilMs;
  },
});

test("the clock stays at the moment of a job that is still due when the time limit of the call is over", async () => {
  const { leftMs, passedMs } = await advanceWith({ jobs: (real, clock) => [slowJob(real, clock)] });
  expect({ leftMs, passedMs }).toEqual({ leftMs: minuteMs, passedMs: 0 });
});

test("jobs that can wait also run at the end of a call that stops because its time limit is over", async () => {
  let isWaiting = true;
  await advanceWith({
    jobs: (real, clock) => [
      slowJob(real, clock),
      {
        name: "mails",
        get due() {
          return isWaiting ? sql`${clock.now()}::timestamptz` : sql`null`;
        },
        canWait: true,
        run: async () => {
          isWaiting = false;
        },
      },
    ],
  });
  expect(isWaiting).toBe(false);
});

test("a job that another call's change makes due runs at its moment, even if orders make no job due", async () => {
  await insertBeats(database, [{ priceCents: 1999 }]);
  await createAccount(db, { email: "buyer-1@sandbox.invalid", name: "Buyer 1" });
  let changes = 0;
  let dueMs: number | null = null;
  const ranAtMs: number[] = [];
  const { orders } = await advanceWith({
    request: { byMs: 2 * dayMs, ordersPerDay: 3 },
    countChanges: () => changes,
    // The other call ends while the first orders are placed.
    payments: (clock) =>
      new (class extends Sandbox {
        override async requirePayable(): Promise<void> {
          if (changes++ === 0) dueMs = clock.nowMs() + minuteMs;
        }
      })(db, clock),
    jobs: (_, clock) => [
      {
        name: "change",
        get due() {
          return dueMs === null || ranAtMs.length > 0 ? sql`null` : sql`${new Date(dueMs)}::timestamptz`;
        },
        run: async () => void ranAtMs.push(clock.nowMs()),
      },
    ],
  });
  expect(orders).toBe(6);
  expect(ranAtMs).toEqual([dueMs]);
});

test("a day that has begun does not begin again after a job that fails", async () => {
  const state = { isDayBeginning: false };
  const jobs = (_: unknown, clock: FakeClock): DueJob[] => {
    const midnight = new Date((Math.floor(clock.nowMs() / dayMs) + 1) * dayMs);
    return [
      {
        name: "failing",
        due: sql`${midnight}::timestamptz`,
        run: () => Promise.reject(new Error("no answer")),
      },
    ];
  };
  await expect(advanceWith({ jobs, request: { byMs: 2 * dayMs }, state })).rejects.toThrow("no answer");
  expect(state.isDayBeginning).toBe(false);
});
