import { execFileSync } from "node:child_process";

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const children = [...table.matchAll(/(\d+)\s+(\d+)/g)].filter(([, , parent]) => Number(parent) === pid);
  return children.map(([, child]) => Number(child));
}

/** Sends a signal; `0` only asks. Returns whether the process exists. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // The process has ended already.
  }
}
