import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { sandboxCheckout } from "../../../test/harness/sandbox-checkout.ts";
import type { DueJob } from "../services/scope.ts";
import { advance } from "./advance.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

const { query: db } = await testDatabase();
const untilMs = 10_000;
const minuteMs = 60_000;

/** Advances by a minute, in real time that only the jobs set. */
async function advanceWith(jobsOf: (real: { ms: number }, clock: FakeClock) => DueJob[]) {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const real = { ms: 0 };
  const sandboxClock = Object.assign(clock, {
    set: async (ms: number) => clock.advance(ms - clock.nowMs()),
    endBatch: async () => {},
    interruptedBatch: async () => [],
  });
  const { leftMs } = await advance(
    {
      db,
      clock: sandboxClock as unknown as SandboxClock,
      seed: "late",
      clearingDays: 7,
      checkout: sandboxCheckout(db, clock),
      jobs: jobsOf(real, clock),
      daily: async () => {},
      untilMs,
      realMs: () => real.ms,
      countChanges: () => 0,
    },
    { byMs: minuteMs, ordersPerDay: 0, outages: [], bouncedPerMille: 0, disputedPerMille: 0, failedPayoutsPerMille: 0 },
  );
  return { leftMs, passedMs: clock.nowMs() - startMs };
}

/** A job that is always due, and takes all the time that a call has. */
const slowJob = (real: { ms: number }, clock: FakeClock): DueJob => ({
  name: "slow",
  due: sql`${clock.now()}::timestamptz`,
  run: async () => {
    real.ms = untilMs;
  },
});

test("the clock does not move on before a job that is still due when the time of the call is over", async () => {
  expect(await advanceWith((real, clock) => [slowJob(real, clock)])).toEqual({ leftMs: minuteMs, passedMs: 0 });
});

test("jobs that can wait run at the end of a call whose time is over", async () => {
  let isWaiting = true;
  await advanceWith((real, clock) => [
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
  ]);
  expect(isWaiting).toBe(false);
});
