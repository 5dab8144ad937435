import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connect } from "../../src/database/connect.ts";
import { migrate } from "../../src/database/migrate.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";
import { createEndpoint } from "../../src/resources/webhooks/endpoints.ts";
import { emitEvents } from "../../src/resources/webhooks/outbox.ts";
import { openSecretBox } from "../../src/resources/webhooks/secret-box.ts";
import { databaseUrl, openScratchServer } from "../../tools/scratch-server.ts";

// Kills webhook workers with SIGKILL at random points, a hundred times, while events happen: each event must reach its
// receiver at least once, with the same id each time, and no request may hold what was never an event. Ends with
// "N passed, N failed", a count for each round. The database server outlives the workers.
const rounds = Number(process.argv[2] ?? 100);
const workersAtATime = 3;
const eventsPerRound = 60;
const longestLifeMs = 120;
const recoverWithinMs = 90_000;
const secretKey = "a key for a run of random kills, long enough";
const workerMain = join(import.meta.dirname, "../webhook-worker.main.ts");

const server = await openScratchServer();
const name = `faults_${randomBytes(4).toString("hex")}`;
const url = databaseUrl(server.url, name);
const owner = connect({ url: server.url }, { max: 1 });
await owner.driver`create database ${owner.driver(name)}`;
const database = connect({ url }, { max: 5 });
const { query: db } = database;
await migrate(database);

/** Bodies by event id, as they came. */
const received = new Map<string, Set<string>>();
let requests = 0;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  requests++;
  const id = String(request.headers["webhook-id"]);
  received.set(id, (received.get(id) ?? new Set()).add(Buffer.concat(chunks).toString()));
  await sleep(randomInt(20));
  response.end("ok");
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const { port } = receiver.address() as AddressInfo;
const account = await findOrCreateAccount(db, { email: "subscriber@example.com" });
await createEndpoint(
  db,
  { userId: account.id, url: `http://127.0.0.1:${port}/`, eventTypes: ["beat.created"] },
  { secrets: await openSecretBox({ dataDir: "", secretKey }), allowPrivate: true, now: new Date() },
  "operator",
);

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [workerMain, url, secretKey], { stdio: ["ignore", "pipe", "inherit"] });
  await once(worker.stdout, "data");
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  const ended = once(worker, "exit");
  worker.kill("SIGKILL");
  await ended;
}

const workers = await Promise.all(Array.from({ length: workersAtATime }, startWorker));
for (let round = 1; round <= rounds; round++) {
  const facts = Array.from({ length: eventsPerRound }, () => ({
    type: "beat.created" as const,
    data: { round },
    at: new Date(),
    audience: "everyone" as const,
  }));
  const doomed = workers.shift();
  if (doomed === undefined) throw new Error("No worker is left to kill.");
  const replacing = startWorker();
  await emitEvents(db, facts);
  await sleep(randomInt(longestLifeMs));
  await kill(doomed);
  workers.push(await replacing);
  if (round % 10 === 0) process.stdout.write(`${round} workers killed, ${requests} requests received\n`);
}

const unfinished = async (): Promise<number> =>
  (await db.selectFrom("webhook_deliveries").select("id").where("state", "<>", "succeeded").execute()).length;
for (const deadlineMs = Date.now() + recoverWithinMs; (await unfinished()) > 0 && Date.now() < deadlineMs; )
  await sleep(500);

const { rows: events } = await sql<{ id: string; payload: string; round: number; state: string }>`
  select events.id, payload, (payload::jsonb -> 'data' ->> 'round')::int as round, state
  from events join webhook_deliveries on event_id = events.id`.execute(db);
let failed = 0;
for (let round = 1; round <= rounds; round++) {
  const its = events.filter((event) => event.round === round);
  const wrong = its.filter(({ id, payload, state }) => {
    const bodies = received.get(id);
    return state !== "succeeded" || bodies?.size !== 1 || !bodies.has(payload);
  });
  if (its.length === eventsPerRound && wrong.length === 0) continue;
  failed++;
  process.stdout.write(`round ${round}: ${its.length} of ${eventsPerRound} events, not delivered: ${wrong.length}\n`);
}
const strangers = [...received.keys()].filter((id) => !events.some((event) => event.id === id)).length;
if (strangers > 0) {
  failed++;
  process.stdout.write(`${strangers} requests held an id that no event has\n`);
}
process.stdout.write(`${events.length} events, ${requests} requests, ${requests - received.size} repeated\n`);

await Promise.all(workers.map(kill));
receiver.close();
await database.close();
await owner.driver`drop database ${owner.driver(name)} with (force)`;
await owner.close();
await server.close();
process.stdout.write(`${rounds - Math.min(failed, rounds)} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
