import { setTimeout as sleep } from "node:timers/promises";
import { readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import type { Fault } from "../fault.ts";
import { countStatuses, type Reply } from "../stage/client.ts";
import { completedOrders, MixedLoad } from "../stage/mixed-load.ts";

const rounds = { whole: 5, short: 1 };
const clientCount = 24;
const stopWithinMs = 10_000;
/**
 * Whether a client was too late, because no server listens any more. The kernel refuses its connection. If the
 * connection was in the queue of the socket that the server has just closed, the kernel resets it before a request is
 * sent.
 */
const isLate = ({ failure, isSent }: Reply): boolean =>
  !isSent && (failure === "ECONNREFUSED" || failure === "ECONNRESET");

export const stopping: Fault = {
  name: "stopping",
  about: "the server is stopped (SIGTERM) under load, and started again, several times",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const load = await MixedLoad.prepare(db, clientCount, (reply) => (isLate(reply) ? 50 : 0));
    let slowestMs = 0;
    const ends: string[] = [];
    for (let round = 0; round < rounds[extent]; round++) {
      const server = stage.serve(0, url);
      await server.ready;
      const stopLoad = load.start(server.address);
      await sleep(1_500);
      const askedMs = performance.now();
      server.child.kill("SIGTERM");
      const { code, signal } = await server.ended;
      slowestMs = Math.max(slowestMs, performance.now() - askedMs);
      ends.push(String(signal ?? code));
      await stopLoad();
    }
    const { replies, acknowledged } = load;
    const lost = replies.filter((reply) => reply.failure !== null && !isLate(reply));
    const unexpected = replies.filter(({ status }) => ![0, 200, 201].includes(status));
    report.check(
      "requests that were reset or never answered",
      lost.length === 0,
      `${lost.length} of ${replies.length}: ${countStatuses(lost)}`,
    );
    report.check("every response is a success", unexpected.length === 0, countStatuses(replies));
    report.check(
      "every stop has exit status 0",
      ends.every((end) => end === "0"),
      ends.join(", "),
    );
    report.bound("slowest stop", slowestMs, stopWithinMs, "ms");

    const orders = await completedOrders(db);
    report.check("every acknowledged order is stored", orders >= acknowledged, `${orders} kept of ${acknowledged}`);
    const ids = replies.flatMap(({ headers }) => headers["x-request-id"] ?? []);
    const inLog = new Set((await readLogEntries(db)).map(({ requestId }) => requestId));
    const logged = ids.filter((id) => inLog.has(String(id))).length;
    report.check("every answered call is in the log", logged === ids.length, `${logged} of ${ids.length}`);
  },
};
