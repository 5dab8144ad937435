import { spawn } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
/** A terminal sends these (at Ctrl-C, when it closes) to all its processes: forwarding would send them twice. */
const fromTerminal = ["SIGINT", "SIGHUP"];

/**
 * Runs a program with this process's standard streams and waits for its end. Forwards signals to it instead of ending
 * this process. Rejects if the program cannot be started.
 * @param {string} command
 * @param {string[]} parameters
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function runToEnd(command, parameters, options = {}) {
  return new Promise((settle, reject) => {
    const child = spawn(command, parameters, { ...options, stdio: "inherit" });
    const inTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
    const passOn = (signal) => {
      if (!inTerminal || !fromTerminal.includes(signal)) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, passOn);
    const stopPassing = () => {
      for (const signal of signals) process.off(signal, passOn);
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
 * Ends this process with the same exit code or signal.
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}
