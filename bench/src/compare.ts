import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Service } from "./bench.ts";
import { contest, medianOf, shareOf } from "./contest.ts";
import type { Load } from "./load.ts";
import { start } from "./programs.ts";
import { get } from "./request.ts";

const barePort = 18_444;
const connections = 64;

interface Comparison {
  name: string;
  /** Asked for once beforehand: the bytes that the bare server answers. */
  sample: string;
  paths: (round: number) => string[];
  headers?: Record<string, string>;
  /** Of the bare server's answers, which have no body when it is 304. */
  status?: 200 | 304;
  /** Before each of our bursts. */
  prepare?: () => Promise<unknown>;
  reachRatio: number;
}

/** Drives the API and a bare HTTPS server that answers the same bytes, in turn, and reports the ratio. */
export async function compareWithBare(bench: Bench, comparison: Comparison): Promise<void> {
  const { name, sample, paths, headers, status = 200, prepare, reachRatio } = comparison;
  const body = status === 304 ? "" : (await get(bench, sample)).body;
  await withBareServer(bench, status, body, async (origin) => {
    const { bare, ours } = await contest(bench, name, {
      bare: { load: (round) => loadOf(bench, bench, paths(round), headers, origin) },
      ours: { ...(prepare && { prepare }), load: (round) => loadOf(bench, bench, paths(round), headers) },
    });
    const row = (what: string, value: number, unit: string) =>
      bench.report({ case: `${name}: ${what}`, value, unit, reach: null });
    row("bare server", medianOf(bare, "requestsPerSecond"), "requests/s");
    row("API", medianOf(ours, "requestsPerSecond"), "requests/s");
    row("API p50", medianOf(ours, "p50Ms"), "ms");
    row("API p99", medianOf(ours, "p99Ms"), "ms");
    bench.report({ case: `${name}: ratio`, value: shareOf(ours, bare), unit: "of bare", reach: { min: reachRatio } });
  });
}

/** One burst of a service's, with its key, as fast as it answers. */
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

/** Runs a server that does nothing but answer these bytes. */
export async function withBareServer(
  { dataDir }: Pick<Bench, "dataDir">,
  status: number,
  body: string,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const bodyFile = join(dataDir, "bare-body.json");
  await writeFile(bodyFile, body);
  const program = fileURLToPath(new URL("../programs/bare-server.ts", import.meta.url));
  const { key, certificate } = tlsFiles(dataDir);
  const bare = await start([program, String(barePort), key, certificate, String(status), bodyFile], {}, /bare ready/);
  try {
    await work(`https://127.0.0.1:${barePort}`);
  } finally {
    await bare.stop();
  }
}

/** What the server made itself, for others on this machine to answer with. */
export const tlsFiles = (dataDir: string) => ({
  key: join(dataDir, "tls/server-key.pem"),
  certificate: join(dataDir, "tls/server.pem"),
});
