import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { type Health, healthAfter, isSteady } from "../health.ts";
import type { Outcome } from "../sender.ts";
import { tablesOf } from "../tables.ts";
import type { ClaimedDelivery } from "./queue.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each of the ten attempts (docs/api/events.md, Delivery and retries). */
export const retryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Each delay varies by this share, up or down, so that deliveries that failed together do not retry together. */
const jitter = 0.1;
const maxRetryAfterMs = 24 * hour;

/**
 * Milliseconds from the end of a failed attempt to the next attempt; null after the last one. `attempts` is the number
 * of attempts so far. A receiver's Retry-After (`retryAfterMs`) can extend the delay, up to 24 hours. `random` is from
 * 0 to 1.
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = retryDelaysMs[attempts];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)));
}

/** An attempt to send a delivery, with its outcome. */
export interface Attempt {
  delivery: ClaimedDelivery;
  startedAt: Date;
  endedAt: Date;
  outcome: Outcome;
  /**
   * From 0 to 1, for the jitter of the next attempt. Equal for the deliveries of a batch, so that they are retried
   * together.
   */
  random: number;
}

/** The result of recording attempts. */
export interface EndpointChanges {
  /**
   * The ids of disabled endpoints, whose pending deliveries the caller must skip. Includes endpoints that were disabled
   * while an attempt ran, because the recorded attempt may have made its delivery pending again.
   */
  disabled: number[];
  isMailDue: boolean;
  /** Attempts that were not recorded, because another transaction holds the row of their endpoint. */
  blocked: Attempt[];
}

/**
 * Records attempts in one transaction: every attempt, the new state of each delivery whose lease is still valid, and
 * the health of the endpoints. Does not wait for a locked endpoint, because all other attempts would wait too, but
 * returns the endpoint's attempts as `blocked`.
 */
export async function recordAttempts(db: Queryable, reported: readonly Attempt[]): Promise<EndpointChanges> {
  const attempts = reported.map((attempt) => ({ ...attempt, outcome: storable(attempt.outcome) }));
  return transact(db, async (transaction) => {
    const { endpoints, blockedIds } = await lockEndpoints(transaction, attempts);
    const isBlocked = ({ delivery }: Attempt) => blockedIds.has(delivery.endpointId);
    const free = attempts.filter((attempt) => !isBlocked(attempt));
    if (free.length > 0) await writeAttempts(transaction, free);
    return { ...(await updateHealth(transaction, free, endpoints)), blocked: reported.filter(isBlocked) };
  });
}

async function writeAttempts(transaction: Queryable, attempts: readonly Attempt[]): Promise<void> {
  const rows = attempts.map(attemptRow);
  await sql`
    with report as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as report (
        delivery_id bigint, lease uuid, attempted_at timestamptz, status smallint, duration_ms integer, error text,
        answer text, state text, next_attempt_at timestamptz)
    ), recorded as (
      insert into webhook_attempts (delivery_id, attempted_at, status, duration_ms, error, answer)
      select delivery_id, attempted_at, status, duration_ms, error, answer from report
    )
    update webhook_deliveries delivery set
      state = report.state, attempts = delivery.attempts + 1, next_attempt_at = report.next_attempt_at,
      lease = null, leased_until = null
    from report
    where delivery.id = report.delivery_id and delivery.lease = report.lease and delivery.state = 'sending'
  `.execute(transaction);
}

/** PostgreSQL's text type holds neither NUL nor lone surrogates. */
const storableText = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

const storable = (outcome: Outcome): Outcome => ({
  ...outcome,
  error: outcome.error === null ? null : storableText(outcome.error),
  responseBody: storableText(outcome.responseBody),
});

function attemptRow({ delivery, startedAt, endedAt, outcome, random }: Attempt) {
  const delayMs = outcome.error === null ? null : retryDelayMs(delivery.attempts + 1, outcome.retryAfterMs, random);
  const failedState = delayMs === null ? "failed" : "pending";
  return {
    delivery_id: delivery.id,
    lease: delivery.lease,
    attempted_at: startedAt,
    status: outcome.status,
    duration_ms: Math.round(outcome.durationMs),
    error: outcome.error,
    answer: outcome.responseBody,
    state: outcome.error === null ? "succeeded" : failedState,
    next_attempt_at: delayMs === null ? null : new Date(endedAt.getTime() + delayMs),
  };
}

/** One attempt for each request: the deliveries of a batch share one request. */
const requestsOf = (attempts: readonly Attempt[]): Attempt[] => [
  ...new Map(
    attempts.map((attempt) => {
      const { kind, lease, endpointId } = attempt.delivery;
      return [kind === "s3" ? `${lease} ${endpointId}` : attempt, attempt];
    }),
  ).values(),
];

type EndpointHealth = Health & { id: number };

/** Whether an attempt changes the stored health of its endpoint. Most successful attempts do not. */
const changesHealth = ({ outcome, delivery, endedAt }: Attempt): boolean =>
  outcome.error !== null || !isSteady(delivery, endedAt);

/**
 * Locks the endpoints whose health the attempts change. `blockedIds` are those that another transaction has locked
 * already. Excludes the temporary endpoints of `webhooks listen`: their health is not recorded.
 */
async function lockEndpoints(
  transaction: Queryable,
  attempts: readonly Attempt[],
): Promise<{ endpoints: EndpointHealth[]; blockedIds: ReadonlySet<number> }> {
  const ids = new Set(attempts.filter(changesHealth).map(({ delivery }) => delivery.endpointId));
  if (ids.size === 0) return { endpoints: [], blockedIds: ids };
  const { rows: endpoints } = await sql<EndpointHealth>`
    select id, state, disabled_reason as "disabledReason", disabled_at as "disabledAt", failing_since as "failingSince",
           consecutive_failures as "consecutiveFailures", last_error as "lastError",
           last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt", concurrency,
           resume_at as "resumeAt", mail_due as "mailDue", failing_mail_at as "failingMailAt"
    from webhook_endpoints
    where id = any(${[...ids]}::bigint[]) and kind <> 'listen'
    order by id for no key update skip locked`.execute(transaction);
  const missing = ids.difference(new Set(endpoints.map(({ id }) => id)));
  if (missing.size === 0) return { endpoints, blockedIds: missing };
  const existing = await tablesOf(transaction)
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("id", "in", [...missing])
    .where("kind", "<>", "listen")
    .execute();
  return { endpoints, blockedIds: new Set(existing.map(({ id }) => id)) };
}

async function updateHealth(
  transaction: Queryable,
  attempts: readonly Attempt[],
  endpoints: readonly EndpointHealth[],
): Promise<Omit<EndpointChanges, "blocked">> {
  const byEndpoint = Map.groupBy(requestsOf(attempts.filter(changesHealth)), ({ delivery }) => delivery.endpointId);
  const changes = { disabled: [] as number[], isMailDue: false };
  const changedHealth: EndpointHealth[] = [];
  for (const { id, ...before } of endpoints) {
    const after = (byEndpoint.get(id) ?? []).reduce<Health>(
      (health, { endedAt, outcome }) => healthAfter(health, { at: endedAt, ...outcome }),
      before,
    );
    if (after.state === "disabled") changes.disabled.push(id);
    if (after.mailDue !== null) changes.isMailDue = true;
    changedHealth.push({ id, ...after });
  }
  if (changedHealth.length > 0) await writeHealth(transaction, changedHealth);
  return changes;
}

/** One statement, because the endpoints stay locked and can be hundreds. */
const writeHealth = (transaction: Queryable, changedHealth: readonly EndpointHealth[]) =>
  sql`
    update webhook_endpoints endpoint set
      state = health.state, disabled_reason = health."disabledReason", disabled_at = health."disabledAt",
      failing_since = health."failingSince", consecutive_failures = health."consecutiveFailures",
      last_error = health."lastError", last_success_at = health."lastSuccessAt",
      last_failure_at = health."lastFailureAt", concurrency = health.concurrency, resume_at = health."resumeAt",
      mail_due = health."mailDue", failing_mail_at = health."failingMailAt"
    from jsonb_to_recordset(${JSON.stringify(changedHealth)}::text::jsonb) as health (
      id bigint, state text, "disabledReason" text, "disabledAt" timestamptz, "failingSince" timestamptz,
      "consecutiveFailures" integer, "lastError" text, "lastSuccessAt" timestamptz, "lastFailureAt" timestamptz,
      concurrency smallint, "resumeAt" timestamptz, "mailDue" text, "failingMailAt" timestamptz)
    where endpoint.id = health.id`.execute(transaction);
