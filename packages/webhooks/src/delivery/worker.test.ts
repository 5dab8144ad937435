import { setTimeout as sleep } from "node:timers/promises";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createEndpoint,
  createOwner,
  disableEndpoint,
  emit as emitEvents,
  enableEndpoint,
  rules,
  secrets,
} from "../../testing/fixture.ts";
import { webhooksDatabase } from "../../testing/webhooks-database.ts";
import { emitTestEvent, type NewEvent } from "../events/outbox.ts";
import { replayDeliveries } from "../replay.ts";
import type { Outcome, Sender } from "../sender.ts";
import { bodySignature } from "../signature.ts";
import { type Attempt, recordAttempts } from "./attempts.ts";
import { claimDeliveries } from "./queue.ts";
import { DeliveryWorker } from "./worker.ts";

const database = await webhooksDatabase();
const { query: db } = database;
const userId = await createOwner(db);
const log = pino({ level: "silent" });
const outcomeOf = (status: number, overrides: Partial<Outcome> = {}): Outcome => ({
  status,
  durationMs: 5,
  timedOut: false,
  error: status >= 200 && status < 300 ? null : `It answered ${status}.`,
  responseBody: "",
  retryAfterMs: null,
  ...overrides,
});

let clock: FakeClock;
let workers: DeliveryWorker[] = [];
let attempts: Attempt[] = [];

beforeEach(async () => {
  clock = new FakeClock();
  attempts = [];
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

type Receive = (request: Parameters<Sender["send"]>[0]) => Outcome | Promise<Outcome>;

/** Starts a worker that sends its requests to `receive`. */
async function startWorker(receive: Receive, options: { maxInFlight?: number } = {}): Promise<DeliveryWorker> {
  const worker = new DeliveryWorker({
    database,
    clock,
    log,
    sender: { send: async (request) => receive(request) },
    rules,
    secrets,
    scope: "all",
    onAttempt: (attempt) => attempts.push(attempt),
    random: () => 0.5,
    ...options,
  });
  await worker.start();
  workers.push(worker);
  return worker;
}

const makeEndpoint = async (overrides: { isOrdered?: boolean; url?: string } = {}) =>
  createEndpoint(
    db,
    { userId, url: "https://receiver.example/hook", ...overrides },
    { allowPrivate: false, now: clock.now() },
  );

const emit = (count = 1): Promise<void> =>
  emitEvents(
    db,
    Array.from(
      { length: count },
      (_, n): NewEvent => ({ type: "user.updated", data: { n }, at: clock.now(), audience: "everyone" }),
    ),
  );

const attemptsMade = (count: number) => until(() => attempts.length >= count);
const states = async () =>
  (await db.selectFrom("webhook_deliveries").select("state").orderBy("id").execute()).map(({ state }) => state);
const endpointRow = (id: number) =>
  db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

test("after the commit of its event, a delivery is sent exactly once, signed and with the stored body", async () => {
  const { secret } = await makeEndpoint();
  const requests: Parameters<Receive>[0][] = [];
  await startWorker((request) => {
    requests.push(request);
    return outcomeOf(200);
  });
  await emit();
  await attemptsMade(1);
  const [request] = requests;
  const event = await db.selectFrom("events").selectAll().executeTakeFirstOrThrow();
  expect(request?.url).toBe("https://receiver.example/hook");
  expect(request?.body.toString()).toBe(event.payload);
  expect(request?.headers).toMatchObject({
    "X-Webhook-Signature": bodySignature(Buffer.from(event.payload), secret),
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(clock.nowMs() / 1000)),
  });
  expect(await states()).toEqual(["succeeded"]);
  expect(requests).toHaveLength(1);
});

test("a test event is marked by a header that no other delivery has", async () => {
  const { endpoint } = await makeEndpoint();
  const requests: Parameters<Receive>[0][] = [];
  await startWorker((request) => {
    requests.push(request);
    return outcomeOf(200);
  });
  await emit();
  await attemptsMade(1);
  await emitTestEvent(db, endpoint, { type: "user.updated", data: { id: 42 }, at: clock.now() }, rules);
  await attemptsMade(2);
  expect(requests.map(({ headers }) => headers["X-Webhook-Test"])).toEqual([undefined, "true"]);
});

test("each attempt is recorded: time, status, duration, error and response body", async () => {
  await makeEndpoint();
  await startWorker(() => outcomeOf(503, { durationMs: 41.6, responseBody: "over\0loaded \uD800" }));
  await emit();
  await attemptsMade(1);
  expect(await db.selectFrom("webhook_attempts").selectAll().execute()).toEqual([
    expect.objectContaining({
      attempted_at: clock.now(),
      status: 503,
      duration_ms: 42,
      error: "It answered 503.",
      answer: "over\uFFFDloaded \uFFFD",
    }),
  ]);
});

test("a failing delivery is attempted ten times on schedule, newly signed with the same id, and then fails", async () => {
  await makeEndpoint();
  const sent: { id: unknown; timestamp: number; signature: unknown }[] = [];
  const worker = await startWorker(({ headers }) => {
    sent.push({
      id: headers["webhook-id"],
      timestamp: Number(headers["webhook-timestamp"]),
      signature: headers["webhook-signature"],
    });
    return outcomeOf(500);
  });
  await emit();
  for (const [index, delayMs] of [5e3, 3e5, 18e5, 72e5, 18e6, 36e6, 504e5, 72e6, 864e5].entries()) {
    await attemptsMade(index + 1);
    clock.advance(delayMs - 1);
    worker.wake();
    // Nothing is due yet, so a poll claims nothing.
    expect(
      await claimDeliveries(db, { scope: "all", lease: crypto.randomUUID(), limit: 1, slowLimit: 1, now: clock.now() }),
    ).toEqual([]);
    clock.advance(1);
    worker.wake();
  }
  await attemptsMade(10);
  expect(await states()).toEqual(["failed"]);
  expect(sent.map(({ timestamp }) => timestamp - (sent[0]?.timestamp ?? 0))).toEqual([
    0, 5, 305, 2105, 9305, 27305, 63305, 113705, 185705, 272105,
  ]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(new Set(sent.map(({ signature }) => signature)).size).toBe(10);
});

test("a Retry-After delays the next attempt", async () => {
  await makeEndpoint();
  const worker = await startWorker(() => outcomeOf(429, { retryAfterMs: 90_000 }));
  await emit();
  await attemptsMade(1);
  const { next_attempt_at } = await db
    .selectFrom("webhook_deliveries")
    .select("next_attempt_at")
    .executeTakeFirstOrThrow();
  expect(next_attempt_at).toEqual(new Date(clock.nowMs() + 90_000));
  clock.advance(90_000);
  worker.wake();
  await attemptsMade(2);
});

test("410 disables the endpoint: queued and later deliveries are skipped, and one call replays them", async () => {
  const { endpoint } = await makeEndpoint();
  let status = 410;
  await startWorker(() => outcomeOf(status), { maxInFlight: 1 });
  await emit(3);
  await until(async () => (await states()).every((state) => state === "skipped"));
  expect(attempts).toHaveLength(1);
  await emit();
  expect(await states()).toEqual(["skipped", "skipped", "skipped", "skipped"]);
  expect(await endpointRow(endpoint.id)).toMatchObject({
    state: "disabled",
    disabled_reason: expect.stringContaining("410"),
    mail_due: "disabled",
  });
  status = 200;
  await enableEndpoint(db, endpoint.id);
  const selection = { states: ["skipped"] as const };
  expect(await replayDeliveries(db, { ...endpoint, state: "enabled" }, selection, rules, clock.now())).toBe(4);
  await until(async () => (await states()).every((state) => state === "succeeded"));
});

test("an attempt that ends after its endpoint was disabled leaves nothing in the queue", async () => {
  const { endpoint } = await makeEndpoint();
  const sent = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await startWorker(async () => {
    sent.resolve();
    await answered.promise;
    return outcomeOf(500);
  });
  await emit();
  await sent.promise;
  await disableEndpoint(db, endpoint.id, clock.now());
  answered.resolve();
  await until(async () => (await states()).every((state) => state === "skipped"));
});

test("a disabled endpoint gets no deliveries", async () => {
  const { endpoint } = await makeEndpoint();
  await disableEndpoint(db, endpoint.id, clock.now());
  await emit();
  await enableEndpoint(db, endpoint.id);
  await startWorker(() => outcomeOf(200));
  await emit();
  await attemptsMade(1);
  expect(await states()).toEqual(["skipped", "succeeded"]);
});

describe("an ordered endpoint", () => {
  test("gets one delivery at a time, and a failed one blocks the next", async () => {
    await makeEndpoint({ isOrdered: true });
    const bodies: number[] = [];
    let inFlight = 0;
    let failures = 1;
    const worker = await startWorker(async ({ body }) => {
      expect(++inFlight).toBe(1);
      bodies.push(JSON.parse(body.toString()).data.n);
      await sleep(1);
      inFlight--;
      return outcomeOf(bodies.length === 3 && failures-- > 0 ? 500 : 200);
    });
    await emit(6);
    await attemptsMade(3);
    expect(await states()).toEqual(["succeeded", "succeeded", "pending", "pending", "pending", "pending"]);
    clock.advance(5_000);
    worker.wake();
    await attemptsMade(7);
    expect(bodies).toEqual([0, 1, 2, 2, 3, 4, 5]);
  });

  test("stays ordered with two workers", async () => {
    await makeEndpoint({ isOrdered: true });
    const bodies: number[] = [];
    const receive: Receive = async ({ body }) => {
      bodies.push(JSON.parse(body.toString()).data.n);
      return outcomeOf(200);
    };
    await Promise.all([startWorker(receive), startWorker(receive)]);
    await emit(40);
    await attemptsMade(40);
    expect(bodies).toEqual(bodies.map((_, n) => n));
  });
});

describe("several workers", () => {
  test("never send a delivery twice", async () => {
    for (let n = 0; n < 5; n++) await makeEndpoint();
    const sent: string[] = [];
    const receive: Receive = async ({ headers, url }) => {
      sent.push(`${headers["webhook-id"]} ${headers["X-Webhook-Signature"]} ${url}`);
      await sleep(Math.random() * 3);
      return outcomeOf(200);
    };
    await Promise.all([1, 2, 3].map(() => startWorker(receive, { maxInFlight: 7 })));
    await emit(100);
    await attemptsMade(500);
    expect(new Set(sent).size).toBe(500);
    expect((await states()).every((state) => state === "succeeded")).toBe(true);
  });

  test("take over the deliveries of a killed worker, with the same id; its late results do not change their state", async () => {
    await makeEndpoint();
    await emit();
    const [dead] = await claimDeliveries(db, {
      scope: "all",
      lease: crypto.randomUUID(),
      limit: 10,
      slowLimit: 10,
      now: clock.now(),
    });
    const ids: unknown[] = [];
    let respond: (outcome: Outcome) => void = () => {};
    await startWorker(({ headers }) => {
      ids.push(headers["webhook-id"]);
      return new Promise((resolve) => {
        respond = resolve;
      });
    });
    expect(ids).toEqual([]);
    await sql`update webhook_deliveries set leased_until = now() - interval '1 second'`.execute(db);
    clock.advance(5_000);
    workers[0]?.wake();
    await until(() => ids.length === 1);
    expect(ids).toEqual([dead?.eventId]);
    if (dead === undefined) throw new Error("Nothing was claimed.");
    await recordAttempts(db, [
      { delivery: dead, startedAt: clock.now(), endedAt: clock.now(), outcome: outcomeOf(500), random: 0.5 },
    ]);
    expect(await states()).toEqual(["sending"]);
    respond(outcomeOf(200));
    await attemptsMade(1);
    expect(await states()).toEqual(["succeeded"]);
    expect(await db.selectFrom("webhook_attempts").select("status").orderBy("id").execute()).toEqual([
      { status: 500 },
      { status: 200 },
    ]);
  });
});

describe("fairness", () => {
  /** Creates an account with this many endpoints. Gives every endpoint a success and a raised concurrency limit. */
  async function provenAccount(name: string, endpoints: number): Promise<void> {
    const ownerId = await createOwner(db);
    for (let n = 0; n < endpoints; n++) {
      const request = { userId: ownerId, url: `https://${name}-${n}.example/` };
      await createEndpoint(db, request, { allowPrivate: false, now: clock.now() });
    }
    await db.updateTable("webhook_endpoints").set({ last_success_at: clock.now(), concurrency: 16 }).execute();
  }
  const claim = async (limit: number) => {
    const lease = crypto.randomUUID();
    const claimed = await claimDeliveries(db, { scope: "all", lease, limit, slowLimit: limit / 2, now: clock.now() });
    return Map.groupBy(claimed, ({ url }) => url.slice("https://".length).replace(/-.*/, ""));
  };

  test("an account has at most 64 requests in flight, among them one of each endpoint, and blocks no other account", async () => {
    await provenAccount("many", 20);
    await emit(30);
    const first = await claim(1_024);
    expect(first.get("many")).toHaveLength(64);
    expect(new Set(first.get("many")?.map(({ endpointId }) => endpointId)).size).toBe(20);
    expect((await claim(1_024)).size).toBe(0);
    await provenAccount("few", 1);
    await emit(2);
    const second = await claim(1_024);
    expect([second.get("few")?.length, second.get("many")]).toEqual([2, undefined]);
  });

  test("accounts share the free capacity, however many endpoints and deliveries each has", async () => {
    await provenAccount("many", 20);
    await provenAccount("few", 1);
    await emit(30);
    const claimed = await claim(20);
    expect([claimed.get("many")?.length, claimed.get("few")?.length]).toEqual([10, 10]);
  });

  test("endpoints that never succeeded get at most half of the capacity", async () => {
    await provenAccount("proven", 1);
    await db.updateTable("webhook_endpoints").set({ last_success_at: null }).execute();
    for (const n of [1, 2, 3]) await makeEndpoint({ url: `https://new-${n}.example/` });
    await emit(5);
    const claimed = await claim(12);
    expect([...claimed.values()].flat()).toHaveLength(6);
  });

  test("an endpoint whose row is locked delays no other endpoint, and its outcome is recorded afterwards", async () => {
    const { endpoint: lockedEndpoint } = await makeEndpoint();
    await makeEndpoint();
    const released = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (transaction) => {
      await transaction.selectFrom("webhook_endpoints").where("id", "=", lockedEndpoint.id).forUpdate().execute();
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    await startWorker(() => outcomeOf(200));
    await emit(3);
    await attemptsMade(3);
    expect(attempts.map(({ delivery }) => delivery.endpointId)).not.toContain(lockedEndpoint.id);
    released.resolve();
    await holding;
    await attemptsMade(6);
    expect(await states()).toEqual(Array(6).fill("succeeded"));
    expect(await db.selectFrom("webhook_attempts").select("id").execute()).toHaveLength(6);
  });

  test("many hanging endpoints do not delay healthy ones", async () => {
    const hosts = ["hanging", "healthy"].flatMap((kind) =>
      Array.from({ length: 50 }, (_, n) => `${kind}-${n}.example`),
    );
    const owners = await Promise.all(Array.from({ length: 10 }, () => createOwner(db)));
    for (const [n, host] of hosts.entries())
      await createEndpoint(
        db,
        { userId: owners[n % 10] ?? 0, url: `https://${host}/` },
        { allowPrivate: false, now: clock.now() },
      );
    const emitMany = (count: number) =>
      emitEvents(
        db,
        Array.from({ length: count }, () => ({
          type: "beat.created" as const,
          data: {},
          at: clock.now(),
          audience: "everyone" as const,
        })),
      );
    const hanging: (() => void)[] = [];
    let inFlight = 0;
    let healthy = 0;
    let isOver = false;
    await startWorker(
      ({ url }) => {
        if (url.includes("healthy")) {
          healthy++;
          return outcomeOf(200);
        }
        inFlight++;
        if (isOver) return outcomeOf(200);
        return new Promise((resolve) =>
          hanging.push(() => resolve(outcomeOf(0, { status: null, error: "No answer.", timedOut: true }))),
        );
      },
      { maxInFlight: 160 },
    );
    await emitMany(10);
    await until(() => healthy === 500);
    // Two requests for each endpoint at first, and one after the endpoint is slow.
    const waiting = inFlight;
    expect(waiting).toBeLessThanOrEqual(100);
    for (const end of hanging) end();
    await until(() => attempts.length === 500 + waiting);
    const { max } = await db
      .selectFrom("webhook_endpoints")
      .select(({ fn }) => fn.max("concurrency").as("max"))
      .where("url", "like", "%hanging%")
      .executeTakeFirstOrThrow();
    expect(max).toBe(1);
    // Together they leave half of the capacity free.
    await until(() => inFlight === waiting + 50);
    clock.advance(5_000);
    for (const worker of workers) worker.wake();
    await emitMany(1);
    await until(() => healthy === 550);
    isOver = true;
    for (const end of hanging) end();
  });
});
