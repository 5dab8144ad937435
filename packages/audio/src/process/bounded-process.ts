import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import type { Readable } from "node:stream";

export interface ProcessLimits {
  /** Of wall-clock and of processor time. */
  timeoutMs: number;
  /** Resident, of the process at its peak. */
  maxMemoryBytes: number;
  /** Of each file that it writes. */
  maxFileBytes: number;
}

export interface ProcessEnd {
  status: number | null;
  /** What it wrote to its file descriptor 3, up to 64 kB. */
  result: string;
  /** The end of what it wrote to standard error. */
  complaint: string;
  /** Which bound ended it; null when it ended by itself. */
  endedBy: "time" | "memory" | "abort" | null;
}

const maxResultBytes = 64 * 1024;
const maxComplaintBytes = 2000;
const memoryIntervalMs = 100;

/**
 * The kernel's bounds hold also when nobody is left who watches: processor seconds, bytes of a written file (in blocks of
 * 512), no core dumps. Of the environment, with its secrets, the program gets nothing but the search path.
 */
const bounded =
  'ulimit -c 0 && ulimit -t "$1" && ulimit -f "$2" && shift 2 && exec /usr/bin/env -i PATH="$PATH" MALLOC_ARENA_MAX=2 "$@"';

/**
 * Runs a program to its end, below the priority of this process, in a process group of its own, which is killed at a
 * bound and at the abort of `signal`. Its standard input stays open while this process lives. Rejects only when no
 * process can be started.
 */
export async function runBounded(
  [program, ...parameters]: [string, ...string[]],
  { limits, signal }: { limits: ProcessLimits; signal: AbortSignal },
): Promise<ProcessEnd> {
  if (signal.aborted) return { status: null, result: "", complaint: "", endedBy: "abort" };
  const cpuSeconds = Math.ceil(limits.timeoutMs / 1000);
  const fileBlocks = Math.ceil(limits.maxFileBytes / 512);
  const child = spawn("/bin/sh", ["-c", bounded, "sh", `${cpuSeconds}`, `${fileBlocks}`, program, ...parameters], {
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  if (pid === undefined) {
    await exit;
    throw new Error("No process was started.");
  }
  let endedBy: ProcessEnd["endedBy"] = null;
  const end = (bound: ProcessEnd["endedBy"]): void => {
    endedBy ??= bound;
    ignoreEnded(() => process.kill(-pid, "SIGKILL"));
  };
  ignoreEnded(() => setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL));
  const timeout = setTimeout(end, limits.timeoutMs, "time");
  const watch = setInterval(async () => {
    if ((await peakMemoryBytes(pid)) > limits.maxMemoryBytes) end("memory");
  }, memoryIntervalMs);
  const abort = () => end("abort");
  signal.addEventListener("abort", abort, { once: true });
  let result = "";
  let complaint = "";
  listen(child.stdio[3] as Readable, (text) => {
    result = (result + text).slice(0, maxResultBytes);
  });
  listen(child.stderr, (text) => {
    complaint = (complaint + text).slice(-maxComplaintBytes);
  });
  child.stdin?.on("error", () => {});
  try {
    const status = await exit;
    return { status, result, complaint, endedBy };
  } finally {
    clearTimeout(timeout);
    clearInterval(watch);
    signal.removeEventListener("abort", abort);
    end(null);
  }
}

function listen(stream: Readable | null, take: (text: string) => void): void {
  stream
    ?.setEncoding("utf8")
    .on("data", take)
    .on("error", () => {});
}

/** What may fail because the process has ended meanwhile. */
function ignoreEnded(act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The most that a process had resident; 0 once it has ended, and where the system does not tell. */
async function peakMemoryBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
