import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { openFiles } from "@beatmarket/storage/open-storage.ts";
import { placeOf } from "@beatmarket/storage/places.ts";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createEndpoint,
  createOwner,
  type EndpointRequest,
  emit as emitEvents,
  rotateSecret,
  rules,
  secrets,
  setSuspendedAt,
} from "../../testing/fixture.ts";
import { webhooksDatabase } from "../../testing/webhooks-database.ts";
import type { Attempt } from "../delivery/attempts.ts";
import { claimBatches } from "../delivery/batches.ts";
import { DeliveryWorker } from "../delivery/worker.ts";
import { destinationColumns, sealedKey } from "../endpoints/destination.ts";
import { changeEndpoint, secretsOf } from "../endpoints/endpoints.ts";
import { emitTestEvent, type NewEvent } from "../events/outbox.ts";
import { resendDelivery } from "../replay.ts";
import { Sender } from "../sender.ts";
import { bodySignature } from "../signature.ts";
import { batchObject } from "./batch-object.ts";
import { BucketWriter } from "./bucket-writer.ts";

const s3 = await startS3Server();
afterAll(() => s3.close());
const bucketKey = {
  accessKeyId: s3.credentials.AWS_ACCESS_KEY_ID,
  secretAccessKey: s3.credentials.AWS_SECRET_ACCESS_KEY,
};

const database = await webhooksDatabase();
const { query: db } = database;
const [userId, otherId] = [await createOwner(db), await createOwner(db)];
const log = pino({ level: "silent" });

let clock: FakeClock;
let worker: DeliveryWorker | null = null;
let attempts: Attempt[] = [];
let prefix = "";
let tests = 0;

beforeEach(async () => {
  clock = new FakeClock();
  attempts = [];
  prefix = `test-${++tests}`;
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});

async function startWorker({ allowPrivate = true } = {}): Promise<void> {
  const sender = new Sender({ userAgent: rules.userAgent, allowPrivate, clock });
  onTestFinished(() => sender.close());
  worker = new DeliveryWorker({
    database,
    clock,
    log,
    sender,
    rules,
    secrets,
    scope: "all",
    buckets: new BucketWriter({ sender, allowPrivate }),
    onAttempt: (attempt) => attempts.push(attempt),
    random: () => 0.5,
  });
  await worker.start();
}

const addressOf = (key: string, { bucket = s3.bucket, endpoint = s3.endpoint } = {}) =>
  `s3://${bucket}/${key}?region=us-east-1&path_style=true&endpoint=${endpoint}`;

const makeEndpoint = (request: Partial<EndpointRequest> = {}) =>
  createEndpoint(
    db,
    { userId, url: addressOf(prefix), bucketKey, ...request },
    { allowPrivate: true, now: clock.now() },
  );

const emit = (count = 1, audience: NewEvent["audience"] = "everyone"): Promise<void> =>
  emitEvents(
    db,
    Array.from(
      { length: count },
      (_, n): NewEvent => ({ type: "user.updated", data: { n }, at: clock.now(), audience }),
    ),
  );

const windowMs = 60_000;
/** Advances the clock to the end of the window, when its events are due. */
function endWindow(): void {
  clock.advance(windowMs - (clock.nowMs() % windowMs));
  worker?.wake();
}

/** The keys below a prefix, sorted. */
async function keys(folder = prefix): Promise<string[]> {
  const names = await readdir(join(s3.folder, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return names
    .filter((entry) => entry.isFile() && entry.name.endsWith(".gz"))
    .map((entry) => join(entry.parentPath, entry.name).slice(s3.folder.length + 1))
    .sort();
}
const bytesOf = (key: string): Promise<Buffer> => readFile(join(s3.folder, key));
const linesOf = async (key: string): Promise<string[]> =>
  gunzipSync(await bytesOf(key))
    .toString()
    .trimEnd()
    .split("\n");
const idsOf = async (key: string): Promise<string[]> => (await linesOf(key)).map((line) => JSON.parse(line).id);
const eventIds = async () => (await db.selectFrom("events").select("id").orderBy("id").execute()).map(({ id }) => id);
const deliveries = () =>
  db.selectFrom("webhook_deliveries").select(["id", "state", "attempts", "next_attempt_at"]).orderBy("id").execute();
const states = async () => [...new Set((await deliveries()).map(({ state }) => state))];
const attemptsMade = (count: number) => until(() => attempts.length >= count);
const endpointRow = (id: number) =>
  db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

test("the events of a minute are lines, in order, of one signed object, which is named by time and first event", async () => {
  const { endpoint, secret } = await makeEndpoint();
  await startWorker();
  await emit(2);
  clock.advance(1_000);
  await emit(1);
  expect((await deliveries()).map(({ next_attempt_at }) => next_attempt_at?.getTime())).toEqual(
    Array.from({ length: 3 }, () => Math.floor(clock.nowMs() / windowMs) * windowMs + windowMs),
  );
  endWindow();
  await attemptsMade(3);
  const [key = "", ...others] = await keys();
  expect(others).toEqual([]);
  const ids = await eventIds();
  const [day = "", time = ""] = clock.now().toISOString().split("T");
  expect(key).toMatch(
    new RegExp(
      `^${prefix}/${day.replaceAll("-", "/")}/${time.slice(0, 5).replace(":", "-")}-${ids[0]}-[0-9a-f]{8}.jsonl.gz$`,
    ),
  );
  const payloads = await db.selectFrom("events").select("payload").orderBy("id").execute();
  expect(await linesOf(key)).toEqual(payloads.map(({ payload }) => payload));

  for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const files = await openFiles(placeOf("STORAGE_URL", s3.storageUrl()), "STORAGE_URL");
  const options = { expiresAt: new Date(Date.now() + 60_000), filename: "a", contentType: "application/gzip" };
  const response = await fetch((await files.link(key, options)) ?? "");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-amz-meta-events": "3",
    "x-amz-meta-webhook-signature": bodySignature(Buffer.from(await response.arrayBuffer()), secret),
  });

  expect(attempts.map(({ outcome }) => [outcome.status, outcome.responseBody])).toEqual(
    ids.map(() => [200, `s3://${s3.bucket}/${key}`]),
  );
  expect(await states()).toEqual(["succeeded"]);
  expect((await endpointRow(endpoint.id)).last_success_at).not.toBeNull();
});

test("a bucket receives the bodies of its version", async () => {
  await makeEndpoint({ version: "2" });
  await startWorker();
  await emit();
  endWindow();
  await attemptsMade(1);
  const [line = ""] = await linesOf((await keys())[0] ?? "");
  expect(Object.keys(JSON.parse(line))).toEqual(["shape", "id", "created", "type", "data"]);
});

test("2,500 events of a minute are written as three objects of at most 1,000, and each event is written once", async () => {
  await makeEndpoint();
  await startWorker();
  await emit(2_500);
  endWindow();
  await attemptsMade(2_500);
  const written = await Promise.all((await keys()).map(idsOf));
  expect(written.map(({ length }) => length).sort()).toEqual([1_000, 1_000, 500].sort());
  for (const ids of written) expect(ids).toEqual(ids.toSorted());
  expect(written.flat().sort()).toEqual(await eventIds());
});

test("a test event is written at once, as a separate object", async () => {
  const { endpoint } = await makeEndpoint();
  await startWorker();
  await emitTestEvent(db, endpoint, { type: "user.updated", data: { id: 42 }, at: clock.now() }, rules);
  await attemptsMade(1);
  expect(await idsOf((await keys())[0] ?? "")).toEqual(await eventIds());
});

test("an event that is sent again is written as a separate object, and the first object stays", async () => {
  await makeEndpoint();
  await startWorker();
  await emit(2);
  endWindow();
  await attemptsMade(2);
  const [first = ""] = await keys();
  const before = await idsOf(first);
  const [delivery] = await deliveries();
  await resendDelivery(db, delivery?.id ?? 0, { ownerId: userId }, clock.now());
  await attemptsMade(3);
  const written = await keys();
  expect(written).toHaveLength(2);
  expect(await idsOf(first)).toEqual(before);
  expect(await Promise.all(written.map(idsOf))).toContainEqual(before.slice(0, 1));
});

test("both secrets sign during a rotation", async () => {
  const { endpoint } = await makeEndpoint();
  const terms = { secrets, now: clock.now() };
  await rotateSecret(db, endpoint.id, 3_600_000, clock.now());
  const [current, previous = ""] = await secretsOf(db, endpoint.id, "operator", terms);
  const { bytes, metadata, contentType } = await batchObject(
    [{ eventId: "evt_1", payload: '{"id":"evt_1"}', version: "1" }],
    [current, previous],
    clock.now(),
    rules,
  );
  expect(contentType).toBe("application/gzip");
  expect(metadata).toEqual({
    events: "1",
    "webhook-signature": bodySignature(bytes, current),
    "webhook-signature-previous": bodySignature(bytes, previous),
  });
});

describe("a failed write is retried with all of its events, on the schedule of webhooks:", () => {
  test.each([
    [
      "no such bucket",
      () => ({ url: addressOf(prefix, { bucket: "nowhere" }) }),
      404,
      "There is no bucket nowhere; create it, or change the endpoint.",
    ],
    [
      "a wrong secret",
      () => ({ bucketKey: { ...bucketKey, secretAccessKey: "wrong" } }),
      403,
      "The secret does not belong to the access key; give the endpoint the right secret.",
    ],
    [
      "an unknown access key",
      () => ({ bucketKey: { ...bucketKey, accessKeyId: "AKIAUNKNOWN" } }),
      403,
      "The bucket's server does not know the access key; give the endpoint another one.",
    ],
    [
      "nothing listens",
      () => ({ url: addressOf(prefix, { endpoint: "http://127.0.0.1:9" }) }),
      null,
      "The receiver refused the connection: nothing listens on that port.",
    ],
  ])("%s", async (_, broken, status, error) => {
    const { endpoint } = await makeEndpoint(broken());
    await startWorker();
    await emit(20);
    endWindow();
    await attemptsMade(20);
    expect(new Set(attempts.map(({ outcome }) => JSON.stringify([outcome.status, outcome.error])))).toEqual(
      new Set([JSON.stringify([status, error])]),
    );
    // One request failed, not twenty: the endpoint is not paused.
    expect(await endpointRow(endpoint.id)).toMatchObject({
      consecutive_failures: 1,
      resume_at: null,
      last_error: error,
      mail_due: "failing",
    });
    const retryAt = new Date(clock.nowMs() + 5_000);
    expect((await deliveries()).map(({ state, next_attempt_at }) => [state, next_attempt_at])).toEqual(
      Array.from({ length: 20 }, () => ["pending", retryAt]),
    );

    await changeEndpoint(db, endpoint.id, {
      ...destinationColumns({ url: addressOf(prefix), bucketKey }, { allowPrivate: true }),
      ...(await sealedKey(db, endpoint.id, bucketKey, secrets)),
    });
    clock.advance(5_000);
    worker?.wake();
    await attemptsMade(40);
    expect(await states()).toEqual(["succeeded"]);
    expect(await Promise.all((await keys()).map(idsOf))).toEqual([await eventIds()]);
  });
});

test("a bucket that does not answer delays no other endpoint", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  };
  onTestFinished(hangUp);
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (let n = 0; n < 6; n++) await makeEndpoint({ url: addressOf(prefix, { endpoint }) });
  const { endpoint: working } = await makeEndpoint();
  await db
    .updateTable("webhook_endpoints")
    .set({ last_success_at: clock.now() })
    .where("id", "=", working.id)
    .execute();
  await startWorker();
  await emit();
  endWindow();
  await until(() => sockets.length === 4);
  for (let windows = 1; windows < 3; windows++) {
    await attemptsMade(windows);
    await emit();
    endWindow();
  }
  await attemptsMade(3);
  expect(attempts.map(({ delivery }) => delivery.endpointId)).toEqual([working.id, working.id, working.id]);
  expect(await keys()).toHaveLength(3);
  // The worker waits for requests in flight when it stops.
  hangUp();
});

test("a worker that is killed between the write and the record loses no event", async () => {
  await makeEndpoint();
  const main = join(import.meta.dirname, "../../testing/webhook-worker.main.ts");
  const start = async (...step: string[]) => {
    const program = startProgram(process.execPath, [main, database.url, ...step], {});
    expect(await program.nextLine()).toBe("ready");
    return program;
  };
  const dying = await start("answered");
  clock = new FakeClock(Date.now() - 2 * windowMs);
  await emit(3);
  await sql`select pg_notify('webhook_deliveries', '')`.execute(db);
  expect((await dying.ended).signal).toBe("SIGKILL");
  const written = await keys();
  expect(written).toHaveLength(1);
  expect(await states()).toEqual(["sending"]);
  await sql`update webhook_deliveries set leased_until = now() where state = 'sending'`.execute(db);
  await start();
  await until(async () => (await states()).join() === "succeeded");
  const ids = await eventIds();
  for (const key of await keys()) expect(await idsOf(key)).toEqual(ids);
});

test("each bucket receives only the events of its account", async () => {
  await makeEndpoint({ url: addressOf(`${prefix}/mine`) });
  await makeEndpoint({ userId: otherId, url: addressOf(`${prefix}/theirs`) });
  await startWorker();
  await emit(2, [userId]);
  await emit(1, [otherId]);
  endWindow();
  await attemptsMade(3);
  const [first, second, third] = await eventIds();
  const ofAccount = async (name: string) => (await Promise.all((await keys(`${prefix}/${name}`)).map(idsOf))).flat();
  const [mine, theirs] = [await ofAccount("mine"), await ofAccount("theirs")];
  expect(mine).toHaveLength(2);
  expect(theirs).toHaveLength(1);
  expect([...mine, ...theirs].sort()).toEqual([first, second, third]);
});

test("an address of a private network is refused when the endpoint is created, and at each write", async () => {
  const privateUrl = addressOf(prefix, { endpoint: "https://10.0.0.1" });
  const terms = { allowPrivate: false, now: clock.now() };
  await expect(createEndpoint(db, { userId, url: privateUrl, bucketKey }, terms)).rejects.toMatchObject({
    details: expect.stringContaining("10.0.0.1, which belongs to a private network"),
  });
  await makeEndpoint({ url: privateUrl });
  await startWorker({ allowPrivate: false });
  await emit();
  endWindow();
  await attemptsMade(1);
  expect(attempts[0]?.outcome).toMatchObject({ status: null, error: expect.stringContaining("private network") });
});

describe("claims", () => {
  const claim = (limits: { limit?: number; slowLimit?: number } = {}) =>
    claimBatches(db, {
      lease: crypto.randomUUID(),
      limit: 32,
      slowLimit: 16,
      now: clock.now(),
      ...limits,
    });

  test("take one batch for each bucket at a time, and four for each account", async () => {
    for (let n = 0; n < 6; n++) await makeEndpoint();
    const { endpoint: other } = await makeEndpoint({ userId: otherId });
    await emit(2);
    endWindow();
    const claimed = await claim();
    expect(claimed.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2]);
    expect(claimed.map(([{ endpointId }]) => endpointId)).toContain(other.id);
    expect(await claim()).toEqual([]);
  });

  test("give buckets that never succeeded a limited part", async () => {
    await makeEndpoint();
    await makeEndpoint({ userId: otherId });
    await emit();
    endWindow();
    expect(await claim({ slowLimit: 1 })).toHaveLength(1);
  });

  test("skip paused and disabled buckets and suspended accounts", async () => {
    const { endpoint } = await makeEndpoint();
    await emit();
    endWindow();
    const set = (values: object) =>
      db.updateTable("webhook_endpoints").set(values).where("id", "=", endpoint.id).execute();
    await set({ resume_at: new Date(clock.nowMs() + 1) });
    expect(await claim()).toEqual([]);
    await set({ resume_at: null, state: "disabled", disabled_reason: "Disabled." });
    expect(await claim()).toEqual([]);
    await set({ state: "enabled", disabled_reason: null });
    await setSuspendedAt(db, userId, clock.now());
    onTestFinished(() => setSuspendedAt(db, userId, null));
    expect(await claim()).toEqual([]);
  });
});
