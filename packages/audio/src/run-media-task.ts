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

/** What each kind of task may take, where this process may take that and its own memory. */
export const mediaLimits: Record<MediaTaskKind, ProcessLimits> = {
  analyse: { timeoutMs: 300_000, maxMemoryBytes: 384 * MB, maxFileBytes: MB },
  preview: { timeoutMs: 120_000, maxMemoryBytes: 384 * MB, maxFileBytes: 4 * MB },
  cover: { timeoutMs: 60_000, maxMemoryBytes: 512 * MB, maxFileBytes: 8 * MB },
  renditions: { timeoutMs: 900_000, maxMemoryBytes: 384 * MB, maxFileBytes: 4096 * MB },
  stems: { timeoutMs: 300_000, maxMemoryBytes: 384 * MB, maxFileBytes: 0 },
};

const memory = new MemoryBudget(memoryForTasks());

/** Tasks whose input is audio. */
const hearing: ReadonlySet<MediaTaskKind> = new Set(["analyse", "preview", "renditions"]);

/**
 * Performs a task in a process of its own, without network, children and threads, which reads its code and its input,
 * and writes to `outDir` only (docs/security.md). M4A is decoded by `ffmpeg` first. Waits until there is memory for it.
 * @throws {MediaTaskError} whenever there is no result; not final when a bound or the abort ended it
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
  const given = await realpath(task.input);
  const found = hearing.has(task.kind) ? await findM4a(given) : null;
  const isM4a = found !== null;
  const input = isM4a ? join(outDir, "decoded.wav") : given;
  try {
    if (isM4a) await decodeWithFfmpeg(given, input, { offset: found.offset, limits, signal });
    const bounds = task.kind === "cover" ? { maxMemoryBytes: limits.maxMemoryBytes } : {};
    const encoded = isM4a && task.kind === "renditions" ? { encodedBytes: found.encodedBytes } : {};
    const result = await performInChild({ ...task, ...bounds, ...encoded, input, outDir }, { signal, limits });
    // The depth would be that of the decoded file.
    return (
      isM4a && "format" in result ? { ...result, format: "m4a", bitDepth: undefined } : result
    ) as MediaResults[Kind];
  } finally {
    if (isM4a) await rm(input, { force: true });
  }
}

/** Where M4A or AAC begins, and its size; null for any other file. */
async function findM4a(file: string): Promise<{ offset: number; encodedBytes: number } | null> {
  const reader = await ByteReader.open(file);
  try {
    const found = await findAudio(reader);
    if (found?.type !== "m4a") return null;
    return { offset: found.offset, encodedBytes: await m4aBytes(reader, found.offset) };
  } finally {
    await reader.close();
  }
}

async function performInChild(
  task: MediaTask,
  { signal, limits }: { signal: AbortSignal; limits: ProcessLimits },
): Promise<MediaResults[MediaTaskKind]> {
  const tag = task.kind === "preview" && typeof task.tag === "object" ? [await realpath(task.tag.file)] : [];
  const command = sandboxed([main, JSON.stringify(task)], {
    reads: [task.input, ...tag],
    outDir: task.outDir,
    // The decoder of pictures is a native addon; it alone may be one.
    allowsAddons: task.kind === "cover",
  });
  const end = await runBounded(command, { signal, limits });
  const outcome = readResult(end);
  if ("result" in outcome) return outcome.result;
  throw new MediaTaskError(outcome.reason, { isFinal: outcome.isFinal, cause: end });
}

/** What the child writes when it is through. */
export type MediaTaskResult = { result: MediaResults[MediaTaskKind] } | { reason: string; isFinal: boolean };

function readResult({ endedBy, status, result }: ProcessEnd): MediaTaskResult {
  if (endedBy === "time") return { reason: "The file took too long to read.", isFinal: false };
  if (endedBy === "memory") return { reason: "The file took too much memory to read.", isFinal: false };
  if (endedBy === "abort") return { reason: "Reading the file was stopped.", isFinal: false };
  if (status === 0 && result.endsWith("\n")) return JSON.parse(result) as MediaTaskResult;
  return { reason: "Reading the file failed for a reason of our own.", isFinal: false };
}
