import { readdir, readFile } from "node:fs/promises";
import type { Client } from "pg";

/** Linux always reports CPU times in hundredths of a second. */
const ticksPerSecond = 100;

/**
 * The CPU time of a PostgreSQL server on this machine since its start, in seconds, with all its processes, including
 * ended ones. Null on systems without /proc.
 */
export async function databaseCpuSeconds(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: string }>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
  );
  const postmaster = await ticksOf(rows[0]?.pid ?? "");
  if (postmaster === null) return null;
  const processes = await Promise.all((await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(ticksOf));
  const children = processes.filter((process) => process?.parent === rows[0]?.pid);
  const ticks = children.reduce(
    (sum, child) => sum + (child?.ownTicks ?? 0),
    postmaster.ownTicks + postmaster.endedChildrenTicks,
  );
  return ticks / ticksPerSecond;
}

/** The CPU time, in seconds, of the children of this process that have ended. Null on systems without /proc. */
export async function endedChildrenCpuSeconds(): Promise<number | null> {
  const ticks = await ticksOf("self");
  return ticks === null ? null : ticks.endedChildrenTicks / ticksPerSecond;
}

/** The CPU time of one process, in seconds. NaN if it has ended, and on systems without /proc. */
export async function processCpuSeconds(processId: number): Promise<number> {
  const ticks = await ticksOf(String(processId));
  return ticks === null ? Number.NaN : ticks.ownTicks / ticksPerSecond;
}

interface ProcessTicks {
  parent: string;
  ownTicks: number;
  /** The CPU time of children that have ended. */
  endedChildrenTicks: number;
}

/** The CPU time of a process; null if it has ended, and on systems without /proc. */
async function ticksOf(pid: string): Promise<ProcessTicks | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The name of the program, in parentheses, may have spaces. proc_pid_stat(5) numbers the fields from 1.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => fields[number - 3] ?? "";
  return {
    parent: field(4),
    ownTicks: Number(field(14)) + Number(field(15)),
    endedChildrenTicks: Number(field(16)) + Number(field(17)),
  };
}
