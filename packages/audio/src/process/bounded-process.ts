import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import type { Readable } from "node:stream";

export interface ProcessLimits {
  /** The limit of wall-clock time, and also of processor time. */
  timeoutMs: number;
  /** The limit of the peak resident memory. */
  maxMemoryBytes: number;
  /** The limit of the size of each written file. */
  maxFileBytes: number;
}

export interface ProcessEnd {
  status: number | null;
  /** The output on file descriptor 3, at most 64 kB. */
  result: string;
  /** The last 2,000 characters of standard error. */
  stderr: string;
  /**
   * The reason why `runBounded` killed the process. Null if the process ended by itself or by a limit in the kernel.
   */
  endedBy: "time" | "memory" | "abort" | null;
}

const maxResultBytes = 64 * 1024;
const maxStderrLength = 2000;
const memoryIntervalMs = 100;

/**
 * A shell command that sets limits in the kernel, which apply even after the end of this process: no core dumps,
 * seconds of processor time, size of a written file in blocks of 512 bytes. The program gets only the search path of
 * this process's environment, because the environment has secrets.
 */
const limitedCommand =
  'ulimit -c 0 && ulimit -t "$1" && ulimit -f "$2" && shift 2 && exec /usr/bin/env -i PATH="$PATH" MALLOC_ARENA_MAX=2 "$@"';

/**
 * Runs a program until it ends, with a lower priority than this process and in a separate process group. Kills the
 * group when the program ends, a limit is exceeded or `signal` aborts. The program's standard input stays open until
 * this process ends. Rejects only if the process cannot be started.
 */
export async function runBounded(
  [program, ...parameters]: [string, ...string[]],
  { limits, signal }: { limits: ProcessLimits; signal: AbortSignal },
): Promise<ProcessEnd> {
  if (signal.aborted) return { status: null, result: "", stderr: "", endedBy: "abort" };
  const cpuSeconds = Math.ceil(limits.timeoutMs / 1000);
  const fileBlocks = Math.ceil(limits.maxFileBytes / 512);
  const child = spawn(
    "/bin/sh",
    ["-c", limitedCommand, "sh", `${cpuSeconds}`, `${fileBlocks}`, program, ...parameters],
    {
      stdio: ["pipe", "ignore", "pipe", "pipe"],
      detached: true,
    },
  );
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
  const kill = (reason: ProcessEnd["endedBy"]): void => {
    endedBy ??= reason;
    ignoreNoProcess(() => process.kill(-pid, "SIGKILL"));
  };
  ignoreNoProcess(() => setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL));
  const timeout = setTimeout(kill, limits.timeoutMs, "time");
  const memoryCheck = setInterval(async () => {
    if ((await peakMemoryBytes(pid)) > limits.maxMemoryBytes) kill("memory");
  }, memoryIntervalMs);
  const abort = () => kill("abort");
  signal.addEventListener("abort", abort, { once: true });
  let result = "";
  let stderr = "";
  onText(child.stdio[3] as Readable, (text) => {
    result = (result + text).slice(0, maxResultBytes);
  });
  onText(child.stderr, (text) => {
    stderr = (stderr + text).slice(-maxStderrLength);
  });
  child.stdin?.on("error", () => {});
  try {
    const status = await exit;
    return { status, result, stderr, endedBy };
  } finally {
    clearTimeout(timeout);
    clearInterval(memoryCheck);
    signal.removeEventListener("abort", abort);
    kill(null);
  }
}

function onText(stream: Readable | null, callback: (text: string) => void): void {
  stream
    ?.setEncoding("utf8")
    .on("data", callback)
    .on("error", () => {});
}

/** Ignores ESRCH: the process has already ended. */
function ignoreNoProcess(act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The peak resident memory of a process. 0 if the process has ended, and on systems without /proc. */
async function peakMemoryBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
