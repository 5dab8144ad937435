import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { EndpointKind } from "../endpoints/endpoint.ts";
import type { Health } from "../monitoring/health.ts";

/** A delivery that a worker holds the lease of, with all it takes to send it. */
export interface ClaimedDelivery {
  id: number;
  /** What was found under this lease counts; see `recordAttempts`. */
  lease: string;
  /** Made before this one, since it was put into the queue. */
  attempts: number;
  eventId: string;
  type: string;
  payload: string;
  endpoint: ClaimedEndpoint;
}

export interface ClaimedEndpoint {
  id: number;
  kind: EndpointKind;
  url: string;
  /** Sealed. */
  secret: string;
  previous_secret: string | null;
  previous_secret_until: Date | null;
  health: Health;
}

/** Whose deliveries a worker sends: those of all endpoints but the listening ones, or of one listening endpoint. */
export type Scope = "all" | { endpointId: number };

/** A worker that does not report within this time is taken for dead, and another sends its deliveries again. */
export const leaseMs = 30_000;

/** A request that is out for longer makes its endpoint a slow one. */
export const slowMs = 1_000;

/** A claim takes milliseconds; a process that stops in the middle of one must not keep the others waiting. */
const claimTimeoutMs = 5_000;

const inScope = (scope: Scope): RawBuilder<boolean> =>
  scope === "all" ? sql`endpoint.kind <> 'listen'` : sql`endpoint.id = ${scope.endpointId}`;

/**
 * Every endpoint that has pending deliveries, and when the first of them is due: one step through the index for each
 * endpoint, however many deliveries wait.
 */
const heads = sql`
  heads (endpoint_id, due_at) as (
    (select endpoint_id, next_attempt_at from webhook_deliveries
     where state = 'pending' order by endpoint_id, next_attempt_at limit 1)
    union all
    select next.endpoint_id, next.next_attempt_at from heads cross join lateral (
      select endpoint_id, next_attempt_at from webhook_deliveries
      where state = 'pending' and endpoint_id > heads.endpoint_id
      order by endpoint_id, next_attempt_at limit 1
    ) next
  )`;

/**
 * Takes up to `room` deliveries that are due, under a new lease: from each endpoint no more than it may have in flight,
 * those with the fewest in flight first. Endpoints that keep us waiting, now or the last time, get one at a time, and
 * together no more than `slowRoom`, so that they leave room for the others however many they are.
 */
export async function claimDeliveries(
  db: Queryable,
  { scope, lease, room, slowRoom, now }: { scope: Scope; lease: string; room: number; slowRoom: number; now: Date },
): Promise<ClaimedDelivery[]> {
  return db.transaction().execute(async (transaction) => {
    // One claim at a time: what is in flight is then known for sure. The statement after it sees all earlier claims.
    await sql`
      select set_config('idle_in_transaction_session_timeout', ${String(claimTimeoutMs)}, true),
             pg_advisory_xact_lock(hashtext('beatmarket:webhooks'))`.execute(transaction);
    const { rows } = await sql<ClaimedRow>`
      with recursive ${heads},
      ready as (
        select endpoint.id, endpoint.ordered, in_flight.count,
               case when endpoint.ordered or in_flight.stalled then 1 else endpoint.concurrency end
                 - in_flight.count as free,
               in_flight.stalled or (endpoint.concurrency = 1 and endpoint.failing_since is not null) as slow
        from heads
        join webhook_endpoints endpoint on endpoint.id = heads.endpoint_id
        cross join lateral (
          select count(*)::int as count,
                 coalesce(min(leased_until) < now() + ${leaseMs - slowMs}::int * interval '1 millisecond', false) as stalled
          from webhook_deliveries sending
          where sending.endpoint_id = endpoint.id and sending.state = 'sending'
        ) in_flight
        where heads.due_at <= ${now} and endpoint.state = 'enabled' and ${inScope(scope)}
          and (endpoint.resume_at is null or endpoint.resume_at <= ${now})
      ),
      candidates as (
        select due.id, ready.slow,
               row_number() over (partition by ready.slow order by ready.count + due.place, due.id) as rank
        from ready cross join lateral (
          select id, place from (
            select id, row_number() over (order by next_attempt_at, id) as place from webhook_deliveries
            where endpoint_id = ready.id and state = 'pending' and not ready.ordered and next_attempt_at <= ${now}
            order by next_attempt_at, id limit greatest(ready.free, 0)
          ) soonest
          union all
          select id, 1 from (
            select id, next_attempt_at from webhook_deliveries
            where endpoint_id = ready.id and state = 'pending' and ordered and ready.free > 0
            order by id limit 1
          ) oldest
          where ready.ordered and next_attempt_at <= ${now}
        ) due
      ),
      free as (
        select delivery.id from candidates join webhook_deliveries delivery on delivery.id = candidates.id
        where candidates.rank <= case when candidates.slow then ${slowRoom}::int else ${room}::int end
          and delivery.state = 'pending'
        order by candidates.slow, candidates.rank limit ${room}::int
        for update of delivery skip locked
      ),
      claimed as (
        update webhook_deliveries delivery set
          state = 'sending', next_attempt_at = null, lease = ${lease}::uuid,
          leased_until = now() + ${leaseMs}::int * interval '1 millisecond'
        from free where delivery.id = free.id
        returning delivery.id, delivery.endpoint_id, delivery.event_id, delivery.attempts
      )
      select claimed.id, claimed.attempts, claimed.event_id, events.type, events.payload,
             endpoint.id as endpoint_id, endpoint.kind, endpoint.url, endpoint.secret, endpoint.previous_secret,
             endpoint.previous_secret_until, ${healthColumns}
      from claimed
      join events on events.id = claimed.event_id
      join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id
      order by claimed.id`.execute(transaction);
    return rows.map((row) => claimedDelivery(row, lease));
  });
}

/** When something is to be done next, in milliseconds from now; null for nothing. */
export interface NextDue {
  /** Until the next delivery is due, but for those that are already. */
  deliveryInMs: number | null;
  /** Until the first lease ends. */
  leaseInMs: number | null;
}

export async function nextDue(db: Queryable, scope: Scope, now: Date): Promise<NextDue> {
  const { rows } = await sql<NextDue>`
    with recursive ${heads}
    select
      (select ceil(min(extract(epoch from due.at - ${now}::timestamptz) * 1000))::float8
       from heads join webhook_endpoints endpoint on endpoint.id = heads.endpoint_id
       cross join lateral (
         select greatest(endpoint.resume_at, case when not endpoint.ordered then heads.due_at else (
           select next_attempt_at from webhook_deliveries
           where endpoint_id = endpoint.id and state = 'pending' and ordered order by id limit 1) end) as at
       ) due
       where endpoint.state = 'enabled' and ${inScope(scope)} and due.at > ${now}) as "deliveryInMs",
      (select ceil(greatest(min(extract(epoch from leased_until - now()) * 1000), 0))::float8 from webhook_deliveries
       where state = 'sending') as "leaseInMs"`.execute(db);
  return rows[0] ?? { deliveryInMs: null, leaseInMs: null };
}

/** Puts what a dead worker was sending back into the queue. Answers how many. */
export async function releaseExpiredLeases(db: Queryable, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'pending', next_attempt_at = ${now}, lease = null, leased_until = null
    where id in (
      select id from webhook_deliveries where state = 'sending' and leased_until < now()
      for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The columns of `endpoint` that `healthOf` reads. */
export const healthColumns = sql`
  endpoint.state, endpoint.disabled_reason, endpoint.disabled_at, endpoint.failing_since,
  endpoint.consecutive_failures, endpoint.last_error, endpoint.last_success_at, endpoint.last_failure_at,
  endpoint.concurrency, endpoint.resume_at, endpoint.mail_due, endpoint.failing_mail_at`;

export interface HealthRow {
  state: Health["state"];
  disabled_reason: string | null;
  disabled_at: Date | null;
  failing_since: Date | null;
  consecutive_failures: number;
  last_error: string | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  concurrency: number;
  resume_at: Date | null;
  mail_due: Health["mailDue"];
  failing_mail_at: Date | null;
}

export const healthOf = (row: HealthRow): Health => ({
  state: row.state,
  disabledReason: row.disabled_reason,
  disabledAt: row.disabled_at,
  failingSince: row.failing_since,
  consecutiveFailures: row.consecutive_failures,
  lastError: row.last_error,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  concurrency: row.concurrency,
  resumeAt: row.resume_at,
  mailDue: row.mail_due,
  failingMailAt: row.failing_mail_at,
});

interface ClaimedRow extends HealthRow {
  id: number;
  attempts: number;
  event_id: string;
  type: string;
  payload: string;
  endpoint_id: number;
  kind: EndpointKind;
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: Date | null;
}

const claimedDelivery = (row: ClaimedRow, lease: string): ClaimedDelivery => ({
  id: row.id,
  lease,
  attempts: row.attempts,
  eventId: row.event_id,
  type: row.type,
  payload: row.payload,
  endpoint: {
    id: row.endpoint_id,
    kind: row.kind,
    url: row.url,
    secret: row.secret,
    previous_secret: row.previous_secret,
    previous_secret_until: row.previous_secret_until,
    health: healthOf(row),
  },
});
