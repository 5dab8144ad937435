import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Bench, Service } from "../bench.ts";
import { loadOf, tlsFiles, withBareServer } from "../compare.ts";
import { contest, medianOf, shareOf } from "../contest.ts";
import { withDatabase } from "../database.ts";
import { type Running, start } from "../programs.ts";
import { get } from "../request.ts";
import { shuffled } from "../shuffle.ts";
import { makeStale } from "./once.ts";

const peers = [
  { name: "Fastify + pg", program: "fastify-pg.ts", port: 18_447 },
  { name: "Express + Knex", program: "express-knex.ts", port: 18_448 },
];
const idsAsked = 200_000;
const pollMs = 50;
const patienceMs = 20_000;

/** What people would write instead, on the same database, as shares of the bare server, beside ours. */
export async function comparePeers(bench: Bench): Promise<void> {
  const { key, certificate } = tlsFiles(bench.dataDir);
  const running: Running[] = [];
  try {
    for (const { program, port } of peers) {
      const file = fileURLToPath(new URL(`../../peers/${program}`, import.meta.url));
      running.push(await start([file, String(port), key, certificate, bench.databaseUrl], {}, /peer ready/));
    }
    const byId = shuffled(bench.beats)
      .slice(0, idsAsked)
      .map((id) => `/v1/beats/${id}`);
    await comparison(bench, "the first page with its total", ["/v1/beats"], ["/v1/beats"]);
    await comparison(bench, "the first page without a total", ["/v1/beats"], ["/v1/beats?total=false"]);
    await comparison(bench, "by id, every id different", byId, byId);
  } finally {
    await Promise.all(running.map((its) => its.stop()));
  }
}

/** What a peer was asked for at the end of its burst, it still works at when nobody waits for it any more. */
const untilIdle = ({ databaseUrl }: Bench): Promise<void> =>
  withDatabase(databaseUrl, async (client) => {
    for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await sleep(pollMs)) {
      const { rows } = await client.query<{ active: number }>(
        `select count(*)::integer as active from pg_stat_activity
         where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rows[0]?.active === 0) return;
    }
  });

async function comparison(bench: Bench, name: string, ours: string[], theirs: string[]): Promise<void> {
  const [sample = ""] = ours;
  const { body } = await get(bench, sample);
  await withBareServer(bench, 200, body, async (origin) => {
    const idle = () => untilIdle(bench);
    const driven = (service: Service, paths: string[], otherOrigin?: string) => ({
      load: () => loadOf(bench, service, paths, {}, otherOrigin),
    });
    const contenders = {
      bare: { prepare: idle, ...driven(bench, ours, origin) },
      "Beat Marketplace": { prepare: () => idle().then(() => makeStale(bench)), ...driven(bench, ours) },
      ...Object.fromEntries(
        peers.map((peer) => [peer.name, { prepare: idle, ...driven(bench, theirs, `https://localhost:${peer.port}`) }]),
      ),
    };
    const { bare = [], ...others } = await contest<string>(bench, name, contenders);
    for (const [contender, bursts] of Object.entries(others)) {
      const label = `${name}: ${contender}`;
      const rate = medianOf(bursts, "requestsPerSecond");
      bench.report({ case: `${label}: rate`, value: rate, unit: "requests/s", reach: null });
      bench.report({ case: `${label}: share`, value: shareOf(bursts, bare), unit: "of bare", reach: null });
    }
  });
}
