import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { type ClaimedDelivery, claimOf, lockClaims } from "./queue.ts";

/** The deliveries to one bucket that are written as one object. */
export type Batch = readonly [ClaimedDelivery, ...ClaimedDelivery[]];

/** An event has a few kB, so an object has a few MB before compression. */
const maxBatchSize = 1_000;

/** The limit of batches in flight for the slow buckets of one account, and for its other buckets, over all workers. */
const maxBatchesPerAccount = 4;

/**
 * Leases the due deliveries of up to `limit` buckets, and skips suspended accounts. Leases at most `maxBatchSize`
 * deliveries for each bucket, those that were due first. A bucket has one batch in flight. Accounts with fewer batches
 * in flight come first. A bucket is slow if its last attempt failed or none succeeded. Slow buckets get at most
 * `slowLimit` of the claim, so that they cannot starve the others.
 */
export async function claimBatches(
  db: Queryable,
  { lease, limit, slowLimit, now }: { lease: string; limit: number; slowLimit: number; now: Date },
): Promise<Batch[]> {
  if (!(await isAnyDue(db, now))) return [];
  const rows = await transact(db, async (transaction) => {
    await lockClaims(transaction);
    const { rows } = await sql<ClaimedDelivery>`
      with buckets as (
        select endpoint.*, last_success_at is null or failing_since is not null as slow, exists (
          select from webhook_deliveries where endpoint_id = endpoint.id and state = 'sending') as in_flight
        from webhook_endpoints endpoint where endpoint.kind = 's3'
      ),
      ready as (
        select bucket.id, bucket.slow, head.due_at,
               (select count(*) from buckets other
                where other.user_id = bucket.user_id and other.slow = bucket.slow and other.in_flight)
                 + row_number() over (partition by bucket.user_id, bucket.slow order by head.due_at, bucket.id) as share
        from buckets bucket
        join users account on account.id = bucket.user_id and account.suspended_at is null
        cross join lateral (
          select next_attempt_at as due_at from webhook_deliveries
          where endpoint_id = bucket.id and state = 'pending' order by next_attempt_at limit 1
        ) head
        where head.due_at <= ${now} and bucket.state = 'enabled' and not bucket.in_flight
          and (bucket.resume_at is null or bucket.resume_at <= ${now})
      ),
      candidates as (
        select id, slow, row_number() over (partition by slow order by share, due_at, id) as rank from ready
        where share <= ${maxBatchesPerAccount}::int
      ),
      chosen as (
        select id from candidates
        where rank <= case when slow then ${slowLimit}::int else ${limit}::int end
        order by slow, rank limit ${limit}::int
      ),
      leasable as (
        select due.id from chosen cross join lateral (
          select id from webhook_deliveries
          where endpoint_id = chosen.id and state = 'pending' and next_attempt_at <= ${now}
          order by next_attempt_at, id limit ${maxBatchSize}::int
          for update skip locked
        ) due
      ),
      ${claimOf(lease)}`.execute(transaction);
    return rows;
  });
  const byBucket = Map.groupBy(rows, ({ endpointId }) => endpointId);
  return Array.from(byBucket.values()).flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest]]));
}

/** Whether a bucket has a due delivery. Cheaper than a claim at each poll, since most services have no buckets. */
async function isAnyDue(db: Queryable, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_endpoints endpoint where kind = 's3' and state = 'enabled' and exists (
      select from webhook_deliveries
      where endpoint_id = endpoint.id and state = 'pending' and next_attempt_at <= ${now})
    limit 1`.execute(db);
  return rows.length > 0;
}
