import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { endWithThisProcess } from "./end-with.ts";

/** A request to a driver; clients/conformance/README.md lists the actions. */
export interface DriverRequest {
  scenario: string;
  action: string;
  client?: Record<string, unknown>;
  args?: Record<string, unknown>;
}

/** The driver process of one language. */
export interface Driver {
  /** Returns the result. Rejects if the driver does not support the action, times out, or exits. */
  ask(request: DriverRequest): Promise<Result>;
  stop(): Promise<void>;
}

/** The result of an action, in the normal form of clients/conformance/README.md. */
// biome-ignore lint/suspicious/noExplicitAny: each scenario says what it expects, and fails when it is otherwise.
export type Result = any;

/** Longer than any call on a busy machine, and shorter than the Retry-After for which no client waits. */
const timeoutMs = 600_000;

/**
 * Starts a driver. `onLog` receives the lines of its standard error; without it, they go to the standard error of this
 * process.
 */
export function startDriver(
  [program, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  onLog?: (line: string) => void,
): Driver {
  const child = spawn(program ?? "", args, { env, stdio: ["pipe", "pipe", onLog ? "pipe" : "inherit"] });
  if (onLog !== undefined && child.stderr !== null) createInterface({ input: child.stderr }).on("line", onLog);
  endWithThisProcess(child);
  const waiting = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>();
  let lastId = 0;
  const rejectAll = (reason: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  child.on("error", (error) => rejectAll(`The driver does not start: ${error.message}`));
  child.on("exit", (code) => rejectAll(`The driver ended with status ${code}.`));
  const { stdin, stdout } = child as ChildProcess & { stdin: Writable; stdout: Readable };
  stdin.on("error", () => {}); // The exit handler reports it.
  createInterface({ input: stdout }).on("line", (line) => {
    const reply = parseReply(line);
    if (reply === undefined || !(reply.id <= lastId)) return rejectAll(`The driver printed an invalid line: ${line}`);
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (request === undefined) return; // The request has timed out already.
    if (reply.unsupported === undefined) request.resolve(reply.result);
    else request.reject(new Error(`The driver does not support ${reply.unsupported}.`));
  });
  return {
    ask: async (request) => {
      lastId += 1;
      const id = lastId;
      if (child.exitCode !== null) throw new Error(`The driver ended with status ${child.exitCode}.`);
      stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          timer = setTimeout(() => {
            waiting.delete(id);
            reject(new Error(`The driver did not reply within ${timeoutMs / 1_000} s.`));
          }, timeoutMs);
        });
      } finally {
        clearTimeout(timer);
      }
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, "close"); // "close" comes after the last line of its output.
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await closed;
  clearTimeout(timer);
}

function parseReply(line: string): { id: number; result?: Result; unsupported?: string } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
