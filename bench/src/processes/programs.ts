import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const main = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));

/**
 * Runs a `beatmarket` command and waits for its end. Returns its standard output and shows its standard error. Throws
 * if it fails.
 */
export const beatmarket = (args: string[], env: Record<string, string>): Promise<string> =>
  runProgram([main, ...args], env, `beatmarket ${args.join(" ")}`);

/** Runs a program of this repository in the same way. `args`: its path, and its parameters. */
export async function runProgram(
  args: string[],
  env: Record<string, string> = {},
  name = args.join(" "),
): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const exit = once(child, "exit");
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  const [code] = await exit;
  running.delete(child);
  if (code !== 0) throw new Error(`${name} ended with status ${code}.`);
  return text;
}

/** Runs a `beatmarket` command and kills it as soon as `isDue` returns true. Throws if the command ends before. */
export async function killWhen(
  args: string[],
  env: Record<string, string>,
  isDue: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  const exit = once(child, "exit");
  while (child.exitCode === null && !(await isDue())) await setTimeout(50);
  child.kill("SIGKILL");
  const [, signal] = await exit;
  running.delete(child);
  if (signal !== "SIGKILL") throw new Error(`beatmarket ${args.join(" ")} ended before it was killed.`);
}

/** Creates a key without limits and returns it. */
export async function internalKey(env: Record<string, string>): Promise<string> {
  const keyJson = await beatmarket(
    ["keys", "create", "--email", "bench@example.com", "--plan", "internal", "--json"],
    env,
  );
  return (JSON.parse(keyJson) as { key: string }).key;
}

/** A child process that is ready. */
export interface RunningProgram {
  /** The first line of standard output that matched. */
  ready: string;
  processId: number;
  stop(): Promise<void>;
}

/** Starts `beatmarket serve` and waits until it is ready. */
export const serve = (env: Record<string, string>): Promise<RunningProgram> =>
  start([main, "serve", "--json"], env, /ready/);

/** Starts a Node program and waits for a line of its standard output. Its standard input ends with this process. */
export async function start(args: string[], env: Record<string, string>, ready: RegExp): Promise<RunningProgram> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const readyLine = text.split("\n").find((candidate) => ready.test(candidate));
      if (readyLine !== undefined) resolve(readyLine);
    });
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with status ${code} before it was ready.`)));
  });
  return {
    ready: line,
    processId: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
