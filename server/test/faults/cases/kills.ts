import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, type Reply } from "../stage/client.ts";
import { Receiver, subscribe } from "../stage/receiver.ts";
import { hasEnded, makeBeats, makeKey, type Program } from "../stage/stage.ts";

const killCount = 200;
const clientCount = 6;
/** The number of beats that all buyers try to buy exclusively. */
const contestedCount = 60;
const deliverWithinMs = 120_000;
/** The log is written four times a second. A busy machine needs more time for a batch. */
const lastBatchMs = 2_000;

interface Purchase {
  key: string;
  body: { beat_id: number; license_type: string; payment_method: string };
}

/** The final response to a purchase; the status is 0 if there was none. */
interface PurchaseOutcome {
  purchase: Purchase;
  status: number;
  orderId: number | null;
  orderStatus: string | null;
}

/** A received response, as the request log should record it. */
interface Answered {
  requestId: string;
  slot: number;
  atMs: number;
}

export const randomKills: Fault = {
  name: "kills",
  about: "servers and workers are killed at random, 200 times, under orders and webhooks",
  run: async (stage, report) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, 400);
    const receiver = await Receiver.listen(stage);
    await subscribe(db, receiver.url);

    const starts = [0, 1]
      .map((slot) => () => stage.serve(slot, url))
      .concat([2, 3].map((slot) => () => stage.work(slot, url) as Program));
    const programs = starts.map((start) => start());
    await Promise.all(programs.map(({ ready }) => ready));
    const load = await startOrders({ db, beats, programs });

    const killedAtMs = starts.map((): number[] => []);
    const unexpected: string[] = [];
    for (let kill = 0; kill < killCount; kill++) {
      // A server that is still starting may be killed, too.
      await sleep(randomInt(1_100));
      const slot = randomInt(programs.length);
      const program = programs[slot] as Program;
      if (hasEnded(program)) unexpected.push(`slot ${slot}: ${program.child.signalCode ?? program.child.exitCode}`);
      program.child.kill("SIGKILL");
      await program.ended;
      killedAtMs[slot]?.push(performance.now());
      programs[slot] = (starts[slot] as () => Program)();
      if ((kill + 1) % 50 === 0) report.progress(`${kill + 1} of ${killCount} kills`);
    }
    await Promise.all(programs.map(({ ready }) => ready));
    // A killed process leaves its Idempotency-Keys leased for a minute, so the test ends the leases.
    await db.driver`update idempotency_keys set leased_until = now() where answer is null`;
    const { outcomes, answered, replies } = await load.finish();

    report.check("processes that ended by themselves", unexpected.length === 0, unexpected.join(", ") || "none");
    report.measure("kills", killCount);
    await checkOrders(db, outcomes, report);
    await checkExclusives(db, outcomes, report);
    await checkEvents(db, receiver, report);
    await checkRequestLog(db, answered, killedAtMs, report);
    report.check(
      "no response during the kills has status 500",
      !replies.some(({ status }) => status === 500),
      countStatuses(replies),
    );
  },
};

async function checkOrders(db: TestDatabase, outcomes: readonly PurchaseOutcome[], report: Report): Promise<void> {
  const rows = await db.driver<{ key: string; orders: { id: number; status: string }[] | null }[]>`
    select key, (select json_agg(json_build_object('id', id, 'status', status)) from orders where idempotency_run = run) as orders
    from idempotency_keys`;
  const byKey = new Map(rows.map(({ key, orders }) => [key, orders ?? []]));
  const accepted = outcomes.filter(({ status }) => status === 201);
  const lost = accepted.filter(({ purchase, orderId }) => !byKey.get(purchase.key)?.some(({ id }) => id === orderId));
  const doubled = rows.filter(({ orders }) => (orders?.length ?? 0) > 1);
  const unanswered = outcomes.filter(({ status }) => status !== 201 && status !== 409);
  const [strays] = await db.driver<{ count: number }[]>`
    select count(*)::int as count from orders where not exists (select from idempotency_keys where run = idempotency_run)`;
  report.check("acknowledged orders that are lost", lost.length === 0, `${lost.length} of ${accepted.length}`);
  report.check(
    "orders that are doubled",
    doubled.length === 0 && strays?.count === 0,
    doubled.length + (strays?.count ?? 0),
  );
  report.check("orders that could not be finished", unanswered.length === 0, unanswered.length);
  const [open] = await db.driver<{ count: number }[]>`
    select count(*)::int as count from orders where status = 'pending'`;
  report.check("orders that are left open", open?.count === 0, open?.count ?? 0);
}

async function checkExclusives(db: TestDatabase, outcomes: readonly PurchaseOutcome[], report: Report): Promise<void> {
  const sold = await db.driver<{ beat_id: number; times: number }[]>`
    select beat_id, count(*)::int as times from orders
    where license_type = 'exclusive' and status = 'completed' group by beat_id`;
  const winners = new Map<number, number>();
  for (const { purchase, orderStatus } of outcomes)
    if (purchase.body.license_type === "exclusive" && orderStatus === "completed")
      winners.set(purchase.body.beat_id, (winners.get(purchase.body.beat_id) ?? 0) + 1);
  const soldTwice =
    sold.filter(({ times }) => times > 1).length + [...winners.values()].filter((times) => times > 1).length;
  report.check("exclusives sold more than once", soldTwice === 0, `${soldTwice} of ${sold.length} sold`);
}

async function checkEvents(db: TestDatabase, receiver: Receiver, report: Report): Promise<void> {
  const deadlineMs = performance.now() + deliverWithinMs;
  // A sent delivery that was not recorded is sent again at the end of the killed worker's lease, after half a minute.
  await db.driver`update webhook_deliveries set next_attempt_at = now() where state = 'pending'`;
  await db.driver`update webhook_deliveries set leased_until = now() where state = 'sending'`;
  const undelivered = async () =>
    (await db.driver<{ id: string }[]>`select event_id as id from webhook_deliveries where state <> 'succeeded'`)
      .length;
  while ((await undelivered()) > 0 && performance.now() < deadlineMs) await sleep(250);
  const events = await db.driver<{ id: string; payload: string }[]>`
    select id, payload from events where type = 'beat.purchased'`;
  const [orders] = await db.driver<{ count: number }[]>`
    select count(*)::int as count from orders where status = 'completed'`;
  const ids = new Set(events.map(({ id }) => id));
  const missing = events.filter(({ id, payload }) => !receiver.bodies.get(id)?.has(payload));
  const unexpected = [...receiver.bodies].filter(([id, bodies]) => !ids.has(id) || bodies.size !== 1);
  report.check(
    "completed orders with exactly one event",
    events.length === orders?.count,
    `${events.length} events of ${orders?.count} orders`,
  );
  report.check("events that were not delivered", missing.length === 0, `${missing.length} of ${events.length}`);
  report.check("deliveries without an event, or with wrong content", unexpected.length === 0, unexpected.length);
  report.measure("deliveries made more than once", receiver.requests - receiver.bodies.size);
}

async function checkRequestLog(
  db: TestDatabase,
  answered: readonly Answered[],
  killedAtMs: readonly number[][],
  report: Report,
): Promise<void> {
  await sleep(1_000);
  const logged = new Set((await readLogEntries(db)).map(({ requestId }) => requestId));
  const missing = answered.filter(({ requestId }) => !logged.has(requestId));
  const ages = missing.map(({ slot, atMs }) =>
    Math.min(...(killedAtMs[slot] ?? []).filter((at) => at >= atMs - 5).map((at) => at - atMs)),
  );
  const unexplained = ages.filter((age) => age > lastBatchMs).length;
  report.check(
    "calls missing from the log that no kill explains",
    unexplained === 0,
    `${unexplained} of ${answered.length}`,
  );
  report.measure("calls lost with their last batch", missing.length);
  report.bound(
    "oldest call lost with its last batch",
    Math.max(0, ...ages.filter(Number.isFinite)),
    lastBatchMs,
    "ms before the kill",
  );
}

interface Orders {
  db: TestDatabase;
  beats: readonly number[];
  programs: readonly Program[];
}

/** Starts buyers, who send purchases to either server. `finish` retries the purchases whose outcome is unknown. */
async function startOrders({ db, beats, programs }: Orders) {
  const replies: Reply[] = [];
  const answered: Answered[] = [];
  const outcomes: PurchaseOutcome[] = [];
  const unknownOutcomes: { buyer: Buyer; purchase: Purchase }[] = [];
  const addresses = programs.slice(0, 2).map(({ address }) => address);
  interface Buyer {
    clients: Client[];
    exclusives: number[];
  }
  const buyers: Buyer[] = await Promise.all(
    Array.from({ length: clientCount }, async (_, index) => {
      const key = await makeKey(db, `buyer-${index}@example.com`);
      return {
        clients: addresses.map((address) => new Client(address, key)),
        exclusives: beats.slice(0, contestedCount),
      };
    }),
  );
  let isOver = false;

  const buy = async ({ clients }: Buyer, purchase: Purchase): Promise<"answered" | "in doubt" | "not sent"> => {
    const slot = randomInt(clients.length);
    const reply = await (clients[slot] as Client).order(purchase.body, purchase.key);
    replies.push(reply);
    const requestId = reply.headers["x-request-id"];
    if (typeof requestId === "string") answered.push({ requestId, slot, atMs: reply.endedMs });
    const isStillRunning = reply.status === 409 && reply.headers["retry-after"] !== undefined;
    if (reply.failure === "ECONNREFUSED") return "not sent";
    if ((reply.status !== 201 && reply.status !== 409) || isStillRunning) return "in doubt";
    const order = reply.status === 201 ? JSON.parse(reply.body).data.order : null;
    outcomes.push({ purchase, status: reply.status, orderId: order?.id ?? null, orderStatus: order?.status ?? null });
    return "answered";
  };
  const next = (buyer: Buyer): Purchase => {
    const exclusive = randomInt(4) === 0 ? buyer.exclusives.shift() : undefined;
    const beat = exclusive ?? beats[contestedCount + randomInt(beats.length - contestedCount)];
    return {
      key: randomUUID(),
      body: {
        beat_id: beat as number,
        license_type: exclusive === undefined ? "basic" : "exclusive",
        payment_method: "pm_card_visa",
      },
    };
  };
  const loops = buyers.map(async (buyer) => {
    while (!isOver) {
      const purchase = next(buyer);
      const outcome = await buy(buyer, purchase);
      // If no server listened, no request was sent, so the outcome is certain.
      if (outcome === "in doubt") unknownOutcomes.push({ buyer, purchase });
      await sleep(20);
    }
  });
  return {
    finish: async () => {
      isOver = true;
      await Promise.all(loops);
      await Promise.all(
        buyers.map(async (buyer) => {
          for (const { purchase } of unknownOutcomes.filter((order) => order.buyer === buyer))
            for (let attempt = 0; attempt < 20 && (await buy(buyer, purchase)) !== "answered"; attempt++)
              await sleep(500);
        }),
      );
      for (const { purchase } of unknownOutcomes)
        if (!outcomes.some((order) => order.purchase === purchase))
          outcomes.push({ purchase, status: 0, orderId: null, orderStatus: null });
      await Promise.all(buyers.flatMap(({ clients }) => clients.map((client) => client.close())));
      return { outcomes, answered, replies };
    },
  };
}
