import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Report } from "../../harness/programmes/report.ts";
import { Client, countStatuses, isUnavailable, type Reply } from "../stage/client.ts";
import type { FaultPostgres } from "../stage/postgres.ts";
import { hasEnded, makeBeats, makeKey, type Program, type Stage } from "../stage/stage.ts";
import { allOperational, allOut, statusWithin } from "../stage/status.ts";

const clientCount = 8;
const pauseMs = 25;
/** The time limit of a request (docs/operating.md), plus a second for its response to arrive. */
const requestTimeLimitMs = 21_000;
const backWithinMs = 2_000;
const searchWords = ["midnight", "golden", "river", "tape"];

export interface Outage {
  stage: Stage;
  postgres: FaultPostgres;
}

/**
 * Simulates an outage of PostgreSQL under load: cached reads, uncached reads, and orders. `outage` causes the outage,
 * and resolves when PostgreSQL should be usable again. The argument of `outage` checks that the status page shows all
 * components as out.
 */
export async function playOutage(
  { stage, postgres }: Outage,
  report: Report,
  outage: (showsOutage: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const db = stage.connect(postgres);
  const beats = await makeBeats(db, 200);
  const server = stage.serve(0, stage.databaseUrl(postgres));
  await server.ready;
  const load = await startLoad(server, db, beats);

  await sleep(1_000);
  const fromMs = performance.now();
  await outage(() => statusWithin(report, server.address, "while PostgreSQL is away", allOut));
  const returnedMs = performance.now();
  await Promise.all([
    load.untilAllSucceed(),
    statusWithin(report, server.address, "after PostgreSQL is back", allOperational),
  ]);
  const replies = await load.stop();

  const during = replies.filter(({ endedMs }) => endedMs >= fromMs);
  const unexpected = during.filter((reply) => reply.status !== 200 && reply.status !== 201 && !isUnavailable(reply));
  const refused = during.filter(isUnavailable);
  report.check(
    "every response during the outage is a success or 503 with Retry-After",
    unexpected.length === 0,
    countStatuses(during),
  );
  report.check("some requests were refused, so the outage had an effect", refused.length > 0, refused.length);
  report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
  const lastFailureMs = Math.max(...during.filter(({ status }) => status >= 300 || status === 0).map((r) => r.endedMs));
  report.bound(
    "time from the return of PostgreSQL to the last failure",
    Math.max(0, lastFailureMs - returnedMs),
    backWithinMs,
    "ms",
  );
  report.bound("longest wait for a response", longestMs(replies), requestTimeLimitMs, "ms");

  const ordered = replies.filter(({ status }) => status === 201).map(({ body }) => JSON.parse(body).data.order.id);
  const [row] = await db.driver<{ stored: number }[]>`
    select count(*)::int as stored from orders where id = any(${ordered}::bigint[])`;
  report.check(
    "every acknowledged order is stored",
    row?.stored === ordered.length,
    `${row?.stored} of ${ordered.length}`,
  );
}

const longestMs = (replies: readonly Reply[]): number =>
  replies.reduce((longest, { sentMs, endedMs }) => Math.max(longest, endedMs - sentMs), 0);

async function startLoad(server: Program, db: ReturnType<Stage["connect"]>, beats: readonly number[]) {
  const replies: Reply[] = [];
  let isOver = false;

  const clients = await Promise.all(
    Array.from(
      { length: clientCount },
      async (_, index) => new Client(server.address, await makeKey(db, `${index}@example.com`)),
    ),
  );
  let turn = 0;
  const ask = (client: Client): Promise<Reply> => {
    const beat = beats[turn++ % beats.length] as number;
    if (turn % 4 === 0) return client.order({ beat_id: beat, payment_method: "pm_card_visa" }, randomUUID());
    if (turn % 4 === 1) return client.get("/beats?limit=20");
    if (turn % 4 === 2) return client.get(`/search?q=${searchWords[(turn % 16) >> 2]}+${turn}`);
    return client.get(`/beats/${beat}/similar`);
  };
  const loops = clients.map(async (client) => {
    while (!isOver) {
      const reply = await ask(client);
      replies.push(reply);

      await sleep(pauseMs);
    }
  });
  return {
    /** Waits for at most 45 seconds until the newest responses, on average eight for each client, are successes. */
    untilAllSucceed: async () => {
      const deadlineMs = performance.now() + 45_000;
      const since = replies.length;
      while (performance.now() < deadlineMs) {
        await sleep(100);
        const recent = replies.slice(Math.max(since, replies.length - 8 * clientCount));
        if (recent.length === 8 * clientCount && recent.every(({ status }) => status === 200 || status === 201)) return;
      }
    },
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      await Promise.all(clients.map((client) => client.close()));
      return replies;
    },
  };
}
