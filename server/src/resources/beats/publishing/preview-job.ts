import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { MediaTask } from "@beatmarket/audio/media-task.ts";
import { runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { type JobHandler, JobPostponed } from "@beatmarket/jobs/worker.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { publishWhenReady, rejectPublication, type StoredFile } from "./finish-publishing.ts";
import type { PublishingContext } from "./own-beats.ts";
import { findPublication, type Publication, type Source } from "./request-publishing.ts";

export interface PreviewJobParts extends PublishingContext {
  objects: Pick<StoredObjects, "open" | "store">;
  scratch: ScratchFolders;
  /** By default `runMediaTask`. */
  runTask?: typeof runMediaTask<"preview">;
}

/** If the producer changes the files this often while a preview is rendered, the job fails and is attempted again. */
const maxEdits = 5;

/**
 * Handles the job `preview`, whose subject is a beat: renders the preview, stores it, and puts the beat on sale.
 * Another attempt after a kill at any step is safe: stored files keep their names, and a published beat stays
 * unchanged.
 */
export function previewHandler(parts: PreviewJobParts): JobHandler {
  return {
    run: async ({ subject }, { signal }) => {
      for (let attempt = 0; attempt < maxEdits; attempt++)
        if ((await publish(parts, Number(subject), signal)) !== "superseded") return;
      throw new Error(`Beat ${subject} was edited ${maxEdits} times while its preview was made.`);
    },
    giveUp: async ({ subject }, reason) => {
      const beatId = Number(subject);
      const publication = await findPublication(parts.db, beatId);
      const source = sourceOf(publication);
      if (source !== null) await rejectPublication(parts, beatId, source, reason);
    },
  };
}

const sourceOf = (publication: Awaited<ReturnType<typeof findPublication>>): Source | null => {
  if (publication.state === "ready") return publication.publication.source;
  return publication.state === "rejected" ? publication.source : null;
};

async function publish(parts: PreviewJobParts, beatId: number, signal: AbortSignal): Promise<"done" | "superseded"> {
  const publication = await findPublication(parts.db, beatId);
  // The end of the last analysis queues a new job.
  if (publication.state === "idle" || publication.state === "waiting") return "done";
  if (publication.state === "rejected") {
    await rejectPublication(parts, beatId, publication.source, publication.reason);
    return "done";
  }
  const preview = await makePreview(parts, publication.publication, signal);
  signal.throwIfAborted();
  const result = await publishWhenReady(parts, publication.publication, { preview });
  if (result.outcome === "held") throw new JobPostponed(result.until);
  return result.outcome === "superseded" ? "superseded" : "done";
}

const makePreview = (
  { objects, scratch, runTask = runMediaTask<"preview"> }: PreviewJobParts,
  { audio, audioFiles, tag }: Publication,
  signal: AbortSignal,
): Promise<StoredFile> =>
  scratch.use(async (folder) => {
    const fetch = async (sha256: string, name: string): Promise<string> => {
      const file = join(folder, name);
      await pipeline(await objects.open(sha256), createWriteStream(file, { mode: 0o600 }), { signal });
      return file;
    };
    const master = audioFiles.get("original");
    if (master === undefined) throw new Error(`Upload ${audio.id} is ready and has no original.`);
    const outDir = join(folder, "made");
    await mkdir(outDir);
    const task: Extract<MediaTask, { kind: "preview" }> = {
      kind: "preview",
      input: await fetch(master.sha256, "master"),
      outDir,
      tag: typeof tag === "string" ? tag : { file: await fetch(tag.file.sha256, "tag") },
    };
    await runTask(task, { signal });
    const storedFile = await objects.store(join(outDir, "preview.mp3"));
    return { ...storedFile, content_type: "audio/mpeg" };
  });
