import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readLogEntries } from "../../harness/database/log-entries.ts";
import type { Fault } from "../fault.ts";
import { Client, type Reply, tallied } from "../stage/client.ts";
import { makeBeats, makeKey } from "../stage/stage.ts";

const rounds = { whole: 5, short: 1 };
const clientCount = 24;
const stopWithinMs = 10_000;
/** What a client meets that comes too late: nobody listens any more. */
const nobodyListens = "ECONNREFUSED";

export const stopping: Fault = {
  name: "stopping",
  about: "the server is stopped (SIGTERM) under load, and started again, several times",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, 100);
    const keys = await Promise.all(
      Array.from({ length: clientCount }, (_, index) => makeKey(db, `${index}@example.com`)),
    );
    const replies: Reply[] = [];
    let slowestMs = 0;
    const ends: string[] = [];
    for (let round = 0; round < rounds[extent]; round++) {
      const server = stage.serve(0, url);
      await server.ready;
      let isOver = false;
      const clients = keys.map((key) => new Client(server.address, key));
      const loops = clients.map(async (client, index) => {
        for (let turn = index; !isOver; turn++) {
          const beat = beats[turn % beats.length];
          const reply =
            turn % 3 === 0
              ? await client.order({ beat_id: beat, payment_method: "pm_card_visa" }, randomUUID())
              : await client.get(turn % 3 === 1 ? "/beats?limit=20" : `/beats/${beat}/similar`);
          replies.push(reply);
          // Some clients are always at it, others come now and then.
          await sleep(reply.failure === nobodyListens ? 50 : (index % 3) * 40);
        }
      });
      await sleep(1_500);
      const askedMs = performance.now();
      server.child.kill("SIGTERM");
      const { code, signal } = await server.ended;
      slowestMs = Math.max(slowestMs, performance.now() - askedMs);
      ends.push(String(signal ?? code));
      isOver = true;
      await Promise.all(loops);
      await Promise.all(clients.map((client) => client.close()));
    }
    const lost = replies.filter(({ failure }) => failure !== null && failure !== nobodyListens);
    const wrong = replies.filter(({ status }) => ![0, 200, 201].includes(status));
    report.check(
      "requests that were reset or never answered",
      lost.length === 0,
      `${lost.length} of ${replies.length}`,
    );
    report.check("answers", wrong.length === 0, tallied(replies));
    report.check(
      "how it ended",
      ends.every((end) => end === "0"),
      ends.join(", "),
    );
    report.bound("slowest stop", slowestMs, stopWithinMs, "ms");

    const acknowledged = replies.filter(({ status }) => status === 201).length;
    const [row] = await db.driver<{ orders: number }[]>`
      select count(*)::int as orders from orders where status = 'completed'`;
    report.check("acknowledged orders", (row?.orders ?? 0) >= acknowledged, `${row?.orders} kept of ${acknowledged}`);
    const ids = replies.flatMap(({ headers }) => headers["x-request-id"] ?? []);
    const inLog = new Set((await readLogEntries(db)).map(({ requestId }) => requestId));
    const logged = ids.filter((id) => inLog.has(String(id))).length;
    report.check("answered calls in the log", logged === ids.length, `${logged} of ${ids.length}`);
  },
};
