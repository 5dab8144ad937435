import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../cases/overload.ts";
import { residentMb } from "../cases/receivers.ts";
import type { Fault } from "../fault.ts";
import { type Address, Client, countStatuses, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey } from "../stage/stage.ts";
import type { Tally } from "./flood.ts";
import { serverCost } from "./server-cost.ts";
import { shapes } from "./shapes.ts";

// docs/security.md, "What strangers may cost".
const connections = { whole: 200, short: 20 };
const seconds = { whole: 60, short: 1 };
const undisturbedSeconds = { whole: 30, short: 1 };
const p99LimitFactor = 3;
const memoryGrowthLimitMb = 100;
const diskLimitMbPerMinute = 1;
const cpuLimitPercent = 50;
/** For shorter times, the noise of a busy machine dominates the measurement. */
const leastP99Ms = 5;
const payingConnections = 4;
const pauseMs = 20;
const beats = 1_000;
/** The time until the server has written its batches. */
const settledMs = 1_500;

export const strangers: Fault = {
  name: "strangers",
  about: "200 connections without a key send each kind of costly traffic, while a paying client makes calls",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, beats);
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    const key = await makeKey(db, "paying@example.com");
    // Warms up the server, including the thread that renders previews.
    await payingCalls(server.address, key, 5);
    await playPreviews(server.address, key, 3);

    /** The latencies of the paying client, and the cost of the server during the same time. */
    const measured = async (forSeconds: number) => {
      const before = await serverCost(stage, server, db);
      let largestMb = before.memoryMb;
      const watch = setInterval(async () => {
        largestMb = Math.max(largestMb, await residentMb(server.child.pid));
      }, 500);
      const replies = await payingCalls(server.address, key, forSeconds);
      clearInterval(watch);
      const { cpuSeconds } = await serverCost(stage, server, db);
      await sleep(settledMs);
      const { keptBytes } = await serverCost(stage, server, db);
      return {
        replies,
        p99Ms: percentile(waitsMs(replies), 0.99),
        cpuPercent: (100 * (cpuSeconds - before.cpuSeconds)) / forSeconds,
        grownMb: largestMb - before.memoryMb,
        writtenMbPerMinute: ((keptBytes - before.keptBytes) / 1_000_000) * (60 / forSeconds),
      };
    };

    const without = await measured(undisturbedSeconds[extent]);
    report.check("p99 without strangers", without.replies.length > 0, `${without.p99Ms.toFixed(1)} ms`);
    const p99LimitMs = p99LimitFactor * Math.max(leastP99Ms, without.p99Ms);
    for (const shape of Object.keys(shapes)) {
      const played = play(shape, connections[extent], seconds[extent], server.address);
      const during = await measured(seconds[extent]);
      const tally = await played;
      const refused = during.replies.filter(({ status }) => status !== 200);
      report.check(`${shape}: requests of strangers reached the server`, hasMet(tally), tallyText(tally));
      report.check(`${shape}: the paying client's calls`, refused.length === 0, countStatuses(during.replies));
      report.bound(`${shape}: p99 of the paying client`, during.p99Ms, p99LimitMs, "ms");
      report.bound(`${shape}: processor time`, during.cpuPercent - without.cpuPercent, cpuLimitPercent, "% of a core");
      report.bound(`${shape}: memory grew by`, during.grownMb, memoryGrowthLimitMb, "MB");
      // The log also contains the paying client's calls, so they are subtracted.
      const writtenMb = during.writtenMbPerMinute - without.writtenMbPerMinute;
      report.bound(`${shape}: bytes kept on disk`, Math.max(0, writtenMb), diskLimitMbPerMinute, "MB a minute");
      report.check(`${shape}: the server continues`, !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
    }
  },
};

/** Sends requests with a key: reads of the catalogue, most of them not cached. Returns the responses. */
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

async function playPreviews(address: Address, key: string, count: number): Promise<void> {
  const client = new Client(address, key);
  for (let beat = 1; beat <= count; beat++) await client.getOutsideApi(`/media/beats/${beat}.wav`);
  await client.close();
}

const waitsMs = (replies: readonly Reply[]): number[] => replies.map(({ sentMs, endedMs }) => endedMs - sentMs);

/** Whether the requests reached the server. Otherwise the connections were refused. */
const hasMet = (tally: Tally): boolean => Object.keys(tally).some((outcome) => outcome !== "none");

const tallyText = (tally: Tally): string =>
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
