import { fork } from "node:child_process";
import type { Script } from "./script.ts";

const timeoutMs = 30_000;

/**
 * Loads Scalar's bundle in a child process: here, its 4 MB module would block the event loop while it loads, and keep 40 MB
 * of memory. Rejects if the child fails.
 */
export function loadScalar(): Promise<Script> {
  const program = fork(new URL("./scalar.main.ts", import.meta.url), {
    execArgv: [],
    serialization: "advanced",
    timeout: timeoutMs,
  });
  return new Promise((resolve, reject) => {
    program.on("message", (script) => resolve(script as Script));
    program.on("error", reject);
    // Unlike "exit", it comes after the last message.
    program.on("disconnect", () =>
      reject(new Error("The program that takes Scalar's script out of its package failed.")),
    );
  });
}
