import type { ChildProcess } from "node:child_process";

/** Ends a child with this process, however that ends, unless the child has ended before. */
export function endWithThisProcess(child: ChildProcess): void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.removeListener("exit", kill));
}
