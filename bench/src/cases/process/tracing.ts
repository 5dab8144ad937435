import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Service } from "../../bench.ts";
import { loadOf, tlsFiles } from "../../load/compare-with-bare.ts";
import { cpuSecondsOf } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { cpuRatioOf, inTurns, medianOf, type Side, shareOf } from "../../load/turns.ts";
import { freePort } from "../../processes/free-port.ts";
import { serve, start } from "../../processes/programs.ts";
import { firstResponse } from "./start.ts";

/** The target for the rate with tracing by the default settings, as a share of the rate without tracing. */
const targetRatio = 0.85;
/** The warm-up of each load, in which the JIT compiles the code. */
const usualWarmUpSeconds = 8;
const collectorProgram = fileURLToPath(new URL("../../../programs/collector.ts", import.meta.url));

/** A server without tracing, one with the default sampling, and one that records every request. */
type Servers = Record<"off" | "sampled" | "always on", Service>;

/** Compares three servers on one database. Two of them send traces to a collector that discards them. */
export async function tracing(bench: Bench): Promise<void> {
  const port = await freePort();
  const collector = await start([collectorProgram, String(port)], {}, /collector ready/);
  const tracingEnv = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const stops = [collector.stop];
  const startServer = async (name: string, settings: Record<string, string>) => {
    const { service, stop } = await startSecondServer(bench, name, settings);
    stops.push(stop);
    return service;
  };
  try {
    const servers: Servers = {
      off: await startServer("untraced", {}),
      sampled: await startServer("traced", tracingEnv),
      "always on": await startServer("always-traced", { ...tracingEnv, OTEL_TRACES_SAMPLER: "always_on" }),
    };
    await compare(bench, servers, "GET /beats, warm, traced", () => ["/v1/beats"]);
    const ids = shuffled(bench.beats);
    const idsPerRound = Math.floor(ids.length / (bench.rounds + 1));
    const pathsOfRound = (round: number) =>
      ids.slice(round * idsPerRound, (round + 1) * idsPerRound).map((id) => `/v1/beats/${id}`);
    await compare(bench, servers, "GET /beats/{id}, every id different, traced", pathsOfRound);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function compare(bench: Bench, servers: Servers, name: string, paths: (round: number) => string[]) {
  const side = (service: Service): Side => ({
    cpuSeconds: () => cpuSecondsOf(service),
    load: (round) => loadOf(bench, service, paths(round)),
  });
  const bursts = await inTurns(bench, name, {
    off: side(servers.off),
    sampled: side(servers.sampled),
    "always on": side(servers["always on"]),
  });
  const row = (label: string, value: number, unit: string, target: { min: number } | null = null) =>
    bench.report({ case: `${name}: ${label}`, value, unit, target });
  for (const serverName of Object.keys(servers) as (keyof Servers)[]) {
    row(serverName, medianOf(bursts[serverName], "requestsPerSecond"), "requests/s");
    row(`${serverName}, CPU`, medianOf(bursts[serverName], "cpuMicros"), "µs a request");
  }
  const { off, sampled, "always on": alwaysOn } = bursts;
  row("ratio", shareOf(sampled, off), "× the rate without tracing", { min: targetRatio });
  row("CPU ratio", cpuRatioOf(sampled, off), "× the CPU time without tracing");
  row("ratio, always on", shareOf(alwaysOn, off), "× the rate without tracing");
  row("CPU ratio, always on", cpuRatioOf(alwaysOn, off), "× the CPU time without tracing");
}

/** Starts another server on the database of the bench, and warms it up with the loads of both comparisons. */
export async function startSecondServer(
  bench: Bench,
  name: string,
  settings: Record<string, string>,
  warmUpSeconds = usualWarmUpSeconds,
) {
  const { key: keyFile, certificate } = tlsFiles(bench.dataDir);
  const dataDir = join(bench.dataDir, name);
  await mkdir(dataDir, { recursive: true });
  await copyFile(join(bench.dataDir, "secret-key"), join(dataDir, "secret-key"));
  const port = await freePort();
  const running = await serve({
    ...bench.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: bench.databaseUrl,
    STORAGE_URL: `file://${join(bench.dataDir, "objects")}`,
    TLS_KEY: keyFile,
    TLS_CERT: certificate,
    ...settings,
  });
  const service = { origin: `https://localhost:${port}`, key: bench.key, caFile: bench.caFile };
  await firstResponse(`${service.origin}/v1/beats`, bench.key);
  // Through /api/v1, which has its own cache entries, so that the /v1 paths to be measured are not cached yet.
  const beatPaths = shuffled(bench.beats).map((id) => `/api/v1/beats/${id}`);
  const warmUp = (paths: string[]): Side => ({ load: () => loadOf({ seconds: warmUpSeconds }, service, paths) });
  await inTurns({ rounds: 1, report: () => {} }, name, {
    warm: warmUp(["/v1/beats"]),
    different: warmUp(beatPaths),
  });
  return { service, processId: running.processId, stop: running.stop };
}
