import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../bench.ts";
import { startBareServer } from "../../load/compare-with-bare.ts";
import { holdDatabase } from "../../processes/database.ts";
import { serve } from "../../processes/programs.ts";
import { median } from "../../report/statistics.ts";

const pollMs = 5;

type Starting = Pick<Bench, "dataDir" | "env" | "origin" | "key" | "rounds" | "report">;

/**
 * From the start of the process, database included, to the first response with beats; against the start of the same
 * PostgreSQL and then a bare HTTPS server up to its first response. The database must not be running.
 */
export async function startUp(bench: Starting): Promise<void> {
  const { env, origin, key, rounds, report } = bench;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now();
    const starting = serve(env);
    await firstResponse(`${origin}/v1/beats`, key);
    ours.push(performance.now() - startedMs);
    await (await starting).stop();
    bare.push(await bareStartMs(bench));
  }
  const value = median(ours.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
  report({ case: "start to first response", value: median(ours) / 1_000, unit: "s", target: null });
  report({ case: "start of PostgreSQL and a bare server", value: median(bare) / 1_000, unit: "s", target: null });
  report({ case: "start to first response: ratio", value, unit: "times", target: { max: 3 } });
}

async function bareStartMs({ dataDir, key }: Starting): Promise<number> {
  const bodyFile = join(dataDir, "bare-body.json");
  await writeFile(bodyFile, "{}");
  const startedMs = performance.now();
  const database = await holdDatabase(dataDir);
  const bare = await startBareServer(dataDir, 200, bodyFile);
  await firstResponse(bare.origin, key);
  const durationMs = performance.now() - startedMs;
  await bare.stop();
  await database.stop();
  return durationMs;
}

async function firstResponse(url: string, key: string): Promise<void> {
  while (!(await isOk(url, key))) await sleep(pollMs);
}

async function isOk(url: string, key: string): Promise<boolean> {
  // A first run has no certificate to trust yet, and the traffic stays on this machine.
  const agent = new Agent({ rejectUnauthorized: false });
  const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }).end();
  try {
    const [response] = await once(sent, "response");
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  } finally {
    agent.destroy();
  }
}
