import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, isUnavailable, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Stage } from "../stage/stage.ts";

const seconds = { whole: 15, short: 2 };
/** Enough clients to keep the server busy, but too few for a queue. */
const workingClients = 48;
const measuredMs = { whole: 8_000, short: 1_000 };
/** There are connections for all requests that come within this time, so that no request waits for a connection. */
const waitSeconds = 0.5;
const maxClients = 2_000;
const p99LimitMs = 1_000;
/** The share of the capacity that the server must serve at twice that load. */
const goodputShare = 0.5;
const words = ["midnight", "golden", "broken", "silent", "river", "tape", "signal"];

export const overload: Fault = {
  name: "overload",
  about: "a load of twice the capacity",
  run: async (stage, report, extent) => {
    const { client, server, ask } = await openShop(stage, maxClients);
    const perSecond = await measureCapacity(ask, measuredMs[extent]);
    report.check("capacity", perSecond > 0, `${Math.round(perSecond)} answers a second`);

    // Connections are opened before the measurement.
    const waitingClients = Math.min(maxClients, Math.ceil(perSecond * 2 * waitSeconds));
    await Promise.all(Array.from({ length: waitingClients }, () => client.get("/genres")));
    const replies: Reply[] = [];
    const total = Math.round(perSecond * 2 * seconds[extent]);
    const startMs = performance.now();
    const requests: Promise<void>[] = [];
    for (let sentCount = 0; sentCount < total; ) {
      const target = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * perSecond * 2));
      for (; sentCount < target; sentCount++) requests.push(ask().then((reply) => void replies.push(reply)));
      await sleep(5);
    }
    await Promise.all(requests);
    const elapsedSeconds = (performance.now() - startMs) / 1000;

    const unexpected = replies.filter((reply) => reply.status !== 200 && !isUnavailable(reply));
    const waits = replies.filter(({ status }) => status === 200).map(({ sentMs, endedMs }) => endedMs - sentMs);
    report.check(
      "every response is a success or 503 with Retry-After",
      unexpected.length === 0,
      countStatuses(replies),
    );
    report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
    report.bound("p99 of the successful responses", percentile(waits, 0.99), p99LimitMs, "ms");
    const goodput = waits.length / elapsedSeconds;
    report.bound("capacity lost to the overload", 100 * (1 - goodput / perSecond), 100 * (1 - goodputShare), "%");
    await client.close();
  },
};

/** A server with a catalogue, and requests that all differ, so that the cache has no response. */
export async function openShop(stage: Stage, connections: number) {
  const postgres = await stage.postgres();
  const db = stage.connect(postgres);
  await makeBeats(db, 1_000);
  await db.driver`analyze`;
  const server = stage.serve(0, stage.databaseUrl(postgres));
  await server.ready;
  const client = new Client(server.address, await makeKey(db, "shop@example.com"), connections);
  let turn = 0;
  const ask = (): Promise<Reply> => {
    turn++;
    return client.get(`/search?q=${words[turn % words.length]}+${words[(turn >> 3) % words.length]}+${turn}`);
  };
  return { client, server, ask };
}

/** The number of responses in a second while a few clients send requests without pauses. */
export async function measureCapacity(ask: () => Promise<Reply>, forMs: number): Promise<number> {
  const count = async (ms: number) => {
    const untilMs = performance.now() + ms;
    let answered = 0;
    await Promise.all(
      Array.from({ length: workingClients }, async () => {
        while (performance.now() < untilMs) if ((await ask()).status === 200) answered++;
      }),
    );
    return answered / (ms / 1000);
  };
  // Caches fill, and the code is compiled.
  await count(forMs / 2);
  return count(forMs);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
