import { spawn } from "node:child_process";

const passedOn = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a program to its end on this process's terminal, passing signals on to it. Rejects when it cannot be started.
 * @param {string} command
 * @param {string[]} parameters
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function runToEnd(command, parameters, options = {}) {
  return new Promise((settle, reject) => {
    const child = spawn(command, parameters, { ...options, stdio: "inherit" });
    const passOn = (signal) => child.kill(signal);
    for (const signal of passedOn) process.on(signal, passOn);
    const stopPassing = () => {
      for (const signal of passedOn) process.off(signal, passOn);
    };
    child.on("error", (error) => {
      stopPassing();
      reject(error);
    });
    child.on("exit", (code, signal) => {
      stopPassing();
      settle({ code, signal });
    });
  });
}

/**
 * Ends this process the way that program ended.
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}
