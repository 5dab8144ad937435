import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { enqueue } from "./queries.ts";

const maxPerSweep = 1_000;

/**
 * Queues what waits for a job and has none, whatever lost it: uploads that are being analysed, and beats that are being
 * published whose uploads are analysed. So nothing waits for ever. Returns how many were found.
 */
export async function sweepLostJobs(db: Queryable, now: Date): Promise<number> {
  const { rows: lost } = await sql<{ kind: string; subject: string; userId: number }>`
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
  for (const job of lost) await enqueue(db, { ...job, now });
  return lost.length;
}
