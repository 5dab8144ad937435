import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { Advance, AdvanceRequest } from "../../resources/sandboxes/control.ts";
import type { DueJob } from "../services/scope.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import { buyersOf } from "./seed-sandbox.ts";
import { SimulatedBanks, type SimulationParts } from "./simulation/banks.ts";
import { type PlannedOrder, SimulatedBuyers } from "./simulation/buyers.ts";
import { readDay } from "./simulation/day.ts";
import { Statistics } from "./statistics.ts";

export interface AdvanceParts extends SimulationParts {
  clock: SandboxClock;
  jobs: readonly DueJob[];
  daily(day: { isLast: boolean }): Promise<void>;
  /** The real time at which the call stops, and leaves the rest to another call. */
  untilMs: number;
  realMs(): number;
  /** The number of changes by other calls. A change may make a job due. */
  countChanges(): number;
}

const dayMs = 86_400_000;
/** The real time beyond `untilMs` for the jobs that are due at the end. */
const lastMs = 5_000;
/** A job that is still due after this many runs at one moment waits for the next moment. */
const maxRuns = 5;

/** Moves a sandbox forward: sets its clock to each moment at which a job or an order is due, and does that work. */
export async function advance(parts: AdvanceParts, request: AdvanceRequest): Promise<Advance> {
  const { db, clock, jobs, daily, untilMs, realMs, countChanges } = parts;
  const toMs = clock.nowMs() + request.byMs;
  const buyerIds = await buyersOf(db);
  const interrupted = await clock.interrupted<PlannedOrder>();
  const buyers = await SimulatedBuyers.open(parts, request, buyerIds, interrupted.orders);
  const banks = new SimulatedBanks(parts, request);
  const statistics = await Statistics.open(db);
  const promptJobs = jobs.filter(({ canWait }) => canWait !== true);
  const waitingJobs = jobs.filter(({ canWait }) => canWait === true);
  const isLate = () => realMs() >= untilMs;
  // At the end of the requested time, due jobs get `lastMs` more, because no other call need follow. Jobs that are
  // still due after that run after the next change.
  const isOver = () => realMs() >= untilMs + (clock.nowMs() < toMs ? 0 : lastMs);
  // The next moment at which a job is due. Reading it takes as long as placing some orders, and most orders make no job
  // due, so it is read again only if something may have changed it (`isKnown` is false).
  let laterMs = Number.POSITIVE_INFINITY;
  let isKnown = false;
  let changes = countChanges();
  const beginDay = async (midnightMs: number): Promise<void> => {
    await daily({ isLast: midnightMs + dayMs > toMs });
    const day = await readDay(db, buyerIds, new Date(midnightMs));
    const isChanged = await banks.run(day);
    await buyers.beginDay(day, isChanged);
    isKnown = false;
    await statistics.refresh(buyers.orders);
    await clock.endBatch();
  };
  if (interrupted.isDayBeginning) await beginDay(clock.nowMs());
  for (;;) {
    if (countChanges() !== changes) isKnown = false;
    changes = countChanges();
    const isLast = clock.nowMs() >= toMs || isLate();
    if (isLast || !isKnown || clock.nowMs() >= laterMs) {
      const due = await runDue(db, isMonthBegin(clock.nowMs()) ? jobs : promptJobs, clock, isOver);
      laterMs = due.laterMs;
      isKnown = due.isDone;
      // Every other job may change which beats are on sale.
      if (due.ran.some((name) => name !== "mails" && name !== "webhooks")) await buyers.look();
    }
    // If no time is left, the clock stands still until another call has run the jobs that are still due now.
    if (isLast || isLate()) break;
    const midnightMs = (Math.floor(clock.nowMs() / dayMs) + 1) * dayMs;
    const nextMs = Math.min(toMs, laterMs, midnightMs);
    const orders = buyers.take(nextMs);
    const last = orders.at(-1);
    if (last !== undefined) await clock.beginBatch(orders);
    else if (nextMs === midnightMs) await clock.beginDay(midnightMs);
    else await clock.set(nextMs);
    if (orders.length > 0) {
      const { makeJobsDue, error } = await buyers.buy(orders);
      if (error !== null) {
        await clock.endBatch();
        throw error;
      }
      if (makeJobsDue) isKnown = false;
    } else if (clock.nowMs() === midnightMs) await beginDay(midnightMs);
  }
  if (!buyers.isBehind) await clock.endBatch();
  // These jobs are fast, so they run even if the call's time is over.
  for (const job of waitingJobs) await job.run(() => false);
  if (clock.nowMs() < toMs) await daily({ isLast: true });
  const { orders, refunds } = buyers;
  const { disputes, payouts } = banks;
  return { now: new Date(clock.nowMs()), leftMs: toMs - clock.nowMs(), orders, refunds, disputes, payouts };
}

const isMonthBegin = (nowMs: number): boolean => nowMs % dayMs === 0 && new Date(nowMs).getUTCDate() === 1;

/**
 * Runs the jobs that are due now, in their order, until no job is due, `isOver` returns true, or `maxRuns` is reached.
 * Returns the names of the jobs that ran (`ran`), the next moment at which a job is due (`laterMs`, infinite if no job
 * will be due), and whether no job is due any more (`isDone`).
 */
export async function runDue(
  db: Queryable,
  jobs: readonly DueJob[],
  clock: SandboxClock,
  isOver: () => boolean = () => false,
): Promise<{ laterMs: number; isDone: boolean; ran: string[] }> {
  const ran: string[] = [];
  for (let runs = 0; ; runs++) {
    const dues = await duesOf(db, jobs);
    const due = jobs.filter((_, index) => (dues[index] ?? Number.POSITIVE_INFINITY) <= clock.nowMs());
    if (due.length === 0 || runs === maxRuns || isOver())
      return { laterMs: Math.min(...dues.filter((ms) => ms > clock.nowMs())), isDone: due.length === 0, ran };
    for (const job of due) await job.run(isOver);
    ran.push(...due.map(({ name }) => name));
  }
}

/** The moments at which jobs are due, in one statement. */
async function duesOf(db: Queryable, jobs: readonly DueJob[]): Promise<number[]> {
  const moments: RawBuilder<unknown> = sql.join(jobs.map(({ due }) => sql`(${due})::timestamptz`));
  // Only a statement with a parameter is prepared. Without `true`, it would be planned at each call, which takes longer
  // than running it.
  const { rows } = await sql<{ dues: (Date | null)[] }>`
    select array[${moments}] as dues where ${true}::boolean`.execute(db);
  return (rows[0]?.dues ?? []).map((due) => due?.getTime() ?? Number.POSITIVE_INFINITY);
}
