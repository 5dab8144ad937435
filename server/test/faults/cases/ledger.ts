import { randomInt, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { folderOf } from "../../foreign/tools/install.ts";
import { run } from "../../foreign/tools/run.ts";
import { tools } from "../../foreign/tools/versions.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { Client } from "../stage/client.ts";
import { makeBeats, makeKey, type Program } from "../stage/stage.ts";

const kills = { whole: 200, short: 4 };
const buyers = 4;
const refunders = 3;
const settleWithinMs = 180_000;

export const ledgerKills: Fault = {
  name: "ledger",
  about: "servers and refunds are killed at random, 200 times; the ledger has each sale and refund once",
  run: async (stage, report, extent, times = kills[extent]) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, 50);
    const starts = [0, 1].map((slot) => () => stage.serve(slot, url));
    const servers: Program[] = starts.map((start) => start());
    await Promise.all(servers.map(({ ready }) => ready));
    const addresses = servers.map(({ address }) => address);
    let isOver = false;

    const buying = Array.from({ length: buyers }, async (_, index) => {
      const key = await makeKey(db, `ledger-${index}@example.com`);
      const clients = addresses.map((address) => new Client(address, key));
      while (!isOver) {
        const isExclusive = randomInt(20) === 0;
        await (clients[randomInt(clients.length)] as Client).order(
          {
            beat_id: beats[randomInt(beats.length)],
            license_type: isExclusive ? "exclusive" : "basic",
            payment_method: "pm_card_visa",
          },
          randomUUID(),
        );
        await sleep(20);
      }
      await Promise.all(clients.map((client) => client.close()));
    });
    const refunds = new Set<Pick<Program, "child" | "ended">>();
    const refunding = Array.from({ length: refunders }, async () => {
      while (!isOver) {
        const [order] = await db.driver<{ id: number }[]>`
          select id::int from orders where status = 'completed' and refunded_at is null order by random() limit 1`;
        if (order !== undefined) {
          const amount = randomInt(2) === 0 ? [] : ["--amount", "1.25"];
          const refund = stage.start(2, url, ["orders", "refund", String(order.id), ...amount, "--json"]);
          refunds.add(refund);
          await refund.ended;
          refunds.delete(refund);
        }
        await sleep(50);
      }
    });

    for (let kill = 0; kill < times; kill++) {
      await sleep(randomInt(1_500));
      const [running] = refunds;
      if (running !== undefined && randomInt(3) === 0) running.child.kill("SIGKILL");
      else {
        const slot = randomInt(servers.length);
        const server = servers[slot] as Program;
        server.child.kill("SIGKILL");
        await server.ended;
        servers[slot] = (starts[slot] as () => Program)();
      }
      if ((kill + 1) % 50 === 0) report.progress(`${kill + 1} of ${times} kills`);
    }
    isOver = true;
    await Promise.all(servers.map(({ ready }) => ready));
    await Promise.all([...buying, ...refunding]);
    // The reconciler runs at a start, and then each minute.
    for (const [slot, server] of servers.entries()) {
      server.child.kill("SIGKILL");
      await server.ended;
      servers[slot] = (starts[slot] as () => Program)();
    }
    await checkSettled(db, report);
    await checkLedger(db, report);
    const file = join(stage.folder, "ledger.beancount");
    await stage.commandText(0, url, ["ledger", "export", "--output", file]);
    const python = join(folderOf(tools.beancount), "bin/python3");
    if (!existsSync(python)) return report.skip("bean-check", "npm run foreign -- --only beancount installs it");
    const { status, output } = await run(python, ["-m", "beancount.scripts.check", file], { cwd: stage.folder });
    report.check("bean-check accepts the export", status === 0, output || "no complaint");
  },
};

async function checkSettled(db: TestDatabase, report: Report): Promise<void> {
  const deadlineMs = performance.now() + settleWithinMs;
  const open = async () => {
    const [row] = await db.driver<{ count: number }[]>`
      select (select count(*) from orders where status = 'pending')::int
        + (select count(*) from refunds where status = 'pending')::int as count`;
    return row?.count ?? 0;
  };
  while ((await open()) > 0 && performance.now() < deadlineMs) await sleep(250);
  const openOrders = await open();
  report.check("orders and refunds that are left open", openOrders === 0, openOrders);
}

async function checkLedger(db: TestDatabase, report: Report): Promise<void> {
  const [row = { sum: 1, orders: 0, sales: 0, refunds: 0, recorded: 0, odd: 1 }] = await db.driver<
    { sum: number; orders: number; sales: number; refunds: number; recorded: number; odd: number }[]
  >`
    select (select coalesce(sum(amount_cents), 0)::int from ledger_entries) as sum,
      (select count(*)::int from orders where status = 'completed' and amount_cents > 0) as orders,
      (select count(*)::int from ledger_transactions where kind = 'sale') as sales,
      (select count(*)::int from refunds where status = 'succeeded' and amount_cents > 0) as refunds,
      (select count(*)::int from ledger_transactions where kind = 'refund') as recorded,
      (select count(*)::int from orders
       where status = 'completed' and amount_cents - refunded_cents <> (
         select coalesce(sum(amount_cents), 0) from ledger_entries join ledger_transactions on id = transaction_id
         where order_id = orders.id and account like 'assets:%')) as odd`;
  report.check("the ledger sums to zero", row.sum === 0, row.sum);
  report.check("completed orders with exactly one sale", row.sales === row.orders, `${row.sales} of ${row.orders}`);
  report.check("refunds with exactly one movement", row.recorded === row.refunds, `${row.recorded} of ${row.refunds}`);
  report.check("orders whose price less refunds is not in the ledger", row.odd === 0, row.odd);
}
