import type { MediaResults, MediaTask, MediaTaskKind } from "@beatmarket/audio/media-task.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { UploadFile } from "../queries.ts";
import type { Analysis, UploadKind } from "../upload.ts";
import { type Findings, findingsOf } from "./findings.ts";

/** Performs a media task, like `runMediaTask`. */
export type RunMediaTask = <Kind extends MediaTaskKind>(
  task: Extract<MediaTask, { kind: Kind }>,
  options: { signal: AbortSignal },
) => Promise<MediaResults[Kind]>;

export interface ExaminationParts {
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  run: RunMediaTask;
}

/** The results for an upload that is ready. */
export interface Examined {
  /** Null for an upload that is not audio. */
  analysis: Analysis | null;
  /** The stored files: the `original` and those made from it. */
  files: UploadFile[];
}

/**
 * Analyses a local file, and stores it with the files made from it. Throws a MediaTaskError for a file that cannot be
 * used.
 */
export const examine = (
  { objects, scratch, run }: ExaminationParts,
  { kind, path }: { kind: UploadKind; path: string },
  signal: AbortSignal,
): Promise<Examined> =>
  scratch.use(async (outDir) => {
    const { analysis, files } = await find(run, kind, { input: path, outDir }, signal);
    const stored: UploadFile[] = [];
    for (const { path: file, ...properties } of files) stored.push({ ...properties, ...(await objects.store(file)) });
    return { analysis, files: stored };
  });

async function find(
  run: RunMediaTask,
  kind: UploadKind,
  task: { input: string; outDir: string },
  signal: AbortSignal,
): Promise<Findings> {
  if (kind === "audio") return findingsOf.audio(task, await run<"analyse">({ kind: "analyse", ...task }, { signal }));
  if (kind === "cover") return findingsOf.cover(task, await run<"cover">({ kind: "cover", ...task }, { signal }));
  return findingsOf.stems(task, await run<"stems">({ kind: "stems", ...task }, { signal }));
}
