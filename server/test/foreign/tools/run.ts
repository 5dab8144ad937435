import { spawn } from "node:child_process";
import { once } from "node:events";

/** The length of the end of an output that a report shows. */
const shownCharacters = 8_000;

export interface Running {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** The time limit, after which the program and its child processes are killed. */
  timeoutMs?: number;
}

export interface Finished {
  /** Null if the program was killed. */
  status: number | null;
  stdout: string;
  /** The output of both streams in order. Of a long output, only the end remains. */
  output: string;
}

/** A tool cannot be installed here, so it counts as skipped. The message is the reason. */
export class Unavailable extends Error {}

/** Runs a program to its end. Throws `Unavailable` if this machine does not have it. */
export async function run(program: string, args: readonly string[], options: Running): Promise<Finished> {
  const { cwd, env, timeoutMs = 600_000 } = options;
  // A process group, so that the program is killed with its child processes.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const chunks: Buffer[] = [];
  const out: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    out.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const kill = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  const timer = setTimeout(kill, timeoutMs);
  process.once("exit", kill);
  try {
    const [status] = (await once(child, "close")) as [number | null];
    const killNotice = status === null ? `\n(Killed after ${timeoutMs / 1000} s.)` : "";
    const output = (Buffer.concat(chunks).toString() + killNotice).trim().slice(-shownCharacters);
    return { status, stdout: Buffer.concat(out).toString(), output };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new Unavailable(`${program} is not installed here.`);
    throw error;
  } finally {
    clearTimeout(timer);
    process.off("exit", kill);
  }
}

/** Like `run`, for a step that must succeed. Throws an Error with the step's output. */
export async function runToSuccess(program: string, args: readonly string[], options: Running): Promise<string> {
  const { status, stdout, output } = await run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 3).join(" ")} … ended with ${status}:\n${output}`);
  return stdout;
}
