import { readdir, readFile } from "node:fs/promises";

/** Linux always reports CPU times in hundredths of a second. */
const ticksPerSecond = 100;

/** The CPU seconds of a process and of its children, including ended ones. NaN on systems without /proc. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(processes.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")));
  let ticks = Number.NaN;
  let ofChildren = 0;
  for (const stat of stats) {
    // The name of the program, in parentheses, may contain spaces. proc_pid_stat(5): parent 4, user 14, system 15, and
    // both of ended children 16 and 17.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const field = (number: number) => Number(fields[number - 3]);
    const ownTicks = field(14) + field(15);
    if (Number.parseInt(stat, 10) === pid) ticks = ownTicks + field(16) + field(17);
    else if (field(4) === pid) ofChildren += ownTicks;
  }
  return (ticks + ofChildren) / ticksPerSecond;
}
