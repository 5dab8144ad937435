import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import pino from "pino";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createInbox, createOwner, emit, rotateSecret, rules, secrets } from "../testing/fixture.ts";
import { webhooksDatabase } from "../testing/webhooks-database.ts";
import { diagnose } from "./debugging/doctor.ts";
import { findDelivery } from "./deliveries.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { deleteEndpointRow, type Endpoint, findEndpoint, secretsOf } from "./endpoints/endpoints.ts";
import { emitTestEvent } from "./events/outbox.ts";
import { findReceipt, Inbox, listReceipts, maxReceipts } from "./inbox.ts";
import { bodySignature, signatureHeaders } from "./signature.ts";

const database = await webhooksDatabase();
const { query: db } = database;
const log = pino({ level: "silent" });
const clock = new FakeClock();
const userId = await createOwner(db);
const strangerId = await createOwner(db);
const owner = { ownerId: userId };
const context = () => ({ secrets, now: clock.now() });

let endpoint: Endpoint;
let inbox: Inbox;
beforeEach(async () => {
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
  endpoint = await createInbox(db, userId, clock.now());
  inbox = new Inbox({ db, clock, secrets, log, rules });
});

async function startWorker(): Promise<void> {
  const sender = { send: () => Promise.reject(new Error("An inbox needs no network.")) };
  const worker = new DeliveryWorker({ database, clock, log, sender, inbox, rules, secrets, scope: "all" });
  await worker.start();
  onTestFinished(() => worker.stop());
}

const body = Buffer.from('{"id":"evt_1","created":1,"type":"beat.created","data":{}}');
const signedBy = (secret: string, timestampSeconds = Math.floor(clock.nowMs() / 1000)) =>
  signatureHeaders({ id: "evt_1", timestampSeconds, body }, [secret]);
const receive = (headers: Record<string, string>, received = body) =>
  inbox.receive({ endpointId: endpoint.id, deliveryId: 1, body: received, headers });
const newest = async () => findReceipt(db, (await listReceipts(db, endpoint.id))[0]?.id ?? 0, owner);

test("a signed event reaches the inbox through the queue of deliveries, without a network", async () => {
  await startWorker();
  const id = await emitTestEvent(
    db,
    endpoint,
    { type: "beat.purchased", data: { beat_id: 3 }, at: clock.now() },
    rules,
  );
  await until(async () => (await findDelivery(db, id, owner)).state === "succeeded");
  const delivery = await findDelivery(db, id, owner);
  expect(delivery.history).toMatchObject([{ status: 200, error: null, answer: '{"received":true}' }]);
  const receipt = await newest();
  expect(receipt).toMatchObject({
    deliveryId: id,
    eventId: delivery.eventId,
    type: "beat.purchased",
    isVerified: true,
  });
  expect(receipt.body).toBe(delivery.payload);
  const [secret] = await secretsOf(db, endpoint.id, owner, context());
  expect(receipt.computedSignature).toBe(bodySignature(Buffer.from(receipt.body), secret));
  expect(secret.endsWith(receipt.secretEnd)).toBe(true);
  expect(receipt.secretEnd).toHaveLength(4);
  const evidence = { headers: receipt.headers, body: Buffer.from(receipt.body), secret };
  expect(diagnose({ ...evidence, nowSeconds: Math.floor(clock.nowMs() / 1000) })).toMatchObject({ ok: true });
  expect((await findEndpoint(db, endpoint.id, owner)).lastSuccessAt).toEqual(clock.now());
});

test("the inbox receives public events", async () => {
  await startWorker();
  await emit(db, [{ type: "user.updated", data: {}, at: clock.now(), audience: "everyone" }]);
  await until(async () => (await listReceipts(db, endpoint.id)).length === 1);
  expect(await newest()).toMatchObject({ type: "user.updated", isVerified: true });
});

describe("the inbox verifies like a receiver and refuses", () => {
  test.each([
    ["another secret", () => receive(signedBy("whsec_b3RoZXI="))],
    ["no signature", () => receive({ "webhook-id": "evt_1" })],
    [
      "a body that was changed",
      async () => receive(signedBy(await current()), Buffer.from(body.toString().replace("1", "2"))),
    ],
    ["a stale timestamp", async () => receive(signedBy(await current(), Math.floor(clock.nowMs() / 1000) - 301))],
  ])("%s", async (_, send) => {
    expect(await send()).toMatchObject({ status: 401, error: expect.stringContaining("401") });
    expect(await newest()).toMatchObject({ isVerified: false });
  });
  const current = async () => (await secretsOf(db, endpoint.id, owner, context()))[0];
});

test("the inbox accepts either secret during a rotation", async () => {
  const [old] = await secretsOf(db, endpoint.id, owner, context());
  const secret = await rotateSecret(db, endpoint.id, 1_000, clock.now());
  expect(await receive(signedBy(old))).toMatchObject({ status: 200 });
  expect(await receive(signedBy(secret))).toMatchObject({ status: 200 });
  clock.advance(1_000);
  expect(await receive(signedBy(old))).toMatchObject({ status: 401 });
});

test("the inbox stores only the newest receipts", async () => {
  const headers = signedBy("whsec_b3RoZXI=");
  for (let n = 0; n < maxReceipts + 5; n++) await receive(headers);
  const stored = await db.selectFrom("webhook_receipts").select("id").orderBy("id", "desc").execute();
  expect(stored).toHaveLength(maxReceipts);
  expect((await listReceipts(db, endpoint.id)).map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
});

test("a delivery that cannot be stored is a failed attempt", async () => {
  await deleteEndpointRow(db, endpoint.id);
  expect(await receive(signedBy("whsec_b3RoZXI="))).toMatchObject({
    status: null,
    error: expect.stringContaining("could not store"),
  });
});

test("receipts of another owner are not found", async () => {
  await receive(signedBy("whsec_b3RoZXI="));
  const { id } = await newest();
  await expect(findReceipt(db, id, { ownerId: strangerId })).rejects.toMatchObject({ status: 404 });
  expect(await findReceipt(db, id, "operator")).toMatchObject({ id });
});
