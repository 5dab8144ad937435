import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { claimDeliveries } from "@beatmarket/webhooks/delivery/queue.ts";
import { deleteForwardingEndpoint, insertEndpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { maxConcurrency } from "@beatmarket/webhooks/health.ts";
import { newSecret } from "@beatmarket/webhooks/signature.ts";
import { sql } from "kysely";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/database/open.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";
import { emitEvents, type NewEvent } from "../../src/resources/webhooks/outbox.ts";

// For the bench: creates work for the webhook workers of a running server, in the database of the environment.
// Prints one line of JSON. Arguments, one task:
//   endpoints URL COUNT     deletes all endpoints, deliveries and events, and adds COUNT subscribers of beat.created
//                           at URL/1, URL/2, …, each of another account
//   emit COUNT              emits COUNT events in one transaction, and waits until all deliveries are recorded. Prints
//                           the times of the commit and of the last record.
//   steady COUNT EVERY_MS   emits COUNT events, one every EVERY_MS, and prints the time of each commit
//   backlog URL ENDPOINTS EVENTS   queues ENDPOINTS × EVENTS deliveries to URL, whose server must not respond
//   claims COUNT            measures COUNT claims of 50 deliveries each
const [task, ...parameters] = process.argv.slice(2);
const config = readConfig(process.env);
const database = await openDatabase(config, { log: () => {} });
const { query: db } = database;
const accountOf = (n: number) => findOrCreateAccount(db, { email: `bench-${n}@example.com` });
const nowMs = (): number => performance.timeOrigin + performance.now();
const eventOf = (n: number, type: NewEvent["type"] = "beat.created"): NewEvent => ({
  type,
  data: { n, filling: "x".repeat(400) },
  at: new Date(),
  audience: "everyone",
});

const tasks: Record<string, (...parameters: string[]) => Promise<unknown>> = {
  endpoints: async (url = "", count = "") => {
    await clear();
    await addEndpoints(url, Number(count), ["beat.created"]);
    return {};
  },
  emit: async (count = "") => {
    const facts = Array.from({ length: Number(count) }, (_, n) => eventOf(n));
    await transact(db, (transaction) => emitEvents(transaction, facts));
    const committedMs = nowMs();
    while (await isUnfinished()) await sleep(10);
    return { committedMs, finishedMs: nowMs() };
  },
  steady: async (count = "", everyMs = "") => {
    const committedMs: number[] = [];
    const startedMs = nowMs();
    for (let n = 0; n < Number(count); n++) {
      await sleep(startedMs + n * Number(everyMs) - nowMs());
      await emitEvents(db, [eventOf(n)]);
      committedMs.push(nowMs());
    }
    return { committedMs };
  },
  backlog: async (url = "", endpoints = "", events = "") => {
    await addEndpoints(url, Number(endpoints), ["beat.updated"]);
    for (let remaining = Number(events); remaining > 0; remaining -= 1_000)
      await emitEvents(
        db,
        Array.from({ length: Math.min(remaining, 1_000) }, (_, n) => eventOf(n, "beat.updated")),
      );
    await sql`analyze webhook_deliveries`.execute(db);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from webhook_deliveries where state = 'pending'`.execute(db);
    return { pending: rows[0]?.count };
  },
  claims: async (count = "") => {
    const durationsMs: number[] = [];
    const secrets = await openSecretBox(config);
    // The workers of the server claim nothing from a forwarding endpoint.
    const row = {
      user_id: (await accountOf(0)).id,
      url: "http://127.0.0.1/",
      event_types: ["user.updated"],
      kind: "listen",
      listener_seen_at: new Date("2100-01-01"),
      concurrency: 50,
      // A claim takes fewer deliveries to an endpoint that never succeeded.
      last_success_at: new Date(),
      created_at: new Date(),
    };
    const { id: endpointId } = await insertEndpoint(db, row, newSecret(), secrets);
    for (let n = 0; n < Number(count); n++) {
      await emitEvents(
        db,
        Array.from({ length: 50 }, (_, index) => eventOf(index, "user.updated")),
      );
      // The events also wake the server's workers. Wait for their claim now, so that it is not measured.
      await sleep(30);
      const lease = randomUUID();
      const startedMs = nowMs();
      const claimed = await claimDeliveries(db, {
        scope: { endpointId },
        lease,
        limit: 50,
        slowLimit: 25,
        now: new Date(),
      });
      durationsMs.push(nowMs() - startedMs);
      if (claimed.length !== 50) throw new Error(`A claim of 50 took ${claimed.length}.`);
      await db
        .updateTable("webhook_deliveries")
        .set({ state: "succeeded", lease: null, leased_until: null })
        .where("lease", "=", lease)
        .where("state", "=", "sending")
        .execute();
    }
    await deleteForwardingEndpoint(db, endpointId);
    return { durationsMs };
  },
};

/** The role of the service may delete rows, but not truncate tables. */
async function clear(): Promise<void> {
  for (const table of [
    "webhook_attempts",
    "webhook_receipts",
    "webhook_deliveries",
    "webhook_endpoints",
    "events",
  ] as const)
    await db.deleteFrom(table).execute();
}

async function addEndpoints(url: string, count: number, types: string[]): Promise<void> {
  const secrets = await openSecretBox(config);
  for (let n = 1; n <= count; n++)
    await insertEndpoint(
      db,
      {
        user_id: (await accountOf(n)).id,
        url: `${url}/${n}`,
        event_types: types,
        concurrency: types[0] === "beat.created" ? maxConcurrency : 2,
        created_at: new Date(),
      },
      newSecret(),
      secrets,
    );
}

async function isUnfinished(): Promise<boolean> {
  const { rows } = await sql<{ unfinished: boolean }>`
    select exists (select from webhook_deliveries where state = 'pending')
        or exists (select from webhook_deliveries where state = 'sending') as unfinished`.execute(db);
  return rows[0]?.unfinished ?? false;
}

const work = tasks[task ?? ""];
if (work === undefined) throw new Error(`There is no task ${task}; there are ${Object.keys(tasks).join(", ")}.`);
process.stdout.write(`${JSON.stringify(await work(...parameters))}\n`);
await database.close();
