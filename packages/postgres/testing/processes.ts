import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The environment variables that every program under test gets: the search path, and Node's compile cache, since type
 * stripping and compiling take half of a start.
 */
export const programEnv: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

const children = new Set<ChildProcess>();
/** By cluster, the process ids of its server with their start times. */
const clusters = new Map<string, Map<number, string>>();

/** The standard error of the programs under test, which is their log. */
const logs = new Set<{ text: string }>();
/** API keys, webhook secrets and session cookies. */
const secret = /\bbm_[0-9A-Za-z]{46}\b|\bwhsec_[A-Za-z0-9+/]{32,}=*|session_token=[\w.%-]{20,}/;

/** Runs after each test (server/test/harness/setup.ts). Throws if a program of the test wrote a secret into its log. */
export function expectNoSecretInLogs(): void {
  const match = [...logs].map(({ text }) => secret.exec(text)?.[0]).find((text) => text !== undefined);
  logs.clear();
  if (match !== undefined) throw new Error(`A program under test wrote a secret into its log: ${match.slice(0, 12)}…`);
}

/**
 * Runs after each test (server/test/harness/setup.ts). Kills all programs and servers of the test, even after a
 * failure.
 */
export function killPrograms(): void {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  for (const cluster of clusters.keys()) for (const pid of serverProcesses(cluster)) kill(pid);
  clusters.clear();
}

/** A program under test, killed after the test. */
export interface RunningProgram {
  pid: number;
  child: ChildProcess;
  /** The next line of standard output. If the program ends before, throws with its standard error. */
  nextLine(): Promise<string>;
  /** Resolves when standard error contains this text. */
  waitForStderr(text: string): Promise<void>;
  /** The standard error until now. */
  stderr(): string;
  /** Resolves when the program has ended. */
  ended: Promise<ProgramEnd>;
}

export interface ProgramEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

export function startProgram(command: string, args: string[], options: SpawnOptions): RunningProgram {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  children.add(child);
  const log = { text: "" };
  logs.add(log);
  child.stderr.on("data", (data) => {
    log.text += data;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const programEnd = new Promise<ProgramEnd>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, stderr: log.text })),
  );
  return {
    pid: child.pid ?? 0,
    child,
    ended: programEnd,
    waitForStderr: (text) => until(() => log.text.includes(text)),
    stderr: () => log.text,
    nextLine: async () => {
      const { value, done } = await lines.next();
      if (!done) return value;
      const { code, signal } = await programEnd;
      throw new Error(`The program ended with ${signal ?? code}: ${log.text}`);
    },
  };
}

/**
 * The process ids of the PostgreSQL server of a cluster and of its child processes, including processes that an earlier
 * call returned and that are still running. All of them are killed at the end of the test.
 */
export function serverProcesses(clusterDir: string): number[] {
  const processes = processTable();
  const servers = processes
    .filter(({ command }) => command.includes(`/postgres -D ${clusterDir} `))
    .map(({ pid }) => pid);
  const startTimes = clusters.get(clusterDir) ?? new Map<number, string>();
  for (const { pid, parent, startTime } of processes)
    if (servers.includes(pid) || servers.includes(parent)) startTimes.set(pid, startTime);
  clusters.set(clusterDir, startTimes);
  return processes.filter(({ pid, startTime }) => startTimes.get(pid) === startTime).map(({ pid }) => pid);
}

interface ProcessEntry {
  pid: number;
  parent: number;
  startTime: string;
  command: string;
}

function processTable(): ProcessEntry[] {
  if (process.platform !== "linux")
    return execFileSync("ps", ["-Awwo", "pid=,ppid=,lstart=,command="], { encoding: "utf8" })
      .split("\n")
      .map((line) => /^ *(\d+) +(\d+) +((?:\S+ +){5})(.*)$/.exec(line) ?? [])
      .map(([, pid, parent, startTime = "", command = ""]) => ({
        pid: Number(pid),
        parent: Number(parent),
        startTime,
        command: `${command} `,
      }));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // "pid (name) state parent …". The name may contain any character. The start time is the 22nd field.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z" || state === "X") return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(pid), parent: Number(parent), startTime: rest[17] ?? "", command }];
      } catch {
        return []; // The process has just ended.
      }
    });
}

/** Waits until a condition holds, up to the test's timeout. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  // With increasing pauses up to 200 ms, since checks slow down the machine that runs the program.
  for (let pauseMs = 20; !(await condition()); pauseMs = Math.min(pauseMs * 1.5, 200)) await sleep(pauseMs);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has just ended.
  }
}
