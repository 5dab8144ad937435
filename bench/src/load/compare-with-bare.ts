import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Service } from "../bench.ts";
import { freePort } from "../processes/free-port.ts";
import { type RunningProgram, start } from "../processes/programs.ts";
import type { Load } from "./burst.ts";
import { get } from "./request.ts";
import { inTurns, medianOf, shareOf } from "./turns.ts";

const connections = 64;

interface Comparison {
  name: string;
  /** Requested once beforehand: the body that the bare server sends. */
  sample: string;
  paths: (round: number) => string[];
  headers?: Record<string, string>;
  /** The bare server's status; with 304 it sends no body. */
  status?: 200 | 304;
  /** Runs before each burst to the API. */
  prepare?: () => Promise<unknown>;
  targetRatio: number;
}

/** Sends bursts to the API and to a bare HTTPS server with the same response body, in turns, and reports the ratio. */
export async function compareWithBare(bench: Bench, comparison: Comparison): Promise<void> {
  const { name, sample, paths, headers, status = 200, prepare, targetRatio } = comparison;
  const body = status === 304 ? "" : (await get(bench, sample)).body;
  await withBareServer(bench, status, body, async (origin) => {
    const { bare, ours } = await inTurns(bench, name, {
      bare: { load: (round) => loadOf(bench, bench, paths(round), headers, origin) },
      ours: { ...(prepare && { prepare }), load: (round) => loadOf(bench, bench, paths(round), headers) },
    });
    const row = (label: string, value: number, unit: string) =>
      bench.report({ case: `${name}: ${label}`, value, unit, target: null });
    row("bare server", medianOf(bare, "requestsPerSecond"), "requests/s");
    row("API", medianOf(ours, "requestsPerSecond"), "requests/s");
    row("API p50", medianOf(ours, "p50Ms"), "ms");
    row("API p99", medianOf(ours, "p99Ms"), "ms");
    bench.report({
      case: `${name}: ratio`,
      value: shareOf(ours, bare),
      unit: "× the bare server's rate",
      target: { min: targetRatio },
    });
  });
}

/** One burst to a service, with its key; the connections never pause. */
export const loadOf = (
  { seconds }: Pick<Bench, "seconds">,
  { origin, key }: Service,
  paths: string[],
  headers: Record<string, string> = {},
  otherOrigin = origin,
): Load => ({
  origin: otherOrigin,
  paths,
  headers: { authorization: `Bearer ${key}`, accept: "application/json", ...headers },
  connections,
  seconds,
});

/** Runs a server that sends this body for every request. */
export async function withBareServer(
  { dataDir }: Pick<Bench, "dataDir">,
  status: number,
  body: string,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const bodyFile = join(dataDir, "bare-body.json");
  await writeFile(bodyFile, body);
  const bareServer = await startBareServer(dataDir, status, bodyFile);
  try {
    await work(bareServer.origin);
  } finally {
    await bareServer.stop();
  }
}

/** Starts a server that sends the content of a file for every request, with the service's certificate. */
export async function startBareServer(
  dataDir: string,
  status: number,
  bodyFile: string,
): Promise<{ origin: string } & Pick<RunningProgram, "stop">> {
  const program = fileURLToPath(new URL("../../programs/bare-server.ts", import.meta.url));
  const port = await freePort();
  const { key, certificate } = tlsFiles(dataDir);
  const { stop } = await start([program, String(port), key, certificate, String(status), bodyFile], {}, /bare ready/);
  return { origin: `https://127.0.0.1:${port}`, stop };
}

/** The service's own certificate, for other servers on this machine. */
export const tlsFiles = (dataDir: string) => ({
  key: join(dataDir, "tls/server-key.pem"),
  certificate: join(dataDir, "tls/server.pem"),
});
