import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import type { Bench, Service } from "../../bench.ts";
import { loadOf } from "../../load/compare-with-bare.ts";
import { cpuSecondsOf } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { cpuRatioOf, inTurns, medianOf, type Side, shareOf } from "../../load/turns.ts";
import { startSecondServer } from "./tracing.ts";

const run = promisify(execFile);
/** The limit for the CPU time of a request with two threads, as a multiple of the CPU time with one thread. */
const maxRatio = 1.05;
const connectionsPerThread = 64;
/** Each thread compiles the program for itself, so two threads need twice as many requests until they are fast. */
const warmUpSeconds = 20;

/**
 * Compares two servers on one database, one with a single thread and one with two. If the system can pin processes,
 * both servers run on the last core, and the load generator on core 0. So a server with two threads cannot win by using
 * a second core: the result compares the CPU time per request. PostgreSQL is not pinned. Each thread has as many
 * connections as the single thread: with fewer, it would send smaller batches.
 */
export async function threads(bench: Bench): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const startServer = async (count: string) => {
    const { service, processId, stop } = await startSecondServer(
      bench,
      `threads-${count}`,
      { THREADS: count },
      warmUpSeconds,
    );
    stops.push(stop);
    await pin(processId, String(availableParallelism() - 1));
    return service;
  };
  try {
    const servers = { one: await startServer("1"), two: await startServer("2") };
    await pin(process.pid, "0");
    await compare(bench, servers, "GET /beats, warm, two threads", () => ["/v1/beats"]);
    const ids = shuffled(bench.beats);
    const idsPerRound = Math.floor(ids.length / (bench.rounds + 1));
    const pathsOfRound = (round: number) =>
      ids.slice(round * idsPerRound, (round + 1) * idsPerRound).map((id) => `/v1/beats/${id}`);
    await compare(bench, servers, "GET /beats/{id}, every id different, two threads", pathsOfRound);
  } finally {
    await pin(process.pid, `0-${availableParallelism() - 1}`);
    for (const stop of stops.toReversed()) await stop();
  }
}

async function compare(
  bench: Bench,
  { one, two }: Record<"one" | "two", Service>,
  name: string,
  paths: (round: number) => string[],
): Promise<void> {
  const side = (service: Service, threadCount: number): Side => ({
    cpuSeconds: () => cpuSecondsOf(service),
    load: (round) => ({
      ...loadOf(bench, service, paths(round)),
      connections: threadCount * connectionsPerThread,
    }),
  });
  const bursts = await inTurns(bench, name, { one: side(one, 1), two: side(two, 2) });
  const row = (label: string, value: number, unit: string, target: { max: number } | null = null) =>
    bench.report({ case: `${name}: ${label}`, value, unit, target });
  for (const serverName of ["one", "two"] as const) {
    row(serverName, medianOf(bursts[serverName], "requestsPerSecond"), "requests/s");
    row(`${serverName}, CPU`, medianOf(bursts[serverName], "cpuMicros"), "µs a request");
  }
  row("ratio", shareOf(bursts.two, bursts.one), "× the rate with one thread");
  row("CPU ratio", cpuRatioOf(bursts.two, bursts.one), "× the CPU time with one thread", { max: maxRatio });
}

/** Restricts all threads of a process to these cores. */
async function pin(processId: number, cores: string): Promise<void> {
  await run("taskset", ["-apc", cores, String(processId)]).catch(() => {});
}
