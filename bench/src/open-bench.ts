import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bench, type Service, type SmallService, smallBeats } from "./bench.ts";
import { firstResponse, startUp } from "./cases/process/start.ts";
import { keptCatalogue } from "./catalogue/kept-catalogue.ts";
import { burst } from "./load/burst.ts";
import { loadOf, tlsFiles } from "./load/compare-with-bare.ts";
import { shuffled } from "./load/shuffle.ts";
import { copyDatabase, databaseUrl, holdDatabase, withDatabase } from "./processes/database.ts";
import { freePort } from "./processes/free-port.ts";
import { internalKey, type RunningProgram, runProgram, serve } from "./processes/programs.ts";

const warmUpPaths = 30_000;
const warmUpPages = 400;
const smallDatabase = "beatmarket_small";
const fillCompileCache = "scripts/node/fill-compile-cache.mjs";

export type BenchOptions = Pick<
  Bench,
  "dataDir" | "beats" | "source" | "rounds" | "seconds" | "report" | "say" | "progress"
> & {
  /** Whether to measure the start first, while nothing else runs. */
  start: boolean;
};

/**
 * Loads the catalogue unless an earlier run did, starts the server on a copy of it, and runs `work`. The copy is the
 * data folder's main database: every run begins with the same rows, and the server needs no setting for the database.
 */
export async function withBench(options: BenchOptions, work: (bench: Bench) => Promise<void>): Promise<void> {
  const { dataDir, say } = options;
  await mkdir(dataDir, { recursive: true });
  // If the bench runs as root, PostgreSQL runs under another account, which needs access.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const env = { DATA_DIR: dataDir, PORT: String(port), DEMO: "off", LOG_LEVEL: "fatal", WEBHOOK_ALLOW_PRIVATE: "on" };
  const common = { ...options, env, origin: `https://localhost:${port}`, caFile: join(dataDir, "tls/ca.pem") };

  const copiedDatabase = await holdDatabase(dataDir);
  await copyKept(options, copiedDatabase.url, options.beats, { name: "beatmarket", serverDataDir: dataDir }).finally(
    copiedDatabase.stop,
  );
  // Without this, the first run after a change of the code would measure a server that has Node's TypeScript compiler
  // in its memory.
  await runProgram([fillCompileCache]);
  const key = await internalKey(env);
  if (options.start) await startUp({ ...common, key });

  const database = await holdDatabase(dataDir);
  const stopping = [database.stop];
  let small: Promise<SmallService> | undefined;
  try {
    const server = await serve(env);
    stopping.push(server.stop);
    const bench: Bench = {
      ...common,
      key,
      processId: server.processId,
      databaseUrl: database.url,
      small: () => {
        small ??= startSmall(bench).then(({ service, running }) => {
          stopping.push(running.stop);
          return service;
        });
        return small;
      },
    };
    say("building the index …");
    await firstResponse(`${bench.origin}/v1/beats`, key);
    say("warming up …");
    await warmUp(bench, bench.beats);
    await work(bench);
  } finally {
    for (const stop of stopping.toReversed()) await stop();
  }
}

/**
 * Lets the JIT compile the hot paths and PostgreSQL read its indexes. Most requests use the base address /api/v1, whose
 * cache entries are separate from those of /v1, so that the cases do not get responses that the warm-up cached.
 */
async function warmUp(service: Service, beats: number): Promise<void> {
  const paths = shuffled(beats)
    .slice(0, warmUpPaths)
    .map((id) => (id % 3 === 0 ? `/api/v1/beats?page=${1 + (id % warmUpPages)}` : `/api/v1/beats/${id}`));
  await burst(loadOf({ seconds: 3 }, service, ["/v1/beats", "/v1/beats?limit=100", ...paths]));
}

/** Replaces a database by a copy of a stored catalogue. Deletes the objects of the server's data folder. */
async function copyKept(
  options: BenchOptions,
  url: string,
  beats: number,
  { name, serverDataDir }: { name: string; serverDataDir: string },
): Promise<void> {
  const template = await keptCatalogue({ ...options, serverUrl: url, beats, folder: join(options.dataDir, "loading") });
  await withDatabase(databaseUrl(url, "postgres"), (client) => copyDatabase(client, template, name));
  await rm(join(serverDataDir, "objects"), { recursive: true, force: true });
}

async function startSmall(bench: Bench): Promise<{ service: SmallService; running: RunningProgram }> {
  const { key: keyFile, certificate } = tlsFiles(bench.dataDir);
  const url = databaseUrl(bench.databaseUrl, smallDatabase);
  const dataDir = join(bench.dataDir, "small");
  await copyKept({ ...bench, start: false }, bench.databaseUrl, smallBeats, {
    name: smallDatabase,
    serverDataDir: dataDir,
  });
  const port = await freePort();
  const env = {
    ...bench.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    TLS_KEY: keyFile,
    TLS_CERT: certificate,
  };
  const key = await internalKey(env);
  const running = await serve(env);
  const service = { origin: `https://localhost:${port}`, key, caFile: bench.caFile, databaseUrl: url };
  await firstResponse(`${service.origin}/v1/beats`, key);
  await warmUp(service, smallBeats);
  return { service, running };
}
