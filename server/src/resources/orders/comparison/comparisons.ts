import { formatAmount, formatCents } from "@beatmarket/foundation/text/money.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { SettlementDependencies } from "../checkout.ts";
import { compareDay, type Difference, dayMs } from "./compare-day.ts";

/** The delay after a day's end before it is compared. Until then the provider may still add movements of that day. */
const settledAfterMs = 6 * 3_600_000;
/** The number of past days that are compared if they were missed. The sandbox keeps 30. */
const caughtUpDays = 28;
/** Days with differences are compared again, once a day, since late reports explain some. */
const repeatedDays = 7;
const repeatedAfterMs = 20 * 3_600_000;
/** The number of differences of a day that are stored and logged. */
const maxNamed = 1_000;

/** The newest day (UTC) that can be compared. */
export const newestSettledDay = (nowMs: number): Date =>
  new Date(Math.floor((nowMs - settledAfterMs) / dayMs) * dayMs - dayMs);

/**
 * Background job, hourly: one process compares each day with each provider once, and logs every difference. If a
 * provider cannot be asked, it is asked again an hour later.
 */
export async function compareDays(
  { db: pool, clock, log, payments }: Pick<SettlementDependencies, "db" | "clock" | "log" | "payments">,
  stopping?: AbortSignal,
): Promise<void> {
  await runInOneProcess(pool, "beatmarket:ledger comparison", async (db) => {
    for (const provider of payments)
      for (const day of await daysDue(db, provider.name, clock.nowMs())) {
        if (stopping?.aborted === true) return;
        const differences = await compareDay(db, provider, day);
        for (const difference of differences.slice(0, maxNamed))
          log.warn({ difference }, `the ledger and ${provider.name} differ: ${inWords(difference, provider.name)}`);
        await keep(db, provider.name, day, differences, new Date(clock.nowMs()));
      }
  });
}

/** The first run compares only the newest day, since a release without a ledger may have written the days before. */
async function daysDue(db: Queryable, provider: string, nowMs: number): Promise<Date[]> {
  const newest = newestSettledDay(nowMs);
  const compared = await db
    .selectFrom("ledger_comparisons")
    .select(["day", "differences", "compared_at"])
    .where("provider", "=", provider)
    .where("day", ">=", new Date(newest.getTime() - caughtUpDays * dayMs))
    .execute();
  const first = Math.min(newest.getTime(), ...compared.map(({ day }) => day.getTime()));
  const days: Date[] = [];
  for (let day = first; day <= newest.getTime(); day += dayMs) {
    const row = compared.find((one) => one.day.getTime() === day);
    const isRepeated =
      row !== undefined &&
      row.differences > 0 &&
      day > newest.getTime() - repeatedDays * dayMs &&
      row.compared_at.getTime() < nowMs - repeatedAfterMs;
    if (row === undefined || isRepeated) days.push(new Date(day));
  }
  return days;
}

async function keep(db: Queryable, provider: string, day: Date, differences: Difference[], now: Date): Promise<void> {
  const row = { differences: differences.length, compared_at: now };
  await db
    .insertInto("ledger_comparisons")
    .values({ provider, day, ...row })
    .onConflict((conflict) => conflict.columns(["provider", "day"]).doUpdateSet(row))
    .execute();
}

/** A difference as a sentence for the operator. */
export function inWords(difference: Difference, provider: string): string {
  const { kind, reference, order_id, ledger_cents, provider_cents, currency, at } = difference;
  const subject = `the ${kind.replace("_", " ")} ${reference ?? "without a reference"}${order_id === null ? "" : ` of order ${order_id}`} on ${at.toISOString()}`;
  const amount = (cents: number) => formatAmount(cents, currency);
  if (ledger_cents === null) return `${subject}, ${amount(provider_cents ?? 0)}, is missing in the ledger.`;
  if (provider_cents === null) return `${subject}, ${amount(ledger_cents)}, is missing at ${provider}.`;
  return `${subject} is ${amount(ledger_cents)} in the ledger and ${formatCents(provider_cents)} at ${provider}.`;
}

/** The latest results of the comparisons for /metrics. */
export class ComparisonWatch {
  #state: { provider: string; differences: number; comparedUntilSeconds: number }[] = [];

  get state() {
    return this.#state;
  }

  /** Reads the results of the last `caughtUpDays` days. */
  async measure(db: Queryable, now: Date): Promise<void> {
    const { rows } = await sql<{ provider: string; differences: number; comparedUntilSeconds: number }>`
      select provider, sum(differences)::bigint as differences,
        extract(epoch from max(day) + interval '1 day')::bigint as "comparedUntilSeconds"
      from ledger_comparisons where day >= ${new Date(now.getTime() - caughtUpDays * dayMs)}::timestamptz
      group by provider`.execute(db);
    this.#state = rows;
  }
}
