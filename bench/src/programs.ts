import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const main = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));

/** Runs a `beatmarket` command to its end and returns what it printed. Throws with its error text when it fails. */
export async function beatmarket(args: string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, [main, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** A child process that has said it is ready. */
export interface Running {
  /** The first line of standard output that matched. */
  ready: string;
  stop(): Promise<void>;
}

/** Starts `beatmarket serve` and waits until it is ready. */
export const serve = (env: Record<string, string>): Promise<Running> => start([main, "serve", "--json"], env, /ready/);

/** Starts a Node program and waits for a line of its standard output. */
export async function start(args: string[], env: Record<string, string>, ready: RegExp): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = text.split("\n").find((candidate) => ready.test(candidate));
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with status ${code} before it was ready.`)));
  });
  return {
    ready: line,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
