import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { type Health, healthAfter, isSteady, type Reading } from "../monitoring/health.ts";
import { type ClaimedDelivery, type HealthRow, healthColumns, healthOf } from "./queue.ts";
import { retryDelayMs } from "./retry-schedule.ts";
import type { Outcome } from "./sender.ts";

/** One attempt and what came of it. */
export interface Attempt {
  delivery: ClaimedDelivery;
  startedAt: Date;
  endedAt: Date;
  outcome: Outcome;
}

/** What became of the endpoints: those that an attempt disabled, and whether a mail is due to anyone. */
export interface Consequences {
  disabled: number[];
  isMailDue: boolean;
}

/**
 * Writes attempts down, in one transaction: the attempts themselves, whoever made them; the state of their deliveries,
 * where the lease still holds; and the health of their endpoints. `random` is from 0 to 1.
 */
export async function recordAttempts(
  db: Queryable,
  attempts: readonly Attempt[],
  random: () => number,
): Promise<Consequences> {
  return db.transaction().execute(async (transaction) => {
    const rows = attempts.map((attempt) => attemptRow(attempt, random()));
    await sql`
      with report as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as report (
          delivery_id bigint, lease uuid, attempted_at timestamptz, status smallint, duration_ms integer, error text,
          answer text, state text, next_attempt_at timestamptz)
      ), noted as (
        insert into webhook_attempts (delivery_id, attempted_at, status, duration_ms, error, answer)
        select delivery_id, attempted_at, status, duration_ms, error, answer from report
      )
      update webhook_deliveries delivery set
        state = report.state, attempts = delivery.attempts + 1, next_attempt_at = report.next_attempt_at,
        lease = null, leased_until = null
      from report
      where delivery.id = report.delivery_id and delivery.lease = report.lease and delivery.state = 'sending'
    `.execute(transaction);
    return noteHealth(transaction, attempts);
  });
}

function attemptRow({ delivery, startedAt, endedAt, outcome }: Attempt, random: number) {
  const made = delivery.attempts + 1;
  const delayMs = outcome.error === null ? null : retryDelayMs(made, outcome.retryAfterMs, random);
  return {
    delivery_id: delivery.id,
    lease: delivery.lease,
    attempted_at: startedAt,
    status: outcome.status,
    duration_ms: Math.round(outcome.durationMs),
    error: outcome.error === null ? null : storable(outcome.error),
    answer: storable(outcome.answer),
    state: outcome.error === null ? "succeeded" : delayMs === null ? "failed" : "pending",
    next_attempt_at: delayMs === null ? null : new Date(endedAt.getTime() + delayMs),
  };
}

/** PostgreSQL's text has neither NUL nor halves of surrogate pairs. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

async function noteHealth(transaction: Queryable, attempts: readonly Attempt[]): Promise<Consequences> {
  const readings = Map.groupBy(
    attempts.filter(
      ({ outcome, delivery, endedAt }) => outcome.error !== null || !isSteady(delivery.endpoint.health, endedAt),
    ),
    ({ delivery }) => delivery.endpoint.id,
  );
  const consequences: Consequences = { disabled: [], isMailDue: false };
  if (readings.size === 0) return consequences;
  const { rows } = await sql<HealthRow & { id: number }>`
    select endpoint.id, ${healthColumns} from webhook_endpoints endpoint
    where endpoint.id = any(${[...readings.keys()]}::bigint[]) and endpoint.kind <> 'listen'
    order by endpoint.id for no key update`.execute(transaction);
  for (const row of rows) {
    const before = healthOf(row);
    const after = (readings.get(row.id) ?? []).map(readingOf).reduce(healthAfter, before);
    if (before.state === "enabled" && after.state === "disabled") consequences.disabled.push(row.id);
    if (after.mailDue !== null) consequences.isMailDue = true;
    await writeHealth(transaction, row.id, after);
  }
  return consequences;
}

const readingOf = ({ endedAt, outcome }: Attempt): Reading => ({
  at: endedAt,
  error: outcome.error === null ? null : storable(outcome.error),
  status: outcome.status,
  timedOut: outcome.timedOut,
});

const writeHealth = (transaction: Queryable, id: number, health: Health) =>
  transaction
    .updateTable("webhook_endpoints")
    .set({
      state: health.state,
      disabled_reason: health.disabledReason,
      disabled_at: health.disabledAt,
      failing_since: health.failingSince,
      consecutive_failures: health.consecutiveFailures,
      last_error: health.lastError,
      last_success_at: health.lastSuccessAt,
      last_failure_at: health.lastFailureAt,
      concurrency: health.concurrency,
      resume_at: health.resumeAt,
      mail_due: health.mailDue,
      failing_mail_at: health.failingMailAt,
    })
    .where("id", "=", id)
    .execute();
