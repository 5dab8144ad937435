import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Bench, Service } from "../bench.ts";
import { loadOf, tlsFiles } from "../compare.ts";
import { contest, medianOf, shareOf } from "../contest.ts";
import { addBeats, withDatabase } from "../database.ts";
import { pagePaths } from "../page-paths.ts";
import { type Running, serve, start } from "../programs.ts";
import { median } from "../report.ts";
import { readPage } from "../request.ts";
import { shuffled } from "../shuffle.ts";
import { makeStale } from "./once.ts";

const onePort = 18_460;
const allPort = 18_461;
const firstPort = 18_462;
const writes = 20;
const pollMs = 5;
const patienceMs = 10_000;
const pagesASecond = 6_000;

/**
 * So many instances behind a proxy on the one database, against one behind the same proxy; and how long it takes until
 * what was written is seen on all of them.
 */
export async function instances(bench: Bench, count: number): Promise<void> {
  const { key, certificate } = tlsFiles(bench.dataDir);
  const running: Running[] = [];
  const services: Service[] = [bench];
  try {
    for (let n = 1; n < count; n++) {
      const port = firstPort + n;
      const dataDir = join(bench.dataDir, `instance-${n}`);
      const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: bench.databaseUrl };
      running.push(await serve({ ...bench.env, ...env, TLS_KEY: key, TLS_CERT: certificate }));
      services.push({ ...bench, origin: `https://localhost:${port}` });
    }
    const ports = services.map(({ origin }) => new URL(origin).port);
    const balancer = fileURLToPath(new URL("../../programs/balancer.ts", import.meta.url));
    running.push(await start([balancer, String(onePort), ...ports.slice(0, 1)], {}, /balancer ready/));
    running.push(await start([balancer, String(allPort), ...ports], {}, /balancer ready/));

    const ids = shuffled(bench.beats).slice(0, 200_000);
    await compareInstances(bench, count, "GET /beats, warm", ["/v1/beats"]);
    await compareInstances(
      bench,
      count,
      "GET /beats/{id}, every id different",
      ids.map((id) => `/v1/beats/${id}`),
    );
    const pages = await pagePaths(bench, bench.seconds * pagesASecond);
    await compareInstances(bench, count, "GET /beats, every page different", pages);

    const value = median(await writesSeen(bench, services));
    bench.report({ case: `${count} instances: a write is seen on all`, value, unit: "ms", reach: { max: 1_000 } });
  } finally {
    await Promise.all(running.map((its) => its.stop()));
  }
}

async function compareInstances(bench: Bench, count: number, name: string, paths: string[]): Promise<void> {
  const behind = (port: number) => ({
    prepare: () => makeStale(bench),
    load: () => loadOf(bench, bench, paths, {}, `https://localhost:${port}`),
  });
  const { direct, one, all } = await contest(bench, name, {
    direct: { prepare: () => makeStale(bench), load: () => loadOf(bench, bench, paths) },
    one: behind(onePort),
    all: behind(allPort),
  });
  for (const [label, bursts] of [
    ["1 without a proxy", direct],
    ["1 behind the proxy", one],
    [`${count} behind the proxy`, all],
  ] as const)
    bench.report({
      case: `${name}: ${label}`,
      value: medianOf(bursts, "requestsPerSecond"),
      unit: "requests/s",
      reach: null,
    });
  bench.report({ case: `${name}: ${count} to 1`, value: shareOf(all, one), unit: "times the rate", reach: null });
}

/** From a beat's commit until every instance's total has it, in milliseconds; each total was kept before. */
const writesSeen = (bench: Bench, services: Service[]): Promise<number[]> =>
  withDatabase(bench.databaseUrl, async (client) => {
    const total = async (service: Service) => (await readPage(service, "/v1/beats?limit=1")).pagination.total;
    const durationsMs: number[] = [];
    for (let write = 0; write < writes; write++) {
      const before = await Promise.all(services.map(total));
      await addBeats(client, bench.beats, 1);
      const committedMs = performance.now();
      for (const [n, service] of services.entries()) {
        while ((await total(service)) === before[n]) {
          if (performance.now() - committedMs > patienceMs) throw new Error(`Instance ${n + 1} never saw a write.`);
          await sleep(pollMs);
        }
      }
      durationsMs.push(performance.now() - committedMs);
    }
    return durationsMs;
  });
