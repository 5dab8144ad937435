import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { EndpointKind, SealedSecrets } from "../endpoints/endpoints.ts";
import type { SteadyState } from "../health.ts";
import type { WebhookEndpointsTable } from "../tables.ts";

/**
 * A delivery that a worker has leased, with its event, its endpoint, and the endpoint's health at the time of the
 * claim.
 */
export interface ClaimedDelivery
  extends SealedSecrets,
    SteadyState,
    Pick<Selectable<WebhookEndpointsTable>, "access_key_id" | "secret_access_key"> {
  id: number;
  /** Only the holder of the lease may change the delivery (`recordAttempts`). */
  lease: string;
  /** The number of attempts since the delivery was created, or was last resent or replayed. */
  attempts: number;
  eventId: string;
  type: string;
  /** The stored payload. */
  payload: string;
  /** The version of the body that the endpoint receives (`EventRules.bodyOf`). */
  version: string;
  /** The `traceparent` of the request or job that caused the event; null while tracing was off. */
  traceContext: string | null;
  endpointId: number;
  /** The owner of the endpoint. */
  userId: number;
  kind: EndpointKind;
  url: string;
}

/**
 * A worker sends the deliveries of all endpoints except forwarding endpoints, or only the deliveries of one endpoint.
 */
export type Scope = "all" | { endpointId: number };

/** After this time without a result, another worker may send a delivery again. */
export const leaseMs = 30_000;

/** An endpoint with a request in flight for longer is slow. */
export const slowMs = 1_000;

/**
 * The limit of requests in flight to the endpoints of one account, over all workers. Above the limit, an endpoint
 * without a request in flight may still get one, so that an account's hanging endpoints do not block its other ones.
 */
const maxInFlightPerAccount = 64;

/**
 * A claim takes milliseconds and blocks other claims. After this time, PostgreSQL ends the claim of a hanging process.
 */
const claimTimeoutMs = 5_000;

/** Waits for the claims of other workers, so that the count of requests in flight includes them. */
export const lockClaims = (transaction: Queryable): Promise<unknown> =>
  sql`
    select set_config('idle_in_transaction_session_timeout', ${String(claimTimeoutMs)}, true),
           pg_advisory_xact_lock(hashtext('beatmarket:webhooks'))`.execute(transaction);

/**
 * Leases the deliveries of `leasable` in the table expression `claimed`, and selects the columns of a ClaimedDelivery.
 */
export const claimOf = (lease: string) => sql`
  claimed as (
    update webhook_deliveries delivery set
      state = 'sending', next_attempt_at = null, lease = ${lease}::uuid,
      leased_until = now() + ${leaseMs}::int * interval '1 millisecond'
    from leasable where delivery.id = leasable.id
    returning delivery.id, delivery.endpoint_id, delivery.event_id, delivery.attempts
  )
  select claimed.id, ${lease}::text as lease, claimed.attempts, claimed.event_id as "eventId", events.type,
         events.payload, events.trace_context as "traceContext", endpoint.id as "endpointId", endpoint.user_id as "userId",
         endpoint.kind, endpoint.url, endpoint.api_version as version,
         endpoint.secret, endpoint.previous_secret, endpoint.previous_secret_until,
         endpoint.access_key_id, endpoint.secret_access_key,
         endpoint.failing_since as "failingSince", endpoint.consecutive_failures as "consecutiveFailures",
         endpoint.last_success_at as "lastSuccessAt", endpoint.concurrency
  from claimed
  join events on events.id = claimed.event_id
  join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id
  order by claimed.id`;

const inScope = (scope: Scope): RawBuilder<boolean> =>
  scope === "all" ? sql`endpoint.kind <> 'listen'` : sql`endpoint.id = ${scope.endpointId}`;

/**
 * Each endpoint with pending deliveries, and the time at which the first of them is due. A loose index scan reads one
 * index entry for each endpoint, whatever the length of its queue.
 */
const queueHeads = sql`
  queue_heads (endpoint_id, due_at) as (
    (select endpoint_id, next_attempt_at from webhook_deliveries
     where state = 'pending' order by endpoint_id, next_attempt_at limit 1)
    union all
    select next.endpoint_id, next.next_attempt_at from queue_heads cross join lateral (
      select endpoint_id, next_attempt_at from webhook_deliveries
      where state = 'pending' and endpoint_id > queue_heads.endpoint_id
      order by endpoint_id, next_attempt_at limit 1
    ) next
  )`;

/** The number of deliveries that are being sent to `endpoint`, and whether one of them takes longer than `slowMs`. */
const inFlight = sql`
  cross join lateral (
    select count(*)::int as count,
           coalesce(min(leased_until) < now() + ${sql.lit(leaseMs - slowMs)} * interval '1 millisecond', false) as stalled
    from webhook_deliveries sending
    where sending.endpoint_id = endpoint.id and sending.state = 'sending'
  ) in_flight`;

/** How many deliveries `endpoint` may get in addition to the deliveries in flight. */
const freeSlots = sql`
  case when endpoint.ordered or in_flight.stalled then 1 else endpoint.concurrency end - in_flight.count`;

/**
 * The number of requests in flight by account, for `maxInFlightPerAccount`. Requests to buckets do not count.
 * Requests in flight do not limit a claim for a single endpoint, which is a forwarding one.
 */
const accountsInFlight = (scope: Scope) => sql`
  accounts as (
    select endpoint.user_id, count(*)::int as count
    from webhook_deliveries sending join webhook_endpoints endpoint on endpoint.id = sending.endpoint_id
    where sending.state = 'sending' and endpoint.kind <> 's3' and ${scope === "all"} group by endpoint.user_id
  )`;

/**
 * Leases up to `limit` due deliveries. Skips suspended accounts, and buckets, which `claimBatches` serves. Observes the
 * limits of each endpoint and of each account. Accounts with fewer requests in flight come first. Slow endpoints get
 * one delivery at a time. Slow endpoints, those that never succeeded, and failing ones whose concurrency is down to 1
 * get at most `slowLimit` of the claim, so that they cannot starve the others.
 */
export async function claimDeliveries(
  db: Queryable,
  { scope, lease, limit, slowLimit, now }: { scope: Scope; lease: string; limit: number; slowLimit: number; now: Date },
): Promise<ClaimedDelivery[]> {
  return transact(db, async (transaction) => {
    await lockClaims(transaction);
    const { rows } = await sql<ClaimedDelivery>`
      with recursive ${queueHeads},
      ready as (
        select endpoint.id, endpoint.user_id, endpoint.ordered, in_flight.count, ${freeSlots} as slots,
               in_flight.stalled or endpoint.last_success_at is null
                 or (endpoint.concurrency = 1 and endpoint.failing_since is not null) as slow
        from queue_heads
        join webhook_endpoints endpoint on endpoint.id = queue_heads.endpoint_id
        join users account on account.id = endpoint.user_id and account.suspended_at is null
        ${inFlight}
        where queue_heads.due_at <= ${now} and endpoint.state = 'enabled' and endpoint.kind <> 's3' and ${inScope(scope)}
          and (endpoint.resume_at is null or endpoint.resume_at <= ${now})
      ),
      ${accountsInFlight(scope)},
      shares as (
        select due.id, ready.slow, ready.count + due.position as place,
               coalesce(accounts.count, 0)
                 + row_number() over (partition by ready.user_id order by ready.count + due.position, due.id) as share
        from ready left join accounts on accounts.user_id = ready.user_id cross join lateral (
          select id, position from (
            select id, row_number() over (order by next_attempt_at, id) as position from webhook_deliveries
            where endpoint_id = ready.id and state = 'pending' and not ready.ordered and next_attempt_at <= ${now}
            order by next_attempt_at, id limit greatest(ready.slots, 0)
          ) due_first
          union all
          select id, 1 from (
            select id, next_attempt_at from webhook_deliveries
            where endpoint_id = ready.id and state = 'pending' and ordered and ready.slots > 0
            order by id limit 1
          ) in_order
          where ready.ordered and next_attempt_at <= ${now}
        ) due
      ),
      candidates as (
        select id, slow, row_number() over (partition by slow order by share, id) as rank from shares
        where share <= ${maxInFlightPerAccount}::int or place = 1
      ),
      leasable as (
        select delivery.id from candidates join webhook_deliveries delivery on delivery.id = candidates.id
        where candidates.rank <= case when candidates.slow then ${slowLimit}::int else ${limit}::int end
          and delivery.state = 'pending'
        order by candidates.slow, candidates.rank limit ${limit}::int
        for update of delivery skip locked
      ),
      ${claimOf(lease)}`.execute(transaction);
    return rows;
  });
}

/** The delays after which a worker must poll the queue. */
export interface NextDue {
  /** Milliseconds until the next delivery becomes due; null for never. Ignores deliveries that are already due. */
  deliveryInMs: number | null;
  /** Milliseconds until the first lease expires; 0 if one has expired or there is none. */
  leaseInMs: number;
}

export async function nextDue(db: Queryable, scope: Scope, now: Date): Promise<NextDue> {
  const { rows } = await sql<NextDue>`
    with recursive ${queueHeads}
    select
      (select ceil(min(extract(epoch from due.at - ${now}::timestamptz) * 1000))::float8
       from queue_heads join webhook_endpoints endpoint on endpoint.id = queue_heads.endpoint_id
       join users account on account.id = endpoint.user_id and account.suspended_at is null
       cross join lateral (
         select greatest(endpoint.resume_at, case when not endpoint.ordered then queue_heads.due_at else (
           select next_attempt_at from webhook_deliveries
           where endpoint_id = endpoint.id and state = 'pending' and ordered order by id limit 1) end) as at
       ) due
       where endpoint.state = 'enabled' and ${inScope(scope)} and due.at > ${now}) as "deliveryInMs",
      (select ceil(greatest(min(extract(epoch from leased_until - now()) * 1000), 0))::float8 from webhook_deliveries
       where state = 'sending') as "leaseInMs"`.execute(db);
  return rows[0] ?? { deliveryInMs: null, leaseInMs: 0 };
}

export interface DeliveryQueueState {
  /** How long the oldest delivery has been due; 0 if no delivery is due. */
  oldestDueSeconds: number;
  /**
   * The same for the deliveries that only the service delays. Their endpoint does not fail and has a free slot. Their
   * account is below its limit, which does not apply to idle endpoints and buckets. 0 if there is no such delivery.
   */
  lateSeconds: number;
  /** The number of deliveries that wait for an attempt; counted up to `maxCounted`. */
  pending: number;
  /** The number of deliveries that workers have claimed. */
  sending: number;
}

const maxCounted = 100_000;

/**
 * Excludes pending deliveries of disabled endpoints, forwarding endpoints and suspended accounts. The time in which an
 * endpoint is paused does not count as a delay.
 */
export async function deliveryQueueState(db: Queryable, now: Date): Promise<DeliveryQueueState> {
  const { rows } = await sql<DeliveryQueueState>`
    with recursive ${queueHeads},
    ${accountsInFlight("all")},
    waiting as (
      select extract(epoch from ${now}::timestamptz - greatest(queue_heads.due_at, endpoint.resume_at)) as seconds,
             endpoint.failing_since is null and ${freeSlots} > 0
               and (endpoint.kind = 's3' or in_flight.count = 0
                 or coalesce(accounts.count, 0) < ${maxInFlightPerAccount}::int) as may_be_sent
      from queue_heads join webhook_endpoints endpoint on endpoint.id = queue_heads.endpoint_id
      join users account on account.id = endpoint.user_id and account.suspended_at is null
      left join accounts on accounts.user_id = endpoint.user_id
      ${inFlight}
      where endpoint.state = 'enabled' and endpoint.kind <> 'listen'
    )
    select
      (select coalesce(greatest(max(seconds), 0), 0)::float8 from waiting) as "oldestDueSeconds",
      (select coalesce(greatest(max(seconds), 0), 0)::float8 from waiting where may_be_sent) as "lateSeconds",
      (select count(*) from (
         select from webhook_deliveries delivery
         join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
         join users account on account.id = endpoint.user_id and account.suspended_at is null
         where delivery.state = 'pending' and endpoint.state = 'enabled' and endpoint.kind <> 'listen'
         limit ${maxCounted}) counted) as pending,
      (select count(*) from webhook_deliveries where state = 'sending') as sending`.execute(db);
  return rows[0] ?? { oldestDueSeconds: 0, lateSeconds: 0, pending: 0, sending: 0 };
}

/** Queues the deliveries with an expired lease again, and returns their number. */
export async function releaseExpiredLeases(db: Queryable, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'pending', next_attempt_at = ${now}, lease = null, leased_until = null
    where id in (
      select id from webhook_deliveries where state = 'sending' and leased_until < now()
      for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
