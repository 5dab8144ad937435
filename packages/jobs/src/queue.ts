import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type RawBuilder, sql } from "kysely";
import { tablesOf } from "./tables.ts";

/** Channel of the notice that a job is due. */
export const jobsChannel = "media_jobs";

/** After this time without a renewal a worker counts as dead, and another one takes its job. */
export const leaseMs = 60_000;

export interface NewJob {
  kind: string;
  /** What it is done to, such as the id of a row. A kind has one job for a subject. */
  subject: string;
  /** For whom it is done; null for the service itself. Accounts take turns. */
  userId: number | null;
  /** Lower ones first; 0 is what a person waits for. */
  priority?: number;
  now: Date;
}

/** A job that a worker holds. */
export interface Job {
  id: number;
  kind: string;
  subject: string;
  /** Attempts begun, this one included. Above the limit of attempts only when workers died with the job. */
  attempts: number;
  /** Which request for the job this is; a later one makes it run again. */
  revision: number;
  /** Only the holder of the lease may change the job. */
  lease: string;
}

/**
 * Queues a job, in the transaction of the fact that asks for it. One that waits already stays a single one, due at once and
 * of the better priority; one that runs is done again afterwards, since it may have read the state from before.
 *
 * Start-time fair queuing: a job's turn is one after the last of its account, and at least the one being served. So the
 * first file of an account is next, however many files another account has waiting.
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

/** Leases the next due job of these kinds, also one whose lease has expired. Null when none is due. */
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

/** Extends the lease. False when it has passed to another worker, or the job is gone. */
export async function renewLease(db: Queryable, { id, lease }: Job): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update media_jobs set leased_until = ${leaseEnd} where id = ${id} and lease = ${lease}`.execute(db);
  return numAffectedRows === 1n;
}

/** Removes a job that is done. One that was requested again in the meantime is due again. */
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

/** Returns a job to the queue as if this attempt had not begun, due at `runAt`. */
export async function releaseJob(db: Queryable, { id, lease }: Job, runAt: Date): Promise<void> {
  await sql`
    with returned as (
      update media_jobs set lease = null, leased_until = null, attempts = attempts - 1, run_at = ${runAt}
      where id = ${id} and lease = ${lease} returning id
    )
    select pg_notify(${jobsChannel}, '') from returned`.execute(db);
}

/**
 * Milliseconds until the queue next needs a worker for these kinds: a job becomes due or a lease expires; null for
 * never.
 */
export async function nextDueMs(db: Queryable, kinds: readonly string[], now: Date): Promise<number | null> {
  const { rows } = await sql<{ dueInMs: number | null }>`
    select ceil(min(greatest(0, extract(epoch from
      case when lease is null then run_at - ${now}::timestamptz else leased_until - now() end))) * 1000)::float8 as "dueInMs"
    from media_jobs where kind = any(${kinds})`.execute(db);
  return rows[0]?.dueInMs ?? null;
}

/** An SQL expression for the moment at which the first job of these kinds is due that no live worker holds; null for none. */
export const firstDue = (kinds: readonly string[]): RawBuilder<Date | null> => sql<Date | null>`
  (select min(run_at) from media_jobs where kind = any(${kinds}) and (lease is null or leased_until < now()))`;

/** The queue at a moment, for metrics. */
export interface QueueState {
  /** Jobs that no one works on. */
  waiting: number;
  running: number;
  /** How long the one that is due longest has been due, in seconds; 0 without any. */
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

/** Jobs whose last attempt failed and that will be tried again, the last one first. */
export async function failedJobs(db: Queryable): Promise<{ kind: string; subject: string; last_error: string }[]> {
  const { rows } = await sql<{ kind: string; subject: string; last_error: string }>`
    select kind, subject, last_error from media_jobs where last_error is not null
    order by run_at desc limit ${maxFailedJobs}`.execute(db);
  return rows;
}

const leaseEnd = sql`now() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;

/** The queue as it was measured last, so that a scrape of metrics costs nothing. */
export class JobQueueWatch {
  state: QueueState = { waiting: 0, running: 0, oldestSeconds: 0 };

  async measure(db: Queryable, now: Date): Promise<void> {
    this.state = await queueState(db, now);
  }
}
