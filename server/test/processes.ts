import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach } from "vitest";

const children = new Set<ChildProcess>();
const folders = new Set<string>();

// Whatever a test has come to, nothing that it started outlives it.
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  for (const folder of folders) for (const pid of processesIn(folder)) kill(pid);
  folders.clear();
});

/** A program under test; it is killed when the test is through. */
export interface RunningProgram {
  pid: number;
  child: ChildProcess;
  /** The next line of standard output; throws, with what came on standard error, when the program ends instead. */
  nextLine(): Promise<string>;
  /** Resolves when this text has come on standard error. */
  saysOnStandardError(text: string): Promise<void>;
  /** Resolves when the program has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

export function startProgram(command: string, args: string[], options: SpawnOptions): RunningProgram {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  children.add(child);
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
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
    nextLine: async () => {
      const { value, done } = await lines.next();
      if (!done) return value;
      const { code, signal } = await ended;
      throw new Error(`The program ended with ${signal ?? code}: ${errors}`);
    },
  };
}

/**
 * The processes that work in a folder, even a removed one: a PostgreSQL server and its helpers all work in the folder
 * of their cluster. They are killed when the test is through.
 */
export function processesIn(folder: string): number[] {
  folders.add(folder);
  if (process.platform !== "linux")
    return execFileSync("ps", ["-Ao", "pid=,command="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(`-D ${folder} `))
      .map((line) => Number.parseInt(line, 10));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && workingFolder(name).startsWith(folder))
    .map(Number);
}

/** Waits until a condition holds, for as long as the test may take. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
