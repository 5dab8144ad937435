import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type RawBuilder, sql } from "kysely";
import { tablesOf } from "./tables.ts";

/** The channel that announces due jobs (LISTEN/NOTIFY). */
export const jobsChannel = "media_jobs";

/** A worker that has not renewed its lease for this time counts as dead: another worker claims the job. */
export const leaseMs = 60_000;

export interface NewJob {
  kind: string;
  /** The object of the job, such as the id of a row. A kind has one job for a subject. */
  subject: string;
  /** The account for which the job runs; null for the service itself. Accounts take turns. */
  userId: number | null;
  /** Lower numbers run first. 0: a person waits for the result. */
  priority?: number;
  now: Date;
}

/** A job that a worker has leased. */
export interface Job {
  id: number;
  kind: string;
  subject: string;
  /** The number of attempts, including the current one. Exceeds the maximum only if the job killed its workers. */
  attempts: number;
  /** Counts the requests for the job. A request during an attempt makes the job run again. */
  revision: number;
  /** Only the holder of the lease may change the job. */
  lease: string;
}

/**
 * Queues a job. Call it in the transaction of the change that requires the job. A waiting job is not queued twice: it
 * becomes due at once, with the better of both priorities. A running job runs again afterwards, since it may have read
 * the earlier state.
 *
 * Start-time fair queuing among the jobs of one priority: the turn of a job follows the last turn of the account, and
 * is at least the lowest turn in the queue. So the first job of an account waits for at most one job of each other
 * account.
 */
export async function enqueue(db: Queryable, { kind, subject, userId, priority = 0, now }: NewJob): Promise<void> {
  await sql`
    with queued as (
      insert into media_jobs as job (kind, subject, user_id, priority, turn, run_at)
      values (${kind}, ${subject}, ${userId}, ${priority}, greatest(
        (select min(turn) from media_jobs where priority = ${priority}),
        (select max(turn) + 1 from media_jobs
         where priority = ${priority} and user_id is not distinct from ${userId}::bigint),
        0), ${now})
      on conflict (kind, subject) do update set
        revision = job.revision + 1,
        priority = least(job.priority, excluded.priority),
        run_at = least(job.run_at, excluded.run_at),
        attempts = case when job.lease is null then 0 else job.attempts end
      returning id
    )
    select pg_notify(${jobsChannel}, '') from queued`.execute(db);
}

/** Leases the next due job of these kinds, which may have an expired lease. Null if no job is due. */
export async function claimJob(
  db: Queryable,
  { kinds, lease, now }: { kinds: readonly string[]; lease: string; now: Date },
): Promise<Job | null> {
  const { rows } = await sql<Job>`
    with next as (
      select id from media_jobs
      where kind = any(${kinds}) and run_at <= ${now} and (lease is null or leased_until < now())
      order by priority, turn, id limit 1
      for update skip locked
    )
    update media_jobs job set lease = ${lease}, leased_until = ${leaseEnd}, attempts = job.attempts + 1
    from next where job.id = next.id
    returning job.id, job.kind, job.subject, job.attempts, job.revision, job.lease`.execute(db);
  return rows[0] ?? null;
}

/** Extends the lease. False if another worker has leased the job, or the job no longer exists. */
export async function renewLease(db: Queryable, { id, lease }: Job): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update media_jobs set leased_until = ${leaseEnd} where id = ${id} and lease = ${lease}`.execute(db);
  return numAffectedRows === 1n;
}

/** Deletes a finished job. If the job was requested again during the attempt, it becomes due instead. */
export async function completeJob(db: Queryable, { id, lease, revision }: Job): Promise<void> {
  await sql`
    with done as (
      delete from media_jobs where id = ${id} and lease = ${lease} and revision = ${revision} returning id
    )
    update media_jobs set lease = null, leased_until = null, attempts = 0, last_error = null
    where id = ${id} and lease = ${lease} and revision <> ${revision}`.execute(db);
}

/** Returns a job to the queue after a failed attempt, due at `retryAt`. */
export async function failJob(
  db: Queryable,
  { id, lease }: Job,
  { error, retryAt }: { error: string; retryAt: Date },
): Promise<void> {
  await tablesOf(db)
    .updateTable("media_jobs")
    .set({ lease: null, leased_until: null, last_error: error, run_at: retryAt })
    .where("id", "=", id)
    .where("lease", "=", lease)
    .execute();
}

/** Returns a job to the queue, due at `runAt`, and does not count the attempt. */
export async function releaseJob(db: Queryable, { id, lease }: Job, runAt: Date): Promise<void> {
  await sql`
    with returned as (
      update media_jobs set lease = null, leased_until = null, attempts = attempts - 1, run_at = ${runAt}
      where id = ${id} and lease = ${lease} returning id
    )
    select pg_notify(${jobsChannel}, '') from returned`.execute(db);
}

/**
 * Milliseconds until the next job of these kinds becomes due or the next lease expires. Null if the queue has no job of
 * these kinds.
 */
export async function nextDueMs(db: Queryable, kinds: readonly string[], now: Date): Promise<number | null> {
  const { rows } = await sql<{ dueInMs: number | null }>`
    select ceil(min(greatest(0, extract(epoch from
      case when lease is null then run_at - ${now}::timestamptz else leased_until - now() end))) * 1000)::float8 as "dueInMs"
    from media_jobs where kind = any(${kinds})`.execute(db);
  return rows[0]?.dueInMs ?? null;
}

/**
 * An SQL expression for the due time of the first job of these kinds without a valid lease; null without such a job.
 */
export const firstDue = (kinds: readonly string[]): RawBuilder<Date | null> => sql<Date | null>`
  (select min(run_at) from media_jobs where kind = any(${kinds}) and (lease is null or leased_until < now()))`;

/** The queue at a moment, for metrics. */
export interface QueueState {
  /** Jobs without a valid lease. */
  waiting: number;
  running: number;
  /** The longest time since a waiting job became due, in seconds; 0 if no job waits. */
  oldestSeconds: number;
}

export async function queueState(db: Queryable, now: Date): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select count(*) filter (where not is_running)::int as waiting,
           count(*) filter (where is_running)::int as running,
           coalesce(max(greatest(0, extract(epoch from ${now}::timestamptz - run_at))) filter (where not is_running), 0)::float8
             as "oldestSeconds"
    from (select run_at, lease is not null and leased_until >= now() as is_running from media_jobs) jobs`.execute(db);
  return rows[0] ?? { waiting: 0, running: 0, oldestSeconds: 0 };
}

const maxFailedJobs = 1_000;

/** Jobs that will be retried after a failed attempt, latest retry first. */
export async function failedJobs(db: Queryable): Promise<{ kind: string; subject: string; last_error: string }[]> {
  const { rows } = await sql<{ kind: string; subject: string; last_error: string }>`
    select kind, subject, last_error from media_jobs where last_error is not null
    order by run_at desc limit ${maxFailedJobs}`.execute(db);
  return rows;
}

const leaseEnd = sql`now() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;

/** Keeps the last measurement of the queue, so that a scrape of metrics runs no query. */
export class JobQueueWatch {
  state: QueueState = { waiting: 0, running: 0, oldestSeconds: 0 };

  async measure(db: Queryable, now: Date): Promise<void> {
    this.state = await queueState(db, now);
  }
}
