import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Bench, Service } from "../../bench.ts";
import { addBeats, invalidateLists } from "../../catalogue/changes.ts";
import { medianBeatMs } from "../../load/beside-beats.ts";
import { loadOf, tlsFiles } from "../../load/compare-with-bare.ts";
import { readPage } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { inTurns, medianOf, shareOf } from "../../load/turns.ts";
import { pagePaths } from "../../paths/page-paths.ts";
import { withDatabase } from "../../processes/database.ts";
import { freePort } from "../../processes/free-port.ts";
import { type RunningProgram, serve, start } from "../../processes/programs.ts";
import { median } from "../../report/statistics.ts";

const writes = 20;
const pollMs = 5;
const timeoutMs = 10_000;
const pagesPerSecond = 6_000;

/**
 * Compares several instances on one database with one instance, both with the same proxy in front, and measures the
 * time until a write is visible in all instances.
 */
export async function instances(bench: Bench, count: number): Promise<void> {
  const { key, certificate } = tlsFiles(bench.dataDir);
  const running: RunningProgram[] = [];
  const services: Service[] = [bench];
  try {
    for (let n = 1; n < count; n++) {
      const port = await freePort();
      const dataDir = join(bench.dataDir, `instance-${n}`);
      const STORAGE_URL = pathToFileURL(join(bench.dataDir, "objects")).href;
      const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: bench.databaseUrl, STORAGE_URL };
      running.push(await serve({ ...bench.env, ...env, TLS_KEY: key, TLS_CERT: certificate }));
      services.push({ ...bench, origin: `https://localhost:${port}` });
    }
    const ports = services.map(({ origin }) => new URL(origin).port);
    const [onePort, allPort] = [await freePort(), await freePort()];
    const balancer = fileURLToPath(new URL("../../../programs/balancer.ts", import.meta.url));
    running.push(await start([balancer, String(onePort), ...ports.slice(0, 1)], {}, /balancer ready/));
    running.push(await start([balancer, String(allPort), ...ports], {}, /balancer ready/));

    const proxies = { onePort, allPort, count };
    const ids = shuffled(bench.beats).slice(0, 200_000);
    await compareInstances(bench, proxies, "GET /beats, warm", ["/v1/beats"]);
    await compareInstances(
      bench,
      proxies,
      "GET /beats/{id}, every id different",
      ids.map((id) => `/v1/beats/${id}`),
    );
    const pages = await pagePaths(bench, bench.seconds * pagesPerSecond);
    await compareInstances(bench, proxies, "GET /beats, every page different", pages);

    const value = median(await measureVisibility(bench, services));
    const beatMs = await medianBeatMs(bench);
    const name = `${count} instances: a write is seen on all`;
    bench.report({ case: name, value, unit: "ms", target: null });
    bench.report({
      case: `${name}, relative to a beat by id`,
      value: value / beatMs,
      unit: "× the time of a beat by id",
      target: { max: 50 },
    });
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

/** The proxy in front of one instance, and the proxy in front of all of them. */
interface Proxies {
  onePort: number;
  allPort: number;
  count: number;
}

async function compareInstances(bench: Bench, proxies: Proxies, name: string, paths: string[]): Promise<void> {
  const { onePort, allPort, count } = proxies;
  const throughProxy = (port: number) => ({
    prepare: () => invalidateLists(bench),
    load: () => loadOf(bench, bench, paths, {}, `https://localhost:${port}`),
  });
  const { direct, one, all } = await inTurns(bench, name, {
    direct: { prepare: () => invalidateLists(bench), load: () => loadOf(bench, bench, paths) },
    one: throughProxy(onePort),
    all: throughProxy(allPort),
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
      target: null,
    });
  bench.report({
    case: `${name}: ${count} relative to 1`,
    value: shareOf(all, one),
    unit: "× the rate of 1 behind the proxy",
    target: null,
  });
}

/**
 * Measures the milliseconds from a beat's commit until the totals of all instances, which were cached before, include
 * the beat.
 */
const measureVisibility = (bench: Bench, services: Service[]): Promise<number[]> =>
  withDatabase(bench.databaseUrl, async (client) => {
    const total = async (service: Service) => (await readPage(service, "/v1/beats?limit=1")).pagination.total;
    const durationsMs: number[] = [];
    for (let write = 0; write < writes; write++) {
      const before = await Promise.all(services.map(total));
      await addBeats(client, bench.beats, 1);
      const committedMs = performance.now();
      for (const [n, service] of services.entries()) {
        while ((await total(service)) === before[n]) {
          if (performance.now() - committedMs > timeoutMs) throw new Error(`Instance ${n + 1} never saw a write.`);
          await sleep(pollMs);
        }
      }
      durationsMs.push(performance.now() - committedMs);
    }
    return durationsMs;
  });
