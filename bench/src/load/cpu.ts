import type { Bench } from "../bench.ts";
import { withDatabase } from "../processes/database.ts";
import { databaseCpuSeconds } from "../processes/database-cpu.ts";
import { cpuSecondsOf } from "./request.ts";

/** CPU milliseconds of server and PostgreSQL for each call; null if the CPU time of processes cannot be read. */
export async function cpuMillis(bench: Bench, calls: number, call: () => Promise<unknown>): Promise<number | null> {
  const cpuSeconds = () =>
    withDatabase(bench.databaseUrl, async (client) => {
      const ofDatabase = await databaseCpuSeconds(client);
      return ofDatabase === null ? null : ofDatabase + (await cpuSecondsOf(bench));
    });
  const before = await cpuSeconds();
  for (let index = 0; index < calls; index++) await call();
  const after = await cpuSeconds();
  return before === null || after === null ? null : ((after - before) / calls) * 1_000;
}
