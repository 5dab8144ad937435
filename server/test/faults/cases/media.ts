import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type MediaTask, MediaTaskError, type MediaTaskKind } from "@beatmarket/audio/media-task.ts";
import { mediaLimits, runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import { flac, mp3, ogg, wav } from "@beatmarket/audio/testing/audio-files.ts";
import {
  endlessChunks,
  endlessMetadata,
  endlessTags,
  png,
  webpWithinCanvas,
  zip,
} from "@beatmarket/audio/testing/bombs.ts";
import { goodFiles } from "@beatmarket/audio/testing/good-files.ts";
import { type Malformed, malformed } from "@beatmarket/audio/testing/malformed.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";

const perFormat = 100;
/** The time limit for a broken file of one or two seconds of sound, even on a busy machine. */
const longestMs = 20_000;

interface Outcome {
  label: string;
  ms: number;
  reason: string | null;
  /** The error of the process, if the file did not cause it. */
  complaint: string | null;
}

/**
 * Processes hundreds of malformed files of each format, and small files that could use much time or memory, each in a
 * separate process.
 */
export const media: Fault = {
  name: "media",
  about: "malformed files of every format: each ends in a result or a reason, within its time and memory",
  run: async (stage, report, extent) => {
    const folder = await mkdtemp(join(tmpdir(), "beatmarket-malformed-"));
    stage.onClose(() => rm(folder, { recursive: true, force: true }));
    const count = extent === "short" ? 2 : perFormat;
    for (const [format, { kind, make }] of Object.entries(goodFiles)) {
      const files = malformed(await make(), count, 1000);
      reportOutcomes(report, format, longestMs, await performAll(folder, kind, files));
    }
    for (const [kind, files] of Object.entries(await createBombs()) as [MediaTaskKind, Malformed[]][])
      reportOutcomes(report, `bombs for ${kind}`, mediaLimits[kind].timeoutMs, await performAll(folder, kind, files));
  },
};

async function createBombs(): Promise<Partial<Record<MediaTaskKind, Malformed[]>>> {
  const audio = beat(1.2);
  const long = beat(20);
  const noise = Buffer.alloc(30_000_000, 0xff);
  const before = async (validFile: Buffer | Promise<Buffer>) =>
    Buffer.concat([(await validFile).subarray(0, 2000), noise]);
  return {
    analyse: [
      { what: "two million empty chunks", bytes: endlessChunks(2_000_000) },
      { what: "five million empty metadata blocks", bytes: endlessMetadata(5_000_000) },
      { what: "three million empty tags", bytes: endlessTags(3_000_000) },
      { what: "30 MB of sync bytes after WAV", bytes: await before(wav(audio)) },
      { what: "30 MB of sync bytes after FLAC", bytes: await before(flac(audio)) },
      { what: "30 MB of sync bytes after MP3", bytes: await before(mp3(audio)) },
      { what: "30 MB of sync bytes after Ogg", bytes: await before(ogg(audio)) },
      {
        what: "two hundred MP3 files in one",
        bytes: repeated(await mp3(long), 200),
      },
      {
        what: "a hundred Ogg files in one",
        bytes: repeated(await ogg(long), 100),
      },
    ],
    cover: [
      { what: "4 gigapixels", bytes: png(65_000, 65_000) },
      { what: "49 megapixels in 30 kB", bytes: png(7000, 7000) },
      { what: "a bitstream larger than its canvas", bytes: webpWithinCanvas(16_383, 16_383) },
    ],
    stems: [
      { what: "500 MB of zeros", bytes: await zip({ "a.wav": wav(audio), "b.wav": Buffer.alloc(500_000_000) }) },
      {
        what: "5,000 files",
        bytes: await zip(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}.wav`, wav(beat(0.01))]))),
      },
    ],
  };
}

const repeated = (bytes: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => bytes));

/** Processes as many files at a time as there are cores. */
async function performAll(folder: string, kind: MediaTaskKind, files: Malformed[]): Promise<Outcome[]> {
  const queue = files.entries();
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (const [index, { what: label, bytes }] of queue) {
      const outDir = join(folder, `${index}`);
      await mkdir(outDir);
      const input = join(outDir, "upload");
      await writeFile(input, bytes);
      outcomes.push(await perform({ kind, input, outDir } as MediaTask, label));
      await rm(outDir, { recursive: true });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return outcomes;
}

async function perform(task: MediaTask, label: string): Promise<Outcome> {
  const startedMs = performance.now();
  const error: unknown = await runMediaTask(task as never, { signal: new AbortController().signal }).then(
    () => null,
    (failure) => failure,
  );
  if (error !== null && !(error instanceof MediaTaskError)) throw error;
  return {
    label,
    ms: performance.now() - startedMs,
    reason: error?.reason ?? null,
    complaint: error?.isFinal === false ? `${error.reason} ${JSON.stringify(error.cause)}` : null,
  };
}

function reportOutcomes(report: Report, format: string, limitMs: number, outcomes: Outcome[]): void {
  const slowest = outcomes.reduce((a, b) => (b.ms > a.ms ? b : a));
  const refused = outcomes.filter(({ reason }) => reason !== null).length;
  const internalFailures = outcomes.filter(({ complaint }) => complaint !== null);
  report.check(
    `${format}: each of ${outcomes.length} has a result or a reason`,
    internalFailures.length === 0,
    internalFailures.map(({ label, complaint }) => `${label}: ${complaint}`).join("; ") || `${refused} refused`,
  );
  report.bound(`${format}: the slowest, ${slowest.label}`, slowest.ms, limitMs, "ms");
}
