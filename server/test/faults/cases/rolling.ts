import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../fault.ts";
import { Client, type Reply, tallied } from "../stage/client.ts";
import { ReadinessProxy } from "../stage/readiness-proxy.ts";
import { makeBeats, makeKey } from "../stage/stage.ts";

const rounds = { whole: 4, short: 1 };
const clientCount = 12;
/** Seconds; the proxy asks five times a second. */
const stopDelay = "2";

export const rolling: Fault = {
  name: "rolling",
  about: "two servers behind a proxy are replaced one after the other, under load: no request fails",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, 100);
    const keys = await Promise.all(
      Array.from({ length: clientCount }, (_, index) => makeKey(db, `${index}@example.com`)),
    );
    const serve = (slot: number) => stage.serve(slot, url, { STOP_DELAY: stopDelay });
    const servers = [serve(0), serve(1)];
    await Promise.all(servers.map(({ ready }) => ready));
    const proxy = new ReadinessProxy(servers.map((_, slot) => () => servers[slot]?.address ?? { origin: "", ca: "" }));
    stage.onClose(() => proxy.close());
    const address = await proxy.listen();
    await Promise.all(servers.map((_, slot) => proxy.sees(slot, true)));

    const replies: Reply[] = [];
    let isOver = false;
    const clients = keys.map((key) => new Client(address, key));
    const loops = clients.map(async (client, index) => {
      for (let turn = index; !isOver; turn++) {
        const beat = beats[turn % beats.length];
        const reply =
          turn % 4 === 0
            ? await client.order({ beat_id: beat, payment_method: "pm_card_visa" }, randomUUID())
            : await client.get(turn % 4 === 1 ? "/beats?limit=20" : `/beats/${beat}/similar`);
        replies.push(reply);
        // Some clients are always at it, others come now and then, when connections have been idle.
        await sleep((index % 4) * 40);
      }
    });
    const ends: string[] = [];
    for (let round = 0; round < rounds[extent]; round++)
      for (const slot of servers.keys()) {
        const server = servers[slot] as (typeof servers)[number];
        server.child.kill("SIGTERM");
        const { code, signal } = await server.ended;
        ends.push(String(signal ?? code));
        await proxy.sees(slot, false);
        servers[slot] = serve(slot);
        await servers[slot]?.ready;
        await proxy.sees(slot, true);
      }
    isOver = true;
    await Promise.all(loops);
    await Promise.all(clients.map((client) => client.close()));

    const failed = replies.filter(({ status }) => ![200, 201].includes(status));
    const shown = failed.slice(0, 3).map(({ failure, body }) => ` ${failure ?? body.slice(0, 200)}`);
    report.check("requests that failed", failed.length === 0, `${failed.length} of ${replies.length}${shown}`);
    report.check("answers", replies.length > 100, tallied(replies));
    report.check(
      "how the servers ended",
      ends.every((end) => end === "0"),
      ends.join(", "),
    );
    const acknowledged = replies.filter(({ status }) => status === 201).length;
    const [row] = await db.driver<{ orders: number }[]>`
      select count(*)::int as orders from orders where status = 'completed'`;
    report.check("acknowledged orders", row?.orders === acknowledged, `${row?.orders} kept of ${acknowledged}`);
  },
};
