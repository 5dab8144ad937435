import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "../../harness/database/driver.ts";
import { percentile } from "../cases/overload.ts";
import { residentMb } from "../cases/receivers.ts";
import type { Fault } from "../fault.ts";
import { type Address, Client, type Reply, tallied } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Stage } from "../stage/stage.ts";
import type { Tally } from "./flood.ts";
import { shapes } from "./shapes.ts";

// docs/security.md, "What strangers may cost".
const connections = { whole: 200, short: 20 };
const seconds = { whole: 60, short: 1 };
const undisturbedSeconds = { whole: 30, short: 1 };
const p99Factor = 3;
const memoryGrowthLimitMb = 100;
const diskLimitMbPerMinute = 1;
/** Below this, the clock of a busy machine is what is measured. */
const leastP99Ms = 5;
const payingConnections = 4;
const pauseMs = 20;
const beats = 1_000;
/** Until what is written in batches is written. */
const settledMs = 1_500;

export const strangers: Fault = {
  name: "strangers",
  about: "200 connections without a key, in every shape known, beside a client that pays",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, beats);
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    const { address } = server;
    const key = await makeKey(db, "paying@example.com");
    await payingCalls(address, key, 5); // until everything is warm
    const emptyBytes = await keptBytes(stage, db);
    const without = waitsMs(await payingCalls(address, key, undisturbedSeconds[extent]));
    await sleep(settledMs);
    // The paying client's own calls are logged too.
    const ownBytesPerSecond = ((await keptBytes(stage, db)) - emptyBytes) / undisturbedSeconds[extent];
    const p99Ms = Math.max(leastP99Ms, percentile(without, 0.99));
    report.check("p99 without strangers", without.length > 0, `${percentile(without, 0.99).toFixed(1)} ms`);

    for (const shape of Object.keys(shapes)) {
      const [beforeMb, beforeBytes] = [await residentMb(server.child.pid), await keptBytes(stage, db)];
      let largestMb = beforeMb;
      const watch = setInterval(async () => {
        largestMb = Math.max(largestMb, await residentMb(server.child.pid));
      }, 500);
      const played = play(shape, connections[extent], seconds[extent], address);
      const replies = await payingCalls(address, key, seconds[extent]);
      const tally = await played;
      clearInterval(watch);
      const refused = replies.filter(({ status }) => status !== 200);
      report.check(`${shape}: the paying client's calls`, refused.length === 0, tallied(replies));
      report.bound(`${shape}: p99 of the paying client`, percentile(waitsMs(replies), 0.99), p99Factor * p99Ms, "ms");
      report.bound(`${shape}: memory grew by`, largestMb - beforeMb, memoryGrowthLimitMb, "MB");
      await sleep(settledMs);
      const writtenBytes = (await keptBytes(stage, db)) - beforeBytes - ownBytesPerSecond * seconds[extent];
      const writtenMb = Math.max(0, writtenBytes / 1_000_000) * (60 / seconds[extent]);
      report.bound(`${shape}: bytes kept on disk`, writtenMb, diskLimitMbPerMinute, "MB a minute");
      report.check(`${shape}: strangers were there`, hasCome(tally), shown(tally));
      report.check(`${shape}: the server goes on`, !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
    }
  },
};

/** What a client with a key is answered meanwhile: reads of the catalogue, most of them new. */
async function payingCalls(address: Address, key: string, forSeconds: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  const untilMs = performance.now() + forSeconds * 1_000;
  await Promise.all(
    Array.from({ length: payingConnections }, async (_, index) => {
      const client = new Client(address, key);
      for (let turn = index; performance.now() < untilMs; turn += payingConnections) {
        const paths = [
          `/beats?limit=20&page=${1 + (turn % 40)}`,
          `/search?q=golden+${turn}`,
          "/genres",
          `/beats/${1 + (turn % beats)}`,
        ];
        replies.push(await client.get(paths[(turn >> 2) % paths.length] ?? "/genres"));
        await sleep(pauseMs);
      }
      await client.close();
    }),
  );
  return replies;
}

const waitsMs = (replies: readonly Reply[]): number[] => replies.map(({ sentMs, endedMs }) => endedMs - sentMs);

/** Whether the shape met the server at all, and not only a closed door. */
const hasCome = (tally: Tally): boolean => Object.keys(tally).some((outcome) => outcome !== "none");

const shown = (tally: Tally): string =>
  Object.entries(tally)
    .map(([outcome, count]) => `${outcome} × ${count.toLocaleString("en")}`)
    .join(", ") || "none";

async function play(shape: string, count: number, forSeconds: number, address: Address): Promise<Tally> {
  const program = join(import.meta.dirname, "strangers.main.ts");
  const child = spawn(process.execPath, [program, shape, String(count), String(forSeconds), JSON.stringify(address)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output) as Tally;
}

/** Bytes of the database and of the server's own files, its log included. */
async function keptBytes(stage: Stage, { driver }: TestDatabase): Promise<number> {
  const [row] = await driver<{ bytes: string }[]>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace`;
  const files = (await readdir(stage.folder, { recursive: true })).filter((file) => /^(data-0|log-0)(\/|$)/.test(file));
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(stage.folder, file)).then(
        (its) => (its.isFile() ? its.size : 0),
        () => 0,
      ),
    ),
  );
  return Number(row?.bytes) + sizes.reduce((sum, bytes) => sum + bytes, 0);
}
