import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Bench } from "../../bench.ts";
import { startBareServer } from "../../load/compare-with-bare.ts";
import { holdDatabase, makeDatabase } from "../../processes/database.ts";
import { internalKey, serve } from "../../processes/programs.ts";
import { median } from "../../report/statistics.ts";

const pollMs = 5;

type StartBench = Pick<Bench, "dataDir" | "env" | "origin" | "key" | "rounds" | "report">;

/**
 * Measures the time from the start of the process, database included, to the first response with beats. Compares a
 * start with the snapshot of the index with three other starts: the same PostgreSQL and a bare HTTPS server, the same
 * service on the demo's 500 beats, and a service that has a snapshot only in the storage. The database must not be
 * running.
 */
export async function startUp(bench: StartBench): Promise<void> {
  const { rounds, report } = bench;
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-start-"));
  await chmod(folder, 0o711);
  try {
    const demo = { ...bench, dataDir: folder, env: { ...bench.env, DATA_DIR: folder, DEMO: "on" } };
    await makeDatabase(demo.env);
    const demoWithKey = { ...demo, key: await internalKey(demo.env) };
    // The first start of the service writes its snapshot, and the first start of the demo writes the demo catalogue.
    report({ case: "start without a snapshot", value: (await startMs(bench)) / 1_000, unit: "s", target: null });
    await startMs(demoWithKey);
    const ownMs: number[] = [];
    const bareMs: number[] = [];
    const demoMs: number[] = [];
    const sharedMs: number[] = [];
    const sharing = sharedBy(bench);
    await storeSnapshot(sharing);
    for (let round = 0; round < rounds; round++) {
      ownMs.push(await startMs(bench));
      await rm(join(bench.dataDir, "catalogue-index"), { recursive: true });
      sharedMs.push(await startMs(sharing));
      demoMs.push(await startMs(demoWithKey));
      bareMs.push(await bareStartMs(bench));
    }
    const ratioOf = (startsMs: number[], otherMs: number[]) =>
      median(startsMs.map((ms, round) => ms / (otherMs[round] ?? Number.NaN)));
    report({ case: "start to first response", value: median(ownMs) / 1_000, unit: "s", target: null });
    report({ case: "start with 500 beats", value: median(demoMs) / 1_000, unit: "s", target: null });
    report({ case: "start of PostgreSQL and a bare server", value: median(bareMs) / 1_000, unit: "s", target: null });
    report({ case: "start: relative to 500 beats", value: ratioOf(ownMs, demoMs), unit: "×", target: { max: 3 } });
    report({ case: "start from the storage's snapshot", value: median(sharedMs) / 1_000, unit: "s", target: null });
    report({
      case: "start from the storage's snapshot: relative to its own snapshot",
      value: ratioOf(sharedMs, ownMs),
      unit: "×",
      target: { max: 1.5 },
    });
    report({
      case: "start: relative to PostgreSQL and a bare server",
      value: ratioOf(ownMs, bareMs),
      unit: "×",
      target: { max: 3 },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same service with a named storage, as instances share it. The storage is the folder that the database knows. */
const sharedBy = (bench: StartBench): StartBench => ({
  ...bench,
  env: { ...bench.env, STORAGE_URL: pathToFileURL(join(bench.dataDir, "objects")).href },
});

/** Lets the service store the snapshot of its index in the named storage. */
async function storeSnapshot({ env, origin, key, dataDir }: StartBench): Promise<void> {
  const starting = serve(env);
  await firstResponse(`${origin}/v1/beats`, key);
  while (!(await hasSharedSnapshot(dataDir))) await sleep(pollMs);
  await (await starting).stop();
}

async function hasSharedSnapshot(dataDir: string): Promise<boolean> {
  const names = await readdir(join(dataDir, "objects/catalogue-index"), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return names.some((entry) => entry.isFile());
}

/** Starts and stops the service. Returns the milliseconds until its first response. */
export async function startMs({ env, origin, key }: Pick<StartBench, "env" | "origin" | "key">): Promise<number> {
  const startedMs = performance.now();
  const starting = serve(env);
  await firstResponse(`${origin}/v1/beats`, key);
  const durationMs = performance.now() - startedMs;
  await (await starting).stop();
  return durationMs;
}

async function bareStartMs({ dataDir, key }: StartBench): Promise<number> {
  const bodyFile = join(dataDir, "bare-body.json");
  await writeFile(bodyFile, "{}");
  const startedMs = performance.now();
  const database = await holdDatabase(dataDir);
  const bareServer = await startBareServer(dataDir, 200, bodyFile);
  await firstResponse(bareServer.origin, key);
  const durationMs = performance.now() - startedMs;
  await bareServer.stop();
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
  const outgoing = request(url, { agent, headers: { authorization: `Bearer ${key}` } }).end();
  try {
    const [response] = await once(outgoing, "response");
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  } finally {
    agent.destroy();
  }
}
