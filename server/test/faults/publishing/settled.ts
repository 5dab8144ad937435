import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Verification } from "@beatmarket/storage/verify-objects.ts";
import { sweepUploads } from "../../../src/resources/uploads/queries.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { SentFile } from "./uploader.ts";

const settleWithinMs = 180_000;

/** Waits until every upload is analysed and every beat processed. Returns the unfinished uploads and beats. */
export async function settle(db: TestDatabase): Promise<string[]> {
  const deadlineMs = performance.now() + settleWithinMs;
  // Ends the leases of killed workers, and the delays before another attempt.
  await db.driver`update media_jobs set run_at = now(), leased_until = null, lease = null`;
  for (;;) {
    const open = await db.driver<{ subject: string }[]>`
      select id as subject from uploads where status = 'analysing'
      union all select 'beat ' || beat_id from beat_productions where stage = 'processing'
      union all select 'job ' || kind || ' ' || subject from media_jobs`;
    if (open.length === 0 || performance.now() > deadlineMs) return open.map(({ subject }) => subject);
    await db.driver`update media_jobs set run_at = now() where run_at > now() and lease is null`;
    await sleep(500);
  }
}

/** Checks that ready uploads have the bytes that were sent, and that no good file was rejected permanently. */
export async function checkUploads(
  db: TestDatabase,
  sentFiles: ReadonlyMap<string, SentFile>,
  report: Report,
): Promise<void> {
  const uploads = await db.driver<
    {
      id: string;
      status: string;
      rejection: string | null;
      isRetriable: boolean;
      received: number;
      sha256: string | null;
    }[]
  >`select id, status, rejection, is_retriable as "isRetriable", received::float8 as received, sha256 from uploads
    left join upload_files on upload_id = id and name = 'original'`;
  const uploadsWith = (status: string) => uploads.filter((upload) => upload.status === status);
  const isText = (id: string) => sentFiles.get(id)?.bytes.subarray(0, 4).toString() === "This";
  const wrongFiles = uploadsWith("ready").filter(({ id, sha256 }) => {
    const file = sentFiles.get(id);
    return isText(id) || (file !== undefined && createHash("sha256").update(file.bytes).digest("hex") !== sha256);
  });
  const wronglyRejected = uploadsWith("rejected").filter(({ id, isRetriable }) => !isRetriable && !isText(id));
  report.check(
    "ready uploads whose bytes differ from the sent file",
    wrongFiles.length === 0,
    `${wrongFiles.length} of ${uploadsWith("ready").length}`,
  );
  report.check(
    "good files rejected permanently",
    wronglyRejected.length === 0,
    JSON.stringify(wronglyRejected.slice(0, 3)),
  );
  const retriable = uploadsWith("rejected").filter((upload) => upload.isRetriable).length;
  report.measure("uploads rejected because of their file", uploadsWith("rejected").length - retriable);
  report.measure("uploads whose client gave up", uploadsWith("receiving").length);
}

/**
 * Checks that each beat on sale has its files, and that each beat that was ever on sale has exactly one beat.created.
 */
export async function checkBeats(db: TestDatabase, report: Report): Promise<void> {
  const beats = await db.driver<
    { id: number; isListed: boolean; wasPublished: boolean; files: string[]; created: number }[]
  >`
    select beats.id::int as id, is_listed as "isListed", published_at is not null as "wasPublished",
      array(select name from beat_files where beat_id = beats.id order by name) as files,
      (select count(*)::int from events where type = 'beat.created' and payload::jsonb #>> '{data,id}' = beats.id::text) as created
    from beats join beat_productions on beat_id = beats.id`;
  const listedBeats = beats.filter(({ isListed }) => isListed);
  const incomplete = listedBeats.filter(
    ({ files }) => !["master", "preview", "waveform", "waveform-detail"].every((name) => files.includes(name)),
  );
  const wronglyAnnounced = beats.filter(({ wasPublished, created }) => created !== (wasPublished ? 1 : 0));
  report.check("beats on sale", listedBeats.length > 0, `${listedBeats.length} of ${beats.length}`);
  report.check("beats on sale without their files", incomplete.length === 0, JSON.stringify(incomplete.slice(0, 3)));
  report.check(
    "beats without exactly one beat.created",
    wronglyAnnounced.length === 0,
    JSON.stringify(wronglyAnnounced.slice(0, 3)),
  );
}

/** Checks that rows and objects agree after the sweepers' periods, and that the data folders contain no other files. */
export async function checkFiles(
  { db, objects, dataDirs }: { db: TestDatabase; objects: StoredObjects; dataDirs: readonly string[] },
  verify: () => Promise<Verification>,
  report: Report,
): Promise<void> {
  const before = await verify();
  report.check("objects that are missing, damaged or unknown", before.findings.length === 0, summary(before));
  await db.driver`update stored_objects set touched_at = touched_at - interval '2 hours'`;
  const swept = await objects.sweep(new AbortController().signal);
  const after = await verify();
  report.check(
    "objects that are missing, damaged or unknown after unused ones are deleted",
    after.findings.length === 0,
    `${swept} deleted; ${summary(after)}`,
  );
  const [rows] = await db.driver<{ unsettled: number; deletions: number }[]>`
    select count(*) filter (where state <> 'stored')::int as unsettled, (select count(*)::int from object_deletions) as deletions
    from stored_objects`;
  report.check(
    "rows of objects that are being stored or deleted",
    rows?.unsettled === 0 && rows.deletions === 0,
    `${rows?.unsettled}, ${rows?.deletions}`,
  );
  const later = new Date(Date.now() + 3 * 3_600_000);
  const extraFiles: string[] = [];
  for (const dataDir of dataDirs) {
    await sweepUploads(db.query, new PartDrafts(dataDir), later);
    await new ScratchFolders(join(dataDir, "scratch")).sweep(later);
    for (const folder of ["uploads", "scratch"])
      extraFiles.push(...(await readdir(join(dataDir, folder)).catch(() => [])).map((name) => `${folder}/${name}`));
  }
  report.check(
    "files that are left in the data folders",
    extraFiles.length === 0,
    extraFiles.slice(0, 3).join(", ") || "none",
  );
}

const summary = ({ objects, findings }: Verification): string =>
  `${findings.length} of ${objects}${findings.length > 0 ? `: ${JSON.stringify(findings.slice(0, 3))}` : ""}`;
