import { enqueue } from "@beatmarket/jobs/queue.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const maxPerSweep = 1_000;

/**
 * Queues missing jobs: for uploads in analysis, and for beats in publishing whose uploads are analysed. Queues at most
 * `maxPerSweep`. Returns the number of queued jobs.
 */
export async function queueMissingJobs(db: Queryable, now: Date): Promise<number> {
  const { rows: missingJobs } = await sql<{ kind: string; subject: string; userId: number }>`
    select case uploads.kind when 'audio' then 'analyse' else uploads.kind end as kind, uploads.id as subject,
           uploads.user_id as "userId"
    from uploads
    where status = 'analysing' and not exists (
      select from media_jobs job where job.subject = uploads.id and job.kind in ('analyse', 'cover', 'stems'))
    union all
    select 'preview', beats.id::text, beats.user_id
    from beat_productions production join beats on beats.id = production.beat_id
    where stage = 'processing'
      and not exists (select from media_jobs job where job.subject = beats.id::text and job.kind = 'preview')
      and not exists (
        select from uploads
        where uploads.id in (audio_upload_id, cover_upload_id, stems_upload_id, preview_tag) and status in ('receiving', 'analysing'))
    limit ${maxPerSweep}`.execute(db);
  for (const job of missingJobs) await enqueue(db, { ...job, now });
  return missingJobs.length;
}

/** The job that renders the files for buyers from a master. Its subject is the SHA-256 of the master. */
export const renditionsJob = "renditions";

/** Lower numbers run first; other jobs have 0. */
export const priorities = { buyerWaits: -1, afterPublishing: 1 } as const;

/**
 * Queues the job. A waiting job becomes due at once, with the better of both priorities. `userId` is the account for
 * which the job runs; null for none.
 */
export const enqueueRenditions = (
  db: Queryable,
  { masterSha256, ...job }: { masterSha256: string; userId: number | null; priority: number; now: Date },
): Promise<void> => enqueue(db, { kind: renditionsJob, subject: masterSha256, ...job });
