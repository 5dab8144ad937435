import type { ChildProcess } from "node:child_process";

/** Kills a child when this process ends for any reason, unless the child has ended earlier. */
export function endWithThisProcess(child: ChildProcess): void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.removeListener("exit", kill));
}
