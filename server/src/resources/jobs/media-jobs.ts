import { enqueue } from "@beatmarket/jobs/queue.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const maxPerSweep = 1_000;

/**
 * Queues what waits for a job and has none, whatever the cause: uploads that are being analysed, and beats that are being
 * published whose uploads are analysed. So nothing waits forever. Returns how many were found.
 */
export async function sweepLostJobs(db: Queryable, now: Date): Promise<number> {
  const { rows: exhausted } = await sql<{ kind: string; subject: string; userId: number }>`
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
  for (const job of exhausted) await enqueue(db, { ...job, now });
  return exhausted.length;
}

/** The job that makes the files for buyers of a master; its subject is the master's SHA-256. */
export const renditionsJob = "renditions";

export const priorities = { buyerWaits: -1, afterPublishing: 1 } as const;

/** Queues the job, or brings one that waits forward. `userId` is for whom: accounts take turns. */
export const enqueueRenditions = (
  db: Queryable,
  { masterSha256, ...job }: { masterSha256: string; userId: number | null; priority: number; now: Date },
): Promise<void> => enqueue(db, { kind: renditionsJob, subject: masterSha256, ...job });
