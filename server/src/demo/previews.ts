import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import type { LoopBeat } from "@beatmarket/audio/synthesizer/loop.ts";
import type { LoopRenderer } from "@beatmarket/audio/synthesizer/loop-renderer.ts";
import type { EncodedBytes } from "@beatmarket/http/negotiation/representation.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import type { Queryable } from "../database/connect.ts";
import type { StandIn } from "../media/stand-in.ts";
import { attachFiles, lacksRecording, type RenderedFiles } from "../resources/beats/publishing/attach-files.ts";
import type { MasterSource } from "../resources/orders/fulfilment/fulfilments.ts";
import { findingsOf } from "../resources/uploads/analysis/findings.ts";
import { demoSource } from "./seed.ts";

export interface DemoPreviewParts {
  db: Queryable;
  loops: Pick<LoopRenderer, "find">;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  runTask?: typeof runMediaTask;
}

/** The limit of waiting beats. Another beat gets its files after a later request. */
const maxRequested = 48;

/**
 * The previews of the demo's beats. At first, the preview of a beat is its loop. After a request for the loop or its
 * waveform, the code that publishes beats makes a preview, waveforms and an analysis: once for all processes.
 */
export class DemoPreviews implements StandIn {
  readonly #parts: DemoPreviewParts;
  readonly #requested = new Set<number>();

  constructor(parts: DemoPreviewParts) {
    this.#parts = parts;
  }

  async find(beat: LoopBeat, admit: () => void): Promise<EncodedBytes> {
    const loop = await this.#parts.loops.find(beat, admit);
    if (this.#requested.size < maxRequested) this.#requested.add(beat.id);
    return loop;
  }

  /**
   * Makes the files of the requested beats, and stores them in one transaction, since each transaction clears the
   * response cache. Runs in one process at a time.
   */
  async make(stopping: AbortSignal): Promise<void> {
    if (this.#requested.size === 0) return;
    await runInOneProcess(this.#parts.db, "beatmarket:demo previews", async (db) => {
      const previews: RenderedFiles[] = [];
      try {
        for (const id of [...this.#requested]) {
          if (stopping.aborted) return;
          this.#requested.delete(id);
          const beat = await beatWithoutPreview(db, id);
          if (beat !== undefined) previews.push(await this.#makeFiles(beat, stopping));
        }
      } catch (error) {
        if (!stopping.aborted) throw error;
      } finally {
        if (previews.length > 0) await attachFiles(db, previews);
      }
    });
  }

  #makeFiles(beat: LoopBeat, signal: AbortSignal): Promise<RenderedFiles> {
    const { loops, objects, scratch, runTask = runMediaTask } = this.#parts;
    return scratch.use(async (outDir) => {
      const input = join(outDir, "loop.wav");
      await writeFile(input, (await loops.find(beat)).body);
      const analysis = await runTask({ kind: "analyse", input, outDir, genre: beat.genreName }, { signal });
      await runTask({ kind: "preview", input, outDir, tag: "default" }, { signal });
      const preview = { name: "preview", path: join(outDir, "preview.mp3"), content_type: "audio/mpeg" };
      const findings = findingsOf.audio({ input, outDir }, analysis);
      const files = [];
      // The loop is not stored, but rendered again when it is needed, because 500 loops take 800 MB.
      for (const { path, ...file } of [preview, ...findings.files.filter(({ name }) => name !== "original")])
        files.push({ ...file, ...(await objects.store(path)) });
      return { beatId: beat.id, files, analysis: findings.analysis };
    });
  }
}

const beatWithoutPreview = (db: Queryable, id: number): Promise<LoopBeat | undefined> =>
  db
    .selectFrom("beats")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
    .where("beats.id", "=", id)
    .where("beats.source", "=", demoSource)
    .where(lacksRecording)
    .executeTakeFirst();

export interface DemoMasterParts {
  db: Queryable;
  loops: Pick<LoopRenderer, "find">;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
}

/**
 * The recordings of the demo's beats: their loops, which are the same each time. A recording is stored when a buyer
 * orders it.
 */
export class DemoMasters implements MasterSource {
  readonly #parts: DemoMasterParts;

  constructor(parts: DemoMasterParts) {
    this.#parts = parts;
  }

  async make(beatId: number): Promise<(StoredFile & { contentType: string }) | null> {
    const { db, loops, objects, scratch } = this.#parts;
    const beat = await db
      .selectFrom("beats")
      .innerJoin("genres", "genres.id", "beats.genre_id")
      .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
      .where("beats.id", "=", beatId)
      .where("beats.source", "=", demoSource)
      .where(sql<boolean>`not exists (select from beat_files where beat_id = beats.id and name = 'master')`)
      .executeTakeFirst();
    if (beat === undefined) return null;
    const { body } = await loops.find(beat);
    return scratch.use(async (folder) => {
      const file = join(folder, "loop.wav");
      await writeFile(file, body);
      return { ...(await objects.store(file)), contentType: "audio/wav" };
    });
  }
}
