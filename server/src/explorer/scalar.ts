import { fork } from "node:child_process";
import type { Script } from "./script.ts";

const timeoutMs = 30_000;

/**
 * Scalar's own bundle. A process of its own takes it out of Scalar's package: in this one, 4 MB of source in a single
 * module would hold up calls for as long as they take to load, and 40 MB of memory for good.
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
