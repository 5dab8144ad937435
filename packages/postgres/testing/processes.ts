import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What every program under test gets of the environment of its test: where to find programs, and the cache of what Node
 * has compiled, because type stripping and compiling take half of a start.
 */
export const programEnv: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

const children = new Set<ChildProcess>();
/** Process numbers and start times by the cluster that they were found on. */
const clusters = new Map<string, Map<number, string>>();

/** What the programs under test wrote on standard error, which is their log. */
const logs = new Set<{ text: string }>();
/** API keys, webhook secrets and session cookies, as they are made. */
const secret = /\bbm_[0-9A-Za-z]{46}\b|\bwhsec_[A-Za-z0-9+/]{32,}=*|session_token=[\w.%-]{20,}/;

/** After each test (test/harness/setup.ts): throws if a program that the test started wrote a secret into its log. */
export function expectNoSecretInLogs(): void {
  const found = [...logs].map(({ text }) => secret.exec(text)?.[0]).find((text) => text !== undefined);
  logs.clear();
  if (found !== undefined) throw new Error(`A program under test wrote a secret into its log: ${found.slice(0, 12)}…`);
}

/** After each test (test/harness/setup.ts): nothing that a test started outlives it, even if it fails. */
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
  /** The next line of standard output. Throws, with the standard error, if the program ends instead. */
  nextLine(): Promise<string>;
  /** Resolves when standard error contains this text. */
  saysOnStandardError(text: string): Promise<void>;
  /** Standard error so far. */
  errorsSoFar(): string;
  /** Resolves when the program has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

export function startProgram(command: string, args: string[], options: SpawnOptions): RunningProgram {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  children.add(child);
  let errors = "";
  const log = { text: "" };
  logs.add(log);
  child.stderr.on("data", (data) => {
    errors += data;
    log.text = errors;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, errors })),
  );
  return {
    pid: child.pid ?? 0,
    child,
    ended,
    saysOnStandardError: (text) => until(() => errors.includes(text)),
    errorsSoFar: () => errors,
    nextLine: async () => {
      const { value, done } = await lines.next();
      if (!done) return value;
      const { code, signal } = await ended;
      throw new Error(`The program ended with ${signal ?? code}: ${errors}`);
    },
  };
}

/**
 * The processes of the PostgreSQL server on a cluster: the server, its helpers, and of all that earlier calls found,
 * those that still run. They are killed when the test is through.
 */
export function serverProcesses(clusterDir: string): number[] {
  const all = processTable();
  const servers = all.filter(({ command }) => command.includes(`/postgres -D ${clusterDir} `)).map(({ pid }) => pid);
  const found = all.filter(({ pid, parent }) => servers.includes(pid) || servers.includes(parent));
  const known = clusters.get(clusterDir) ?? new Map<number, string>();
  for (const { pid, started } of found) known.set(pid, started);
  clusters.set(clusterDir, known);
  return all.filter(({ pid, started }) => known.get(pid) === started).map(({ pid }) => pid);
}

interface ProcessEntry {
  pid: number;
  parent: number;
  started: string;
  command: string;
}

function processTable(): ProcessEntry[] {
  if (process.platform !== "linux")
    return execFileSync("ps", ["-Awwo", "pid=,ppid=,lstart=,command="], { encoding: "utf8" })
      .split("\n")
      .map((line) => /^ *(\d+) +(\d+) +((?:\S+ +){5})(.*)$/.exec(line) ?? [])
      .map(([, pid, parent, started = "", command = ""]) => ({
        pid: Number(pid),
        parent: Number(parent),
        started,
        command: `${command} `,
      }));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // "pid (name) state parent …", the start being the 22nd field; the name may hold anything.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z" || state === "X") return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(pid), parent: Number(parent), started: rest[17] ?? "", command }];
      } catch {
        return []; // It has ended meanwhile.
      }
    });
}

/** Waits until a condition holds, up to the test's timeout. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  // Ever less often, up to five times a second: what is asked costs the machine that is waited for.
  for (let pauseMs = 20; !(await condition()); pauseMs = Math.min(pauseMs * 1.5, 200)) await sleep(pauseMs);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
