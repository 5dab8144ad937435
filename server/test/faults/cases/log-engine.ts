import { setTimeout as sleep } from "node:timers/promises";
import { findVictoriaLogs, startVictoriaLogs } from "@beatmarket/request-log/testing/victoria-logs.ts";
import type { Fault } from "../fault.ts";
import { Client } from "../stage/client.ts";
import { makeBeats, makeKey } from "../stage/stage.ts";

const awayMs = { whole: 5_000, short: 500 };
/** The client of the store pauses for two seconds after a failure, and then sends a refused batch again. */
const backWithinMs = 20_000;
const pauseMs = 5;

export const logEngine: Fault = {
  name: "log-engine",
  about: "the request log is in a cluster of VictoriaLogs: its front is killed, then a storage node stops",
  run: async (stage, report, extent) => {
    const engine = await findVictoriaLogs();
    if ("missing" in engine) return report.skip("VictoriaLogs", engine.missing);
    const start = async (flags: readonly string[]) => {
      const node = await startVictoriaLogs(engine.program, flags);
      stage.onClose(async () => node[Symbol.asyncDispose]());
      return node;
    };
    const stores = [await start(["-internaldelete.enable"]), await start(["-internaldelete.enable"])];
    const front = await start([`-storageNode=${stores.map(({ port }) => `127.0.0.1:${port}`).join()}`]);
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, 10);
    const server = stage.serve(0, stage.databaseUrl(postgres), { REQUEST_LOG_URL: front.url });
    await server.ready;
    const client = new Client(server.address, await makeKey(db, "log@example.com"));
    stage.onClose(() => client.close());

    const requestIds: string[] = [];
    let failed = 0;
    const call = async () => {
      const { status, headers } = await client.get("/genres");
      if (status === 200) requestIds.push(String(headers["x-request-id"]));
      else failed++;
    };
    const callFor = async (ms: number) => {
      for (const untilMs = performance.now() + ms; performance.now() < untilMs; await sleep(pauseMs)) await call();
    };
    const read = (after: string | null) =>
      client.get(`/requests?operation_id=listGenres&limit=100${after === null ? "" : `&after=${after}`}`);
    /** The ids of all logged calls; null while the log is unreachable. */
    const logged = async (): Promise<string[] | null> => {
      const ids: string[] = [];
      for (let next: string | null = null; ; ) {
        const { status, body } = await read(next);
        if (status !== 200) return null;
        const page = JSON.parse(body).data;
        ids.push(...page.requests.map(({ id }: { id: string }) => id));
        next = page.next;
        if (next === null) return ids;
      }
    };
    const expectAllLogged = async (moment: string) => {
      const fromMs = performance.now();
      let ids = await logged();
      while ((ids === null || ids.length < requestIds.length) && performance.now() - fromMs < backWithinMs) {
        await sleep(100);
        ids = await logged();
      }
      const missing = new Set(requestIds).difference(new Set(ids ?? []));
      report.check(
        `calls missing from the log ${moment}`,
        missing.size === 0,
        `${missing.size} of ${requestIds.length}`,
      );
      const twice = (ids ?? []).length - new Set(ids).size;
      report.check(`calls listed twice ${moment}`, twice === 0, twice);
      report.bound(`time until the log is complete ${moment}`, performance.now() - fromMs, backWithinMs, "ms");
    };

    await callFor(awayMs[extent] / 5);
    await expectAllLogged("before the faults");
    for (const [fault, leave, comeBack] of [
      ["the front was killed", () => front.stop("SIGKILL"), front.start],
      ["a storage node was stopped", () => stores[0]?.stop(), () => stores[0]?.start()],
    ] as const) {
      await leave();
      await callFor(awayMs[extent]);
      const { status } = await read(null);
      report.check(`a page of the log while ${fault}`, status === 503, status);
      await comeBack();
      await expectAllLogged(`after ${fault}`);
    }
    report.check("calls that failed", failed === 0, `${failed} of ${requestIds.length + failed}`);
  },
};
