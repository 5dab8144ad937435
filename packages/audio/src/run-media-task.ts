import { realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { ByteReader } from "./formats/byte-reader.ts";
import { decodeWithFfmpeg } from "./formats/ffmpeg.ts";
import { findAudio } from "./formats/find-audio.ts";
import { m4aBytes } from "./formats/m4a-bytes.ts";
import { type MediaResults, type MediaTask, MediaTaskError, type MediaTaskKind } from "./media-task.ts";
import { type ProcessEnd, type ProcessLimits, runBounded } from "./process/bounded-process.ts";
import { MemoryBudget, memoryForTasks } from "./process/memory-budget.ts";
import { sandboxed } from "./process/sandbox.ts";

const main = join(import.meta.dirname, "media-task.main.ts");
const MB = 1024 * 1024;

/** The limits of each kind of task. The memory budget may lower `maxMemoryBytes`. */
export const mediaLimits: Record<MediaTaskKind, ProcessLimits> = {
  analyse: { timeoutMs: 300_000, maxMemoryBytes: 384 * MB, maxFileBytes: MB },
  preview: { timeoutMs: 120_000, maxMemoryBytes: 384 * MB, maxFileBytes: 4 * MB },
  cover: { timeoutMs: 60_000, maxMemoryBytes: 512 * MB, maxFileBytes: 8 * MB },
  renditions: { timeoutMs: 900_000, maxMemoryBytes: 384 * MB, maxFileBytes: 4096 * MB },
  stems: { timeoutMs: 300_000, maxMemoryBytes: 384 * MB, maxFileBytes: 0 },
};

const memory = new MemoryBudget(memoryForTasks());

/** The kinds of tasks whose input is audio. */
const audioKinds: ReadonlySet<MediaTaskKind> = new Set(["analyse", "preview", "renditions"]);

/**
 * Performs a task in a sandboxed process (docs/security.md). The process may only read its code, its input files and
 * `outDir`, and write into `outDir`; it has no network, child processes or threads. Waits until enough memory is free.
 * Decodes M4A by `ffmpeg` first.
 * @throws {MediaTaskError} if the task fails: final if the file is unusable; not final if a limit was exceeded, the
 * signal aborted or the service has an error
 */
export async function runMediaTask<Kind extends MediaTaskKind>(
  task: Extract<MediaTask, { kind: Kind }>,
  { signal, limits = mediaLimits[task.kind] }: { signal: AbortSignal; limits?: ProcessLimits },
): Promise<MediaResults[Kind]> {
  return memory.run(limits.maxMemoryBytes, signal, (maxMemoryBytes) =>
    runBoundedTask(task, { signal, limits: { ...limits, maxMemoryBytes } }),
  );
}

async function runBoundedTask<Kind extends MediaTaskKind>(
  task: Extract<MediaTask, { kind: Kind }>,
  { signal, limits }: { signal: AbortSignal; limits: ProcessLimits },
): Promise<MediaResults[Kind]> {
  const outDir = await realpath(task.outDir);
  const original = await realpath(task.input);
  const m4a = audioKinds.has(task.kind) ? await findM4a(original) : null;
  const input = m4a === null ? original : join(outDir, "decoded.wav");
  try {
    if (m4a !== null) await decodeWithFfmpeg(original, input, { offset: m4a.offset, limits, signal });
    const memoryLimit = task.kind === "cover" ? { maxMemoryBytes: limits.maxMemoryBytes } : {};
    const encodedSize = m4a !== null && task.kind === "renditions" ? { encodedBytes: m4a.encodedBytes } : {};
    const result = await performInChild({ ...task, ...memoryLimit, ...encodedSize, input, outDir }, { signal, limits });
    // Removes the bit depth, because it belongs to the decoded file and not to the original.
    return (
      m4a !== null && "format" in result ? { ...result, format: "m4a", bitDepth: undefined } : result
    ) as MediaResults[Kind];
  } finally {
    if (m4a !== null) await rm(input, { force: true });
  }
}

/** The offset of M4A or AAC in a file, and the size of its audio data. Null for any other file. */
async function findM4a(file: string): Promise<{ offset: number; encodedBytes: number } | null> {
  const reader = await ByteReader.open(file);
  try {
    const audio = await findAudio(reader);
    if (audio?.type !== "m4a") return null;
    return { offset: audio.offset, encodedBytes: await m4aBytes(reader, audio.offset) };
  } finally {
    await reader.close();
  }
}

async function performInChild(
  task: MediaTask,
  { signal, limits }: { signal: AbortSignal; limits: ProcessLimits },
): Promise<MediaResults[MediaTaskKind]> {
  const tagFiles = task.kind === "preview" && typeof task.tag === "object" ? [await realpath(task.tag.file)] : [];
  const command = sandboxed([main, JSON.stringify(task)], {
    reads: [task.input, ...tagFiles],
    outDir: task.outDir,
    // The picture decoder is a native addon. Other tasks need no addon.
    allowsAddons: task.kind === "cover",
  });
  const end = await runBounded(command, { signal, limits });
  const outcome = readResult(end);
  if ("result" in outcome) return outcome.result;
  throw new MediaTaskError(outcome.reason, { isFinal: outcome.isFinal, cause: end });
}

/** The output of the child process. */
export type MediaTaskResult = { result: MediaResults[MediaTaskKind] } | { reason: string; isFinal: boolean };

function readResult({ endedBy, status, result }: ProcessEnd): MediaTaskResult {
  if (endedBy === "time") return { reason: "The file took too long to read.", isFinal: false };
  if (endedBy === "memory") return { reason: "The file took too much memory to read.", isFinal: false };
  if (endedBy === "abort") return { reason: "Reading the file was stopped.", isFinal: false };
  if (status === 0 && result.endsWith("\n")) return JSON.parse(result) as MediaTaskResult;
  return { reason: "Reading the file failed because of an error of the service.", isFinal: false };
}
