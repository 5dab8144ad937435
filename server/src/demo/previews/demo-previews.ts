import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Database, Queryable } from "../../database/connect.ts";
import { attachFiles, type MadeFiles } from "../../resources/beats/publishing/attach-files.ts";
import { queueState } from "../../resources/jobs/queries.ts";
import type { ScratchFolders } from "../../resources/jobs/scratch-folders.ts";
import { findingsOf } from "../../resources/uploads/analysis/findings.ts";
import type { LoopBeat } from "../loop/loop.ts";
import { demoSource } from "../seed.ts";
import { PreviewProcess } from "./preview-process.ts";

export interface DemoPreviewParts {
  database: Database;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  previews?: Pick<PreviewProcess, "make" | "close">;
  startDelayMs?: number;
  /** Between two looks whether media jobs are due. */
  yieldMs?: number;
}

/** The server is ready, and its first visitors are served, before this work begins. */
const defaultStartDelayMs = 30_000;
const retryMs = 60_000;
/** Each time that files are attached empties the response cache. */
const attachIntervalMs = 60_000;
const defaultYieldMs = 5_000;

/**
 * Gives the demo's beats previews and waveforms, made of their loops by the code that publishes beats: in the background, one
 * after the other, the most popular first, and only while no media job is due. Of several processes one does so. Returns a
 * function that stops it at once; the next start goes on where it stopped.
 */
export function startDemoPreviews(parts: DemoPreviewParts): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { database, log, startDelayMs = defaultStartDelayMs } = parts;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  const run = async () => {
    await pause(startDelayMs);
    while (!signal.aborted) {
      try {
        const ran = await runInOneProcess(database.query, "beatmarket:demo previews", () =>
          makePreviews(parts, signal, pause),
        );
        if (ran) return;
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, "making previews of the demo's beats failed; trying again");
      }
      await pause(retryMs);
    }
  };
  const running = run();
  return () => {
    stopping.abort();
    return running;
  };
}

async function makePreviews(
  {
    database,
    clock,
    log,
    objects,
    scratch,
    previews = new PreviewProcess(),
    yieldMs = defaultYieldMs,
  }: DemoPreviewParts,
  signal: AbortSignal,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const db = database.query;
  let made: MadeFiles[] = [];
  let attachedMs = clock.monotonicMs();
  const attachMade = async () => {
    await attachFiles(db, made);
    made = [];
    attachedMs = clock.monotonicMs();
  };
  try {
    for (const beat of await beatsWithoutPreview(db)) {
      while (!signal.aborted && (await isQueueBusy(db, clock))) await pause(yieldMs);
      if (signal.aborted) return;
      await scratch.use(async (folder) => {
        const found = findingsOf.audio({ input: "", outDir: folder }, await previews.make(beat, folder, signal));
        const preview = { name: "preview", path: join(folder, "preview.mp3"), content_type: "audio/mpeg" };
        // The loop itself is rendered again when somebody needs it: 500 of them are 800 MB.
        const kept = [preview, ...found.files.filter(({ name }) => name !== "original")];
        const files = [];
        for (const { path, ...file } of kept) files.push({ ...file, ...(await objects.store(path)) });
        made.push({ beatId: beat.id, files, analysis: found.analysis });
      });
      if (clock.monotonicMs() - attachedMs >= attachIntervalMs) await attachMade();
    }
    if (made.length > 0) log.info("The demo's beats have their previews.");
  } finally {
    previews.close();
    if (made.length > 0) await attachMade();
  }
}

const isQueueBusy = async (db: Queryable, clock: Clock): Promise<boolean> => {
  const { running, oldestSeconds } = await queueState(db, new Date(clock.nowMs()));
  return running > 0 || oldestSeconds > 0;
};

const beatsWithoutPreview = (db: Queryable): Promise<LoopBeat[]> =>
  db
    .selectFrom("beats")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
    .where("beats.source", "=", demoSource)
    .where("is_listed", "=", true)
    .where("audio_url", "is", null)
    .where(sql<boolean>`not exists (select from beat_productions production where production.beat_id = beats.id)`)
    .orderBy("play_count", "desc")
    .orderBy("beats.id")
    .execute();
