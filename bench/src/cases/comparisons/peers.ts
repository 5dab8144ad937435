import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Bench, Service } from "../../bench.ts";
import { invalidateLists } from "../../catalogue/changes.ts";
import { loadOf, tlsFiles, withBareServer } from "../../load/compare-with-bare.ts";
import { get } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { inTurns, medianOf, shareOf } from "../../load/turns.ts";
import { withDatabase } from "../../processes/database.ts";
import { freePort } from "../../processes/free-port.ts";
import { type RunningProgram, start } from "../../processes/programs.ts";

const peers = [
  { name: "Fastify + pg", program: "fastify-pg.ts" },
  { name: "Express + Knex", program: "express-knex.ts" },
];
const idsRequested = 200_000;
const pollMs = 50;
const timeoutMs = 20_000;

/** Compares the service, and two simple alternatives on the same database, with the bare server. */
export async function comparePeers(bench: Bench): Promise<void> {
  const { key, certificate } = tlsFiles(bench.dataDir);
  const running: RunningProgram[] = [];
  try {
    const origins: Record<string, string> = {};
    for (const { name, program } of peers) {
      const port = await freePort();
      origins[name] = `https://localhost:${port}`;
      const file = fileURLToPath(new URL(`../../../peers/${program}`, import.meta.url));
      running.push(await start([file, String(port), key, certificate, bench.databaseUrl], {}, /peer ready/));
    }
    const byId = shuffled(bench.beats)
      .slice(0, idsRequested)
      .map((id) => `/v1/beats/${id}`);
    const compare = (name: string, ownPaths: string[], peerPaths: string[]) =>
      comparison(bench, origins, name, ownPaths, peerPaths);
    await compare("the first page with its total", ["/v1/beats"], ["/v1/beats"]);
    await compare("the first page without a total", ["/v1/beats"], ["/v1/beats?total=false"]);
    await compare("by id, every id different", byId, byId);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

/**
 * Waits until PostgreSQL is idle: a peer still processes requests whose clients disconnected at the end of the burst.
 */
const untilIdle = ({ databaseUrl }: Bench): Promise<void> =>
  withDatabase(databaseUrl, async (client) => {
    for (const endMs = performance.now() + timeoutMs; performance.now() < endMs; await sleep(pollMs)) {
      const { rows } = await client.query<{ active: number }>(
        `select count(*)::integer as active from pg_stat_activity
         where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rows[0]?.active === 0) return;
    }
  });

async function comparison(
  bench: Bench,
  origins: Record<string, string>,
  name: string,
  ownPaths: string[],
  peerPaths: string[],
): Promise<void> {
  const [sample = ""] = ownPaths;
  const { body } = await get(bench, sample);
  await withBareServer(bench, 200, body, async (origin) => {
    const idle = () => untilIdle(bench);
    const loadSide = (service: Service, paths: string[], otherOrigin?: string) => ({
      load: () => loadOf(bench, service, paths, {}, otherOrigin),
    });
    const contenders = {
      bare: { prepare: idle, ...loadSide(bench, ownPaths, origin) },
      "Beat Marketplace": { prepare: () => idle().then(() => invalidateLists(bench)), ...loadSide(bench, ownPaths) },
      ...Object.fromEntries(
        Object.entries(origins).map(([peer, origin]) => [
          peer,
          { prepare: idle, ...loadSide(bench, peerPaths, origin) },
        ]),
      ),
    };
    const { bare: bareBursts = [], ...peerBursts } = await inTurns<string>(bench, name, contenders);
    for (const [contender, bursts] of Object.entries(peerBursts)) {
      const label = `${name}: ${contender}`;
      const rate = medianOf(bursts, "requestsPerSecond");
      bench.report({ case: `${label}: rate`, value: rate, unit: "requests/s", target: null });
      bench.report({
        case: `${label}: share`,
        value: shareOf(bursts, bareBursts),
        unit: "× the bare server's rate",
        target: null,
      });
    }
  });
}
