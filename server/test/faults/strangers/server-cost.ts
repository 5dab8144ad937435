import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TestDatabase } from "../../harness/database/driver.ts";
import { residentMb } from "../cases/receivers.ts";
import type { Program, Stage } from "../stage/stage.ts";

/** The resources that a server has used so far. */
export interface ServerCost {
  /** Processor time of all threads of the server. */
  cpuSeconds: number;
  memoryMb: number;
  /** Bytes of the database and of the server's files, including the log. */
  keptBytes: number;
}

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

export async function serverCost(stage: Stage, server: Program, database: TestDatabase): Promise<ServerCost> {
  const { pid } = server.child;
  const [cpuSeconds, memoryMb, keptBytes] = await Promise.all([
    cpuSecondsOf(pid),
    residentMb(pid),
    keptBytesOf(stage, database),
  ]);
  return { cpuSeconds, memoryMb, keptBytes };
}

async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The command's name may contain anything. The 12th and 13th fields after it are user and system time.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function keptBytesOf(stage: Stage, { driver }: TestDatabase): Promise<number> {
  const [row] = await driver<{ bytes: string }[]>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace`;
  const files = (await readdir(stage.folder, { recursive: true })).filter((file) => /^(data-0|log-0)(\/|$)/.test(file));
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(stage.folder, file)).then(
        (stats) => (stats.isFile() ? stats.size : 0),
        () => 0,
      ),
    ),
  );
  return Number(row?.bytes) + sizes.reduce((sum, bytes) => sum + bytes, 0);
}
