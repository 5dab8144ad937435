import { join } from "node:path";
import type {
  Analysis as AudioAnalysis,
  AudioFormat,
  Cover,
  MediaResults,
  MediaTask,
  MediaTaskKind,
  Stems,
} from "@beatmarket/audio/media-task.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { UploadFile } from "../queries.ts";
import type { Analysis, UploadKind } from "../upload.ts";

/** The results of a media task, and the files to store. */
export interface Findings {
  analysis: Analysis | null;
  files: { name: string; path: string; content_type: string }[];
}

interface Folders {
  input: string;
  outDir: string;
}

const audioTypes: Record<AudioFormat, string> = {
  wav: "audio/wav",
  aiff: "audio/aiff",
  flac: "audio/flac",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
};

const original = ({ input }: Folders, content_type: string) => ({ name: "original", path: input, content_type });
const outputFile = ({ outDir }: Folders, name: string, file: string, content_type: string) => ({
  name,
  path: join(outDir, file),
  content_type,
});

/** For each kind of upload, a function that returns the findings of its media task. */
export const findingsOf = {
  audio: (folders: Folders, analysis: AudioAnalysis): Findings => ({
    analysis: analysisOf(analysis),
    files: [
      original(folders, audioTypes[analysis.format]),
      outputFile(folders, "waveform", "waveform.json", "application/json"),
      outputFile(folders, "waveform-detail", "waveform-detail.json", "application/json"),
    ],
  }),
  cover: (folders: Folders, _: Cover): Findings => ({
    analysis: null,
    files: [
      // The original is never served, because it may not be a valid picture. Only the derived pictures are valid.
      original(folders, "application/octet-stream"),
      outputFile(folders, "cover", "cover.jpg", "image/jpeg"),
      outputFile(folders, "cover-small", "cover-small.webp", "image/webp"),
    ],
  }),
  stems: (folders: Folders, _: Stems): Findings => ({
    analysis: null,
    files: [original(folders, "application/zip")],
  }),
};

const analysisOf = (analysis: AudioAnalysis): Analysis => ({
  bpm: analysis.bpm?.value ?? null,
  bpm_confidence: round(analysis.bpm?.confidence),
  bpm_alternative: analysis.bpm?.alternative ?? null,
  key: analysis.key?.value ?? null,
  key_confidence: round(analysis.key?.confidence),
  key_alternative: analysis.key?.alternative ?? null,
  duration: Math.round(analysis.durationSeconds),
  format: analysis.format,
  sample_rate: analysis.sampleRate,
  channels: analysis.channels,
  loudness_lufs: round(analysis.loudness.integratedLufs),
  true_peak_dbtp: round(analysis.loudness.truePeakDbtp),
  clipped_samples: analysis.clippedSamples,
  silence_start: round(analysis.silence.startSeconds) ?? 0,
  silence_end: round(analysis.silence.endSeconds) ?? 0,
});

/** Rounds to hundredths. Returns null for a missing value, and for an infinite value, such as the peak of silence. */
const round = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Math.round(value * 100) / 100;

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

/** The results of a usable upload. */
export interface Examined {
  /** Null for an upload that is not audio. */
  analysis: Analysis | null;
  /** The stored files: the `original` and the files derived from it. */
  files: UploadFile[];
}

/**
 * Analyses a local file, and stores it together with the files derived from it. Throws a MediaTaskError for an unusable
 * file.
 */
export const examine = (
  { objects, scratch, run }: ExaminationParts,
  { kind, path }: { kind: UploadKind; path: string },
  signal: AbortSignal,
): Promise<Examined> =>
  scratch.use(async (outDir) => {
    const { analysis, files } = await runTaskFor(run, kind, { input: path, outDir }, signal);
    const stored: UploadFile[] = [];
    for (const { path: file, ...properties } of files) stored.push({ ...properties, ...(await objects.store(file)) });
    return { analysis, files: stored };
  });

async function runTaskFor(
  run: RunMediaTask,
  kind: UploadKind,
  task: { input: string; outDir: string },
  signal: AbortSignal,
): Promise<Findings> {
  if (kind === "audio") return findingsOf.audio(task, await run<"analyse">({ kind: "analyse", ...task }, { signal }));
  if (kind === "cover") return findingsOf.cover(task, await run<"cover">({ kind: "cover", ...task }, { signal }));
  return findingsOf.stems(task, await run<"stems">({ kind: "stems", ...task }, { signal }));
}
