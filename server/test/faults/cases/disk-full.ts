import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mountSmallDisk } from "../../processes/small-disk.ts";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, isUnavailable, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey } from "../stage/stage.ts";

const diskMb = 320;

interface Purchase {
  key: string;
  beat: number;
}

export const diskFull: Fault = {
  name: "disk-full",
  about: "the disk of PostgreSQL is full, and then has room again",
  run: async (stage, report) => {
    const disk = join(stage.folder, "disk");
    await mkdir(disk);
    if (!mountSmallDisk(disk, diskMb)) return report.skip("a full disk", "only root may mount a small one");
    stage.onClose(async () => void execFileSync("umount", ["--lazy", disk]));
    const postgres = await stage.postgres({ max_wal_size: "64MB", min_wal_size: "32MB" }, join(disk, "data"));
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, 100);
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    const client = new Client(server.address, await makeKey(db, "disk@example.com"));

    const replies: { purchase: Purchase; reply: Reply }[] = [];
    const newPurchase = (): Purchase => ({ key: randomUUID(), beat: beats[replies.length % beats.length] as number });
    const buy = async (purchase = newPurchase()): Promise<Reply> => {
      const reply = await client.order({ beat_id: purchase.beat, payment_method: "pm_card_visa" }, purchase.key);
      replies.push({ purchase, reply });
      return reply;
    };
    const reads: Reply[] = [];
    const read = async () =>
      reads.push(await client.get("/beats?limit=20"), await client.get(`/search?q=golden+${reads.length}`));
    for (let count = 0; count < 20; count++) await buy();
    await read();

    // Fills all remaining space, so that no table can grow.
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, "ballast"), Buffer.alloc(bavail * bsize)).catch(() => {});
    for (let count = 0; count < 500 && !replies.some(({ reply }) => isUnavailable(reply)); count++) {
      await buy();
      await read();
    }
    for (let count = 0; count < 5; count++) await buy();
    await read();
    const refused = replies.filter(({ reply }) => isUnavailable(reply));
    report.check("orders refused while the disk is full", refused.length > 0, refused.length);

    await rm(join(disk, "ballast"));
    // PostgreSQL may have ended because it could not write its log. Then an operator starts it again.
    await postgres.ask("select 1").catch(async () => {
      await postgres.kill();
      await postgres.start();
    });
    const returnedMs = performance.now();
    let firstReply = await buy();
    for (; firstReply.status !== 201 && performance.now() - returnedMs < 30_000; firstReply = await buy())
      await sleep(50);
    report.bound("time until orders are accepted again", performance.now() - returnedMs, 2_000, "ms");
    // A request whose failure could not be recorded keeps its Idempotency-Key for a minute, so the test ends the lease.
    await db.driver`update idempotency_keys set leased_until = now() where answer is null`;
    for (const { purchase } of refused)
      for (let attempt = 0; attempt < 50 && (await buy(purchase)).status !== 201; attempt++) await sleep(500);
    await read();
    await client.close();

    const answers = replies.map(({ reply }) => reply);
    const unexpected = [...answers, ...reads].filter(
      (reply) => ![200, 201, 409].includes(reply.status) && !isUnavailable(reply),
    );
    report.check("responses to orders", unexpected.length === 0, countStatuses(answers));
    report.check(
      "responses to reads",
      reads.every((reply) => reply.status === 200 || isUnavailable(reply)),
      countStatuses(reads),
    );
    report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => JSON.parse(body).data.order.id);
    const [totals] = await db.driver<{ orders: number; halves: number; events: number; doubled: number }[]>`
      select count(*) filter (where id = any(${ids}::bigint[]))::int as orders,
             count(*) filter (where status = 'pending')::int as halves,
             (select count(*)::int from events where type = 'beat.purchased') - count(*) filter (where status = 'completed')::int as events,
             (count(idempotency_run) - count(distinct idempotency_run))::int as doubled
      from orders`;
    report.check(
      "acknowledged orders",
      totals?.orders === new Set(ids).size,
      `${totals?.orders} kept of ${new Set(ids).size}`,
    );
    report.check(
      "incomplete orders, events without an order, duplicate orders",
      totals?.halves === 0 && totals.events === 0 && totals.doubled === 0,
      `${totals?.halves}, ${totals?.events}, ${totals?.doubled}`,
    );
  },
};
