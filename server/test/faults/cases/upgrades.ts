import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "../../harness/database/driver.ts";
import { issueTestLicense } from "../../harness/database/licenses.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, type Reply } from "../stage/client.ts";
import { makeBeats, makeKey, type Program } from "../stage/stage.ts";

const killCount = 200;
const buyerCount = 6;
const beatCount = 300;
/** The number of beats whose exclusive licenses are sold. */
const contestedCount = 60;
const prices = { basic: 2_990, premium: 5_990, unlimited: 9_990, exclusive: 35_990 };
const types = ["basic", "premium", "unlimited", "exclusive"] as const;
/** The purchase time of a license whose term of 5 or 10 years has ended. */
const longAgo = new Date(Date.now() - 11 * 365.25 * 86_400_000);
const maxAttempts = 400;
const settleWithinMs = 180_000;

interface HeldLicense {
  order_id: number;
  beat_id: number;
  license_type: (typeof types)[number];
}

/** A buyer's request, which is repeated until there is a final response. */
interface Attempt {
  key: string;
  path: string;
  body: object;
  status: number;
}

export const upgradeKills: Fault = {
  name: "upgrades",
  about: "servers are killed at random, 200 times, under upgrades and renewals: no license and no cent is lost",
  run: async (stage, report, _extent, times = killCount) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, beatCount);
    await db.driver`update beats set price_cents = ${prices.basic}, premium_price_cents = ${prices.premium},
      unlimited_price_cents = ${prices.unlimited}, exclusive_price_cents = ${prices.exclusive}`;
    const starts = [0, 1].map((slot) => () => stage.serve(slot, url));
    const servers: Program[] = starts.map((start) => start());
    await Promise.all(servers.map(({ ready }) => ready));
    const addresses = servers.map(({ address }) => address);
    let isOver = false;
    const attempts: Attempt[] = [];
    const replies: Reply[] = [];

    const buying = Array.from({ length: buyerCount }, async (_, index) => {
      const email = `upgrades-${index}@example.com`;
      const key = await makeKey(db, email);
      const clients = addresses.map((address) => new Client(address, key));
      while (!isOver) {
        const attempt = await nextAttempt(db, email, beats);
        attempts.push(attempt);
        for (let tries = 0; tries < maxAttempts && attempt.status === 0; tries++) {
          const client = clients[randomInt(clients.length)] as Client;
          const { path, body } = attempt;
          const reply = await client.send({
            method: "POST",
            path,
            body: JSON.stringify(body),
            headers: { "content-type": "application/json", "idempotency-key": attempt.key },
          });
          replies.push(reply);
          const isRunning = reply.status === 409 && reply.headers["retry-after"] !== undefined;
          if ([201, 404, 409].includes(reply.status) && !isRunning) attempt.status = reply.status;
          else await sleep(200);
        }
        await sleep(20);
      }
      await Promise.all(clients.map((client) => client.close()));
    });

    for (let kill = 0; kill < times; kill++) {
      await sleep(randomInt(1_500));
      const slot = randomInt(servers.length);
      const server = servers[slot] as Program;
      server.child.kill("SIGKILL");
      await server.ended;
      servers[slot] = (starts[slot] as () => Program)();
      // Without this wait, most kills would hit a server during its start.
      if (randomInt(2) === 0) await servers[slot]?.ready;
      // A killed process leaves its Idempotency-Keys leased for a minute.
      await db.driver`update idempotency_keys set leased_until = now() where answer is null`;
      if ((kill + 1) % 50 === 0) report.progress(`${kill + 1} of ${times} kills`);
    }
    await Promise.all(servers.map(({ ready }) => ready));
    isOver = true;
    await Promise.all(buying);
    // A server settles uncertain payments at its start.
    for (const [slot, server] of servers.entries()) {
      server.child.kill("SIGKILL");
      await server.ended;
      servers[slot] = (starts[slot] as () => Program)();
    }
    await checkSettled(db, report);
    await checkUpgrades(db, attempts, report);
    report.check(
      "no response during the kills has status 500",
      !replies.some(({ status }) => status === 500),
      countStatuses(replies),
    );
  },
};

/** A new license, or the next step of a license of the buyer: an upgrade, or a renewal after the term. */
async function nextAttempt(db: TestDatabase, email: string, beats: readonly number[]): Promise<Attempt> {
  const key = randomUUID();
  const pays = { payment_method: "pm_card_visa" };
  const contested = beats.slice(0, contestedCount);
  const owned = randomInt(3) === 0 ? undefined : await heldLicense(db, email);
  if (owned === undefined) {
    const among = randomInt(2) === 0 ? contested : beats;
    const body = { beat_id: among[randomInt(among.length)], license_type: "basic", ...pays };
    return { key, path: "/v1/orders", body, status: 0 };
  }
  const { order_id: orderId, beat_id: beatId, license_type: from } = owned;
  const higher = types.slice(types.indexOf(from) + 1, contested.includes(beatId) ? undefined : -1);
  const isRenewal = higher.length === 0 || randomInt(4) === 0;
  const [license] = await db.driver<{ id: string }[]>`select id from licenses where order_id = ${orderId}`;
  const id = license?.id ?? (await issueTestLicense(db, orderId, isRenewal ? longAgo : undefined));
  const license_type = isRenewal ? from : higher[randomInt(higher.length)];
  return { key, path: `/v1/licenses/${id}/upgrade`, body: { license_type, ...pays }, status: 0 };
}

/** A license of the buyer that has no replacement, and that is not the highest one. */
async function heldLicense(db: TestDatabase, email: string): Promise<HeldLicense | undefined> {
  const [license] = await db.driver<HeldLicense[]>`
    select orders.id::int as order_id, beat_id::int, license_type from orders join users on users.id = user_id
    where email = ${email} and status = 'completed' and license_type in ('basic', 'premium', 'unlimited') and not exists (
      select from orders later join licenses on licenses.id = later.upgrades_license
      where licenses.order_id = orders.id and later.status <> 'failed')
    order by random() limit 1`;
  return license;
}

async function checkSettled(db: TestDatabase, report: Report): Promise<void> {
  const deadlineMs = performance.now() + settleWithinMs;
  const open = async () => {
    const [row] = await db.driver<{ count: number }[]>`
      select count(*)::int as count from orders where status = 'pending'`;
    return row?.count ?? 0;
  };
  while ((await open()) > 0 && performance.now() < deadlineMs) await sleep(250);
  const openOrders = await open();
  report.check("orders that are left open", openOrders === 0, openOrders);
}

async function checkUpgrades(db: TestDatabase, attempts: readonly Attempt[], report: Report): Promise<void> {
  const placed = await db.driver<{ key: string; orders: number; completed: number }[]>`
    select key, count(orders.id)::int as orders, count(orders.id) filter (where status = 'completed')::int as completed
    from idempotency_keys left join orders on idempotency_run = run group by key`;
  const byKey = new Map(placed.map((row) => [row.key, row]));
  const accepted = attempts.filter(({ status }) => status === 201);
  const lost = accepted.filter(({ key }) => byKey.get(key)?.orders !== 1);
  const upgrades = accepted.filter(({ path }) => path.endsWith("/upgrade")).length;
  report.check("acknowledged orders that are lost", lost.length === 0, `${lost.length} of ${accepted.length}`);
  report.check("upgrades and renewals that were acknowledged", upgrades > 0, upgrades);
  const doubled = placed.filter(({ orders }) => orders > 1).length;
  report.check("requests with more than one order", doubled === 0, doubled);
  const unanswered = attempts.filter(({ status }) => status === 0).length;
  report.check("requests that could not be finished", unanswered === 0, `${unanswered} of ${attempts.length}`);

  const [row = {} as Record<string, number>] = await db.driver<Record<string, number>[]>`
    with recursive steps as (
      select id as top, id, license_type, amount_cents as paid, upgrades_license from orders
      where status = 'completed' and not exists (select from orders later join licenses on licenses.id = later.upgrades_license
        where licenses.order_id = orders.id and later.status = 'completed' and later.license_type <> orders.license_type)
      union all
      select top, earlier.id, earlier.license_type, earlier.amount_cents, earlier.upgrades_license
      from steps join licenses on licenses.id = steps.upgrades_license join orders earlier on earlier.id = licenses.order_id
      where earlier.license_type <> steps.license_type
    ), chains as (select top, sum(paid)::int as paid from steps group by top)
    select (select count(*)::int from chains) as chains,
      (select count(*)::int from chains join orders on id = top where paid <> case license_type
        when 'basic' then ${prices.basic}::int when 'premium' then ${prices.premium}::int
        when 'unlimited' then ${prices.unlimited}::int else ${prices.exclusive}::int end) as odd_chains,
      (select count(*)::int from (select upgrades_license from orders where status = 'completed' and upgrades_license is not null
        group by upgrades_license having count(*) > 1) as twice) as replaced_twice,
      (select count(*)::int from (select beat_id from orders where status = 'completed' and license_type = 'exclusive'
        group by beat_id having count(*) > 1) as twice) as sold_twice,
      (select count(*)::int from orders where status = 'completed' and license_type = 'exclusive') as exclusives,
      (select count(*)::int from orders where status = 'completed') as completed,
      (select count(*)::int from license_log where kind = 'sold') as leaves,
      (select count(*)::int from events where type = 'license.upgraded') as events,
      (select count(*)::int from orders where status = 'completed' and upgrades_license is not null) as upgrades,
      (select coalesce(sum(amount_cents), 0)::int from ledger_entries) as sum,
      (select count(*)::int from orders where case when status = 'completed' then amount_cents else 0 end <> (
        select coalesce(sum(amount_cents), 0) from ledger_entries join ledger_transactions on id = transaction_id
        where order_id = orders.id and account like 'assets:%')) as odd`;
  const { chains, odd_chains, replaced_twice, sold_twice, exclusives, completed, leaves, events, sum, odd } = row;
  report.check(
    "steps that cost more or less than the license at their end",
    odd_chains === 0,
    `${odd_chains} of ${chains}`,
  );
  report.check("licenses that were replaced twice", replaced_twice === 0, `${replaced_twice} of ${row.upgrades}`);
  report.check("exclusives sold more than once", sold_twice === 0, `${sold_twice} of ${exclusives} sold`);
  report.check("upgrades with exactly one event", events === row.upgrades, `${events} of ${row.upgrades}`);
  report.check("licenses with a leaf of the log", leaves === completed, `${leaves} of ${completed}`);
  report.check("the ledger sums to zero", sum === 0, sum ?? -1);
  report.check("orders whose price is not in the ledger", odd === 0, odd ?? -1);
}
