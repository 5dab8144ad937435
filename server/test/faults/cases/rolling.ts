import type { Fault } from "../fault.ts";
import { countStatuses } from "../stage/client.ts";
import { completedOrders, MixedLoad } from "../stage/mixed-load.ts";
import { ReadinessProxy } from "../stage/readiness-proxy.ts";

const rounds = { whole: 4, short: 1 };
const clientCount = 12;
/** In seconds. The proxy checks readiness five times a second. */
const stopDelay = "2";

export const rolling: Fault = {
  name: "rolling",
  about: "two servers behind a proxy are replaced one after the other, under load: no request fails",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const load = await MixedLoad.prepare(db, clientCount);
    const serve = (slot: number) => stage.serve(slot, url, { STOP_DELAY: stopDelay });
    const servers = [serve(0), serve(1)];
    await Promise.all(servers.map(({ ready }) => ready));
    const proxy = new ReadinessProxy(servers.map((_, slot) => () => servers[slot]?.address ?? { origin: "", ca: "" }));
    stage.onClose(() => proxy.close());
    const address = await proxy.listen();
    await Promise.all(servers.map((_, slot) => proxy.untilReadiness(slot, true)));

    const stop = load.start(address);
    const ends: string[] = [];
    for (let round = 0; round < rounds[extent]; round++)
      for (const slot of servers.keys()) {
        const server = servers[slot] as (typeof servers)[number];
        server.child.kill("SIGTERM");
        const { code, signal } = await server.ended;
        ends.push(String(signal ?? code));
        await proxy.untilReadiness(slot, false);
        servers[slot] = serve(slot);
        await servers[slot]?.ready;
        await proxy.untilReadiness(slot, true);
      }
    await stop();
    const { replies, acknowledged } = load;
    const failed = replies.filter(({ status }) => ![200, 201].includes(status));
    const shownFailures = failed.slice(0, 3).map(({ failure, body }) => ` ${failure ?? body.slice(0, 200)}`);
    report.check("requests that failed", failed.length === 0, `${failed.length} of ${replies.length}${shownFailures}`);
    report.check("responses", replies.length > 100, countStatuses(replies));
    report.check(
      "how the servers ended",
      ends.every((end) => end === "0"),
      ends.join(", "),
    );
    const orders = await completedOrders(db);
    report.check("acknowledged orders", orders === acknowledged, `${orders} kept of ${acknowledged}`);
  },
};
