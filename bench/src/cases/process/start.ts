import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../bench.ts";
import { startBareServer } from "../../load/compare-with-bare.ts";
import { holdDatabase, makeDatabase } from "../../processes/database.ts";
import { internalKey, serve } from "../../processes/programs.ts";
import { median } from "../../report/statistics.ts";

const pollMs = 5;

type Starting = Pick<Bench, "dataDir" | "env" | "origin" | "key" | "rounds" | "report">;

/**
 * Measures the time from the start of the process, database included, to the first response with beats. Compares the start
 * with a snapshot of the index with two others: that of the same PostgreSQL and a bare HTTPS server, and that of the same
 * service on the demo's 500 beats. The database must not be running.
 */
export async function startUp(bench: Starting): Promise<void> {
  const { rounds, report } = bench;
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-start-"));
  await chmod(folder, 0o711);
  try {
    const demo = { ...bench, dataDir: folder, env: { ...bench.env, DATA_DIR: folder, DEMO: "on" } };
    await makeDatabase(demo.env);
    const withKey = { ...demo, key: await internalKey(demo.env) };
    // The first start writes the snapshot, or the demo catalogue.
    report({ case: "start without a snapshot", value: (await startMs(bench)) / 1_000, unit: "s", target: null });
    await startMs(withKey);
    const ours: number[] = [];
    const bare: number[] = [];
    const few: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await startMs(bench));
      few.push(await startMs(withKey));
      bare.push(await bareStartMs(bench));
    }
    const ratioTo = (others: number[]) => median(ours.map((ms, round) => ms / (others[round] ?? Number.NaN)));
    report({ case: "start to first response", value: median(ours) / 1_000, unit: "s", target: null });
    report({ case: "start with 500 beats", value: median(few) / 1_000, unit: "s", target: null });
    report({ case: "start of PostgreSQL and a bare server", value: median(bare) / 1_000, unit: "s", target: null });
    report({ case: "start: to that with 500 beats", value: ratioTo(few), unit: "times", target: { max: 3 } });
    report({ case: "start: to PostgreSQL and a bare server", value: ratioTo(bare), unit: "times", target: { max: 3 } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts and stops the service. Returns the milliseconds until its first response. */
export async function startMs({ env, origin, key }: Pick<Starting, "env" | "origin" | "key">): Promise<number> {
  const startedMs = performance.now();
  const starting = serve(env);
  await firstResponse(`${origin}/v1/beats`, key);
  const durationMs = performance.now() - startedMs;
  await (await starting).stop();
  return durationMs;
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

/** Waits until a list of beats has a response: without a snapshot, a server is ready before its index is built. */
export async function firstResponse(url: string, key: string): Promise<void> {
  while (!(await isOk(url, key))) await sleep(pollMs);
}

async function isOk(url: string, key: string): Promise<boolean> {
  // A first run has no certificate that could be trusted yet, and the traffic stays on this machine.
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
