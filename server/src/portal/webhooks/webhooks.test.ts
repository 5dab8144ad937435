import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import pino from "pino";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { publicUrl, webhookSecrets } from "../../../test/harness/api.ts";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";
import { listAudit } from "../../resources/audit/queries.ts";
import { startWebhookJobs } from "../../resources/webhooks/background-jobs.ts";
import { emitEvents } from "../../resources/webhooks/outbox.ts";

const clock = new FakeClock();
const portal = await testPortal({ clock });
const { query: db } = portal.database;

let ada: SignedInVisitor;
let bob: SignedInVisitor;
beforeAll(async () => {
  [ada, bob] = [await portal.signUp(), await portal.signUp()];
});
beforeEach(async () => {
  clock.advance(60_000);
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
});

const url = "https://receiver.example/hook";
const unknownId = 999_999_999;
const fields = { url, event_types: null };

async function create(changes: object = {}): Promise<number> {
  const response = await ada.send("POST", "/webhooks/endpoints", { ...fields, ...changes });
  expect(response.statusCode).toBe(201);
  return response.json().endpoint.id;
}
const emit = (count = 1) =>
  emitEvents(
    db,
    Array.from({ length: count }, (_, n) => ({
      type: "user.updated" as const,
      data: { n },
      at: new Date(clock.nowMs() + n),
      audience: "everyone" as const,
    })),
  );
const deliveriesOf = async (endpointId: number, query = "") =>
  (await ada.get(`/webhooks/endpoints/${endpointId}/deliveries${query}`)).json().deliveries;
const newest = async (endpointId: number): Promise<number> => (await deliveriesOf(endpointId))[0].id;
const settle = (state: string) =>
  db.updateTable("webhook_deliveries").set({ state, next_attempt_at: null, attempts: 1 }).execute();

/** Sends the due deliveries with a real worker and the test's clock. */
async function deliver({ allowPrivate = false } = {}): Promise<void> {
  const stop = await startWebhookJobs({
    database: portal.database,
    clock,
    log: pino({ level: "silent" }),
    secrets: webhookSecrets,
    mails: { mailer: { send: async () => {} }, publicUrl: "https://beats.example" },
    allowPrivate,
  });
  onTestFinished(stop);
}

describe("without a session, every route answers 401", () => {
  test.each<["GET" | "POST" | "PATCH" | "DELETE", string, object?]>([
    ["GET", "/webhooks/endpoints"],
    ["GET", "/webhooks/notices"],
    ["POST", "/webhooks/endpoints", fields],
    ["POST", "/webhooks/inbox"],
    ["GET", "/webhooks/endpoints/1"],
    ["PATCH", "/webhooks/endpoints/1", { description: "" }],
    ["DELETE", "/webhooks/endpoints/1"],
    ["POST", "/webhooks/endpoints/1/disable"],
    ["POST", "/webhooks/endpoints/1/enable", { replay: false }],
    ["POST", "/webhooks/endpoints/1/reveal-secret"],
    ["POST", "/webhooks/endpoints/1/rotate-secret", { overlap_hours: 1 }],
    ["POST", "/webhooks/endpoints/1/test", { type: "beat.created" }],
    ["GET", "/webhooks/endpoints/1/deliveries"],
    ["GET", "/webhooks/endpoints/1/replay?which=failed"],
    ["POST", "/webhooks/endpoints/1/replay", { which: "failed" }],
    ["GET", "/webhooks/endpoints/1/receipts"],
    ["GET", "/webhooks/receipts/1"],
    ["GET", "/webhooks/deliveries/1"],
    ["GET", "/webhooks/deliveries/1/curl"],
    ["POST", "/webhooks/deliveries/1/resend"],
    ["POST", "/webhooks/doctor", { endpoint_id: 1, headers: "", body_base64: "" }],
  ])("%s %s", async (method, path, body) => {
    const visitor = portal.visitor();
    const response = method === "GET" ? await visitor.get(path) : await visitor.send(method, path, body);
    expect(response.statusCode).toBe(401);
  });
});

test("resources of another account do not exist: 404, and nothing changes", async () => {
  const id = await create();
  const inbox = (await ada.send("POST", "/webhooks/inbox")).json().id;
  await emit();
  const [delivery, secret] = [await newest(id), await ada.send("POST", `/webhooks/endpoints/${id}/reveal-secret`)];
  await db
    .insertInto("webhook_receipts")
    .values({
      endpoint_id: inbox,
      delivery_id: delivery,
      received_at: clock.now(),
      headers: { "webhook-id": "evt_1", "webhook-timestamp": "1" },
      body: '{"type":"beat.created"}',
      computed_signature: "",
      secret_end: "",
      verified: true,
    })
    .execute();
  const receipt = (await ada.get(`/webhooks/endpoints/${inbox}/receipts`)).json().receipts[0].id;
  const before = (await ada.get(`/webhooks/endpoints/${id}`)).json();
  const doctor = (endpoint_id: number) => ({ endpoint_id, headers: "", body_base64: "" });
  for (const [method, path, body] of [
    ["GET", `/webhooks/endpoints/${id}`],
    ["PATCH", `/webhooks/endpoints/${id}`, { description: "mine" }],
    ["DELETE", `/webhooks/endpoints/${id}`],
    ["POST", `/webhooks/endpoints/${id}/disable`],
    ["POST", `/webhooks/endpoints/${id}/enable`, { replay: true }],
    ["POST", `/webhooks/endpoints/${id}/reveal-secret`],
    ["POST", `/webhooks/endpoints/${id}/rotate-secret`, { overlap_hours: 0 }],
    ["POST", `/webhooks/endpoints/${id}/test`, { type: "beat.created" }],
    ["GET", `/webhooks/endpoints/${id}/deliveries`],
    ["GET", `/webhooks/endpoints/${id}/replay?which=failed`],
    ["POST", `/webhooks/endpoints/${id}/replay`, { which: "failed" }],
    ["GET", `/webhooks/endpoints/${inbox}/receipts`],
    ["GET", `/webhooks/receipts/${receipt}`],
    ["GET", `/webhooks/deliveries/${delivery}`],
    ["GET", `/webhooks/deliveries/${delivery}/curl`],
    ["POST", `/webhooks/deliveries/${delivery}/resend`],
    ["POST", "/webhooks/doctor", doctor(id)],
  ] as const) {
    const bobsResponse = method === "GET" ? await bob.get(path) : await bob.send(method, path, body);
    expect([path, bobsResponse.statusCode, bobsResponse.json().error.code]).toEqual([path, 404, "not_found"]);
    const absent = path.replace(/\d+/, String(unknownId));
    const changes = body !== undefined && "endpoint_id" in body ? doctor(unknownId) : body;
    const none = method === "GET" ? await ada.get(absent) : await ada.send(method, absent, changes);
    expect([absent, none.statusCode]).toEqual([absent, 404]);
  }
  expect((await bob.get("/webhooks/endpoints")).json()).toEqual({ endpoints: [] });
  expect((await ada.get(`/webhooks/endpoints/${id}`)).json()).toEqual(before);
  expect((await ada.send("POST", `/webhooks/endpoints/${id}/reveal-secret`)).json()).toEqual(secret.json());
});

test.each(["POST", "PATCH", "DELETE"] as const)("a %s from another origin is refused: 403", async (method) => {
  const path = method === "POST" ? "/webhooks/endpoints" : "/webhooks/endpoints/1";
  for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }])
    expect((await ada.send(method, path, fields, headers)).statusCode).toBe(403);
});

describe("an endpoint", () => {
  test("can be created, listed, changed and deleted", async () => {
    const response = await ada.send("POST", "/webhooks/endpoints", {
      ...fields,
      description: " Staging ",
      event_types: ["user.updated", "beat.created"],
      ordered: true,
    });
    expect(response.statusCode).toBe(201);
    const { endpoint, secret } = response.json();
    expect(secret).toMatch(/^whsec_/);
    expect(endpoint).toMatchObject({
      kind: "http",
      url,
      description: "Staging",
      event_types: ["beat.created", "user.updated"],
      ordered: true,
      state: "enabled",
    });
    const path = `/webhooks/endpoints/${endpoint.id}`;
    const changed = await ada.send("PATCH", path, { url: "https://other.example/", event_types: null });
    expect(changed.json()).toEqual({ ...endpoint, url: "https://other.example/", event_types: null });
    expect((await ada.get("/webhooks/endpoints")).json().endpoints).toMatchObject([changed.json()]);
    expect((await ada.send("DELETE", path)).statusCode).toBe(204);
    expect((await ada.get(path)).statusCode).toBe(404);
  });

  test("shows its health", async () => {
    const id = await create();
    const health = async () => (await ada.get(`/webhooks/endpoints/${id}`)).json();
    expect(await health()).toMatchObject({
      recent: [],
      attempted: 0,
      succeeded: 0,
      undelivered: { pending: 0, failed: 0, skipped: 0 },
      last_success_at: null,
      last_failure_at: null,
    });
    await emit(3);
    await settle("succeeded");
    clock.advance(1_000);
    await emit(1);
    expect(await health()).toMatchObject({
      recent: ["pending", "succeeded", "succeeded", "succeeded"],
      attempted: 3,
      succeeded: 3,
      undelivered: { pending: 1, failed: 0, skipped: 0 },
    });
    expect((await ada.get("/webhooks/endpoints")).json().endpoints).toEqual([await health()]);
  });

  test.each([
    ["no url", { url: undefined }, "url"],
    ["http", { url: "http://receiver.example/" }, "https://"],
    ["loopback", { url: "https://127.0.0.1/" }, "this machine itself"],
    ["loopback in another spelling", { url: "https://0x7f.1/" }, "this machine itself"],
    ["a cloud's metadata", { url: "https://169.254.169.254/latest" }, "metadata"],
    ["an IPv4 address in IPv6 form", { url: "https://[::ffff:10.0.0.1]/" }, "IPv4 address in IPv6 form"],
    ["a local name", { url: "https://localhost:8443/" }, "not a name on the public internet"],
    ["a low port", { url: "https://receiver.example:22/" }, "port 22"],
    ["a password", { url: "https://user:secret@receiver.example/" }, "user name or password"],
    ["the scheme of an inbox", { url: "inbox:1" }, "https://"],
    ["a long url", { url: `https://receiver.example/${"x".repeat(2048)}` }, "2048"],
    ["no event type", { event_types: [] }, "event_types"],
    ["an unknown event type", { event_types: ["beat.burned"] }, "beat.created"],
    ["a long description", { description: "x".repeat(201) }, "200"],
    ["an unknown field", { secret: "mine" }, "secret"],
    ["a text instead of a boolean", { ordered: "yes" }, "ordered"],
  ])("is refused with %s, on creation and, if the URL is wrong, on change: 400", async (_, changes, words) => {
    const response = await ada.send("POST", "/webhooks/endpoints", { ...fields, ...changes });
    expect(response.json().error).toMatchObject({ code: "invalid_request", details: expect.stringContaining(words) });
    expect(response.statusCode).toBe(400);
    expect((await ada.get("/webhooks/endpoints")).json().endpoints).toEqual([]);
    if (!("url" in changes) || changes.url === undefined) return;
    const id = await create();
    const changed = await ada.send("PATCH", `/webhooks/endpoints/${id}`, changes);
    expect([changed.statusCode, changed.json().error.details]).toEqual([400, expect.stringContaining(words)]);
    expect((await ada.get(`/webhooks/endpoints/${id}`)).json().url).toBe(url);
  });

  test("is 409 above twenty endpoints", async () => {
    for (let n = 0; n < 20; n++) await create();
    expect((await ada.send("POST", "/webhooks/endpoints", fields)).statusCode).toBe(409);
  });

  test("can be disabled and enabled, sends skipped deliveries on request, and is in a notice if it fails", async () => {
    const id = await create();
    const notices = async () => (await ada.get("/webhooks/notices")).json().endpoints;
    expect(await notices()).toEqual([]);
    const disabled = await ada.send("POST", `/webhooks/endpoints/${id}/disable`);
    expect(disabled.json()).toMatchObject({ state: "disabled", disabled_reason: "Disabled in the developer portal." });
    expect(await notices()).toEqual([disabled.json()]);
    await emit(2);
    for (const path of ["test", "replay"]) {
      const body = path === "test" ? { type: "beat.created" } : { which: "skipped" };
      expect((await ada.send("POST", `/webhooks/endpoints/${id}/${path}`, body)).statusCode).toBe(409);
    }
    expect((await ada.send("POST", `/webhooks/deliveries/${await newest(id)}/resend`)).statusCode).toBe(409);
    const enabled = await ada.send("POST", `/webhooks/endpoints/${id}/enable`, { replay: true });
    expect(enabled.json()).toMatchObject({ replayed: 2, endpoint: { state: "enabled" } });
    expect(await notices()).toEqual([]);
    expect((await ada.send("POST", `/webhooks/endpoints/${id}/enable`, {})).statusCode).toBe(400);
    await db.updateTable("webhook_endpoints").set({ failing_since: clock.now(), last_error: "No." }).execute();
    expect(await notices()).toMatchObject([{ id, state: "enabled", last_error: "No." }]);
  });

  test("shows its secret on request, and rotates it with an overlap; the audit log has each", async () => {
    const response = await ada.send("POST", "/webhooks/endpoints", fields);
    const { endpoint, secret } = response.json();
    const reveal = async () => (await ada.send("POST", `/webhooks/endpoints/${endpoint.id}/reveal-secret`)).json();
    expect(await reveal()).toEqual({ secret, previous_secret: null, previous_secret_until: null });
    const rotate = (overlap_hours: unknown) =>
      ada.send("POST", `/webhooks/endpoints/${endpoint.id}/rotate-secret`, { overlap_hours });
    const rotated = (await rotate(24)).json();
    expect(rotated.previous_secret_until).toBe(new Date(clock.nowMs() + 86_400_000).toISOString());
    expect(await reveal()).toEqual({ ...rotated, previous_secret: secret });
    for (const wrong of [-1, 721, 0.5, "24", undefined]) expect((await rotate(wrong)).statusCode).toBe(400);
    const entries = await listAudit(db, ada.userId, { limit: 4 });
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      "webhook_endpoint.created",
      "webhook_endpoint.secret_revealed",
      "webhook_endpoint.secret_rotated",
      "webhook_endpoint.secret_revealed",
    ]);
    expect(entries[0]?.author).toMatchObject({ clientAddress: "127.0.0.1" });
  });
});

describe("deliveries", () => {
  test("are filtered and paged", async () => {
    const id = await create();
    await emit(5);
    const page = async (query: string) => (await ada.get(`/webhooks/endpoints/${id}/deliveries?${query}`)).json();
    const first = await page("limit=2");
    expect(first).toMatchObject({ newer: null, older: expect.stringMatching(/^evt_/) });
    const second = await page(`limit=2&older_than=${first.older}`);
    expect(await page(`limit=2&newer_than=${second.newer}`)).toEqual(first);
    expect(await deliveriesOf(id, "?state=pending&type=user.updated")).toHaveLength(5);
    expect(await deliveriesOf(id, "?state=failed")).toEqual([]);
    const from = new Date(clock.nowMs() + 3).toISOString();
    expect(await deliveriesOf(id, `?from=${from}`)).toHaveLength(2);
    expect(await deliveriesOf(id, `?to=${from}`)).toHaveLength(3);
  });

  test.each([
    ["an unknown state", "state=lost", "state"],
    ["an unknown type", "type=beat.burned", "type"],
    ["an invalid time", "from=yesterday", "from"],
    ["a limit out of range", "limit=101", "limit"],
    ["both cursors", "older_than=evt_1&newer_than=evt_2", "older_than or newer_than"],
    ["an unknown parameter", "page=2", "page"],
  ])("are refused with %s: 400", async (_, query, words) => {
    const response = await ada.get(`/webhooks/endpoints/${await create()}/deliveries?${query}`);
    expect(response.json().error).toMatchObject({ code: "invalid_request", details: expect.stringContaining(words) });
    expect(response.statusCode).toBe(400);
  });

  test("are shown with payload, attempts, responses as text and failures in words, and can be resent", async () => {
    const hostile = `<img src=x onerror=alert(1)>\u202Eevil${"x".repeat(500)}`;
    let status = 500;
    const receiver = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status).end(hostile));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void receiver.close());
    await once(receiver, "listening");
    const id = await create();
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await db.updateTable("webhook_endpoints").set({ url: address }).execute();
    await deliver({ allowPrivate: true });
    const sent = await ada.send("POST", `/webhooks/endpoints/${id}/test`, { type: "beat.purchased" });
    expect(sent.statusCode).toBe(202);
    const path = `/webhooks/deliveries/${sent.json().delivery_id}`;
    const delivery = async () => (await ada.get(path)).json();
    await until(async () => (await delivery()).history.length === 1);
    expect(await delivery()).toMatchObject({
      type: "beat.purchased",
      state: "pending",
      attempts: 1,
      next_attempt_at: expect.any(String),
      last_error: expect.stringContaining("answered 500"),
      history: [{ status: 500, error: expect.stringContaining("answered 500"), answer: hostile }],
    });
    expect(JSON.parse((await delivery()).payload)).toMatchObject({ type: "beat.purchased", data: expect.anything() });
    status = 200;
    const resent = await ada.send("POST", `${path}/resend`);
    expect([resent.statusCode, resent.json().attempts]).toEqual([202, 0]);
    await until(async () => (await delivery()).state === "succeeded");
    expect((await delivery()).history).toHaveLength(2);
  });

  test("are available as a signed curl line that works", async () => {
    const id = await create({ description: "It's" });
    await emit();
    const delivery = await newest(id);
    const { curl } = (await ada.get(`/webhooks/deliveries/${delivery}/curl`)).json();
    expect(curl).toMatch(/^curl -H 'Content-Type: application\/json' .*-H 'X-Webhook-Signature: [0-9a-f]{64}'/);
    const headers = [...curl.matchAll(/-H '([^']+)'/g)].map(([, header]) => header).join("\n");
    const body = /--data-binary '(.+?)' 'https/.exec(curl)?.[1] ?? "";
    const examined = await ada.send("POST", "/webhooks/doctor", {
      endpoint_id: id,
      headers,
      body_base64: Buffer.from(body).toString("base64"),
    });
    expect(examined.json()).toMatchObject({ ok: true });
  });

  test("cannot be resent during an attempt: 409", async () => {
    const id = await create();
    await emit();
    await db
      .updateTable("webhook_deliveries")
      .set({ state: "sending", next_attempt_at: null, lease: crypto.randomUUID(), leased_until: new Date() })
      .execute();
    expect((await ada.send("POST", `/webhooks/deliveries/${await newest(id)}/resend`)).statusCode).toBe(409);
  });
});

describe("a replay", () => {
  test("sends as many deliveries as its preview shows", async () => {
    const id = await create();
    await emit(3);
    await settle("failed");
    const preview = async (query: string) => (await ada.get(`/webhooks/endpoints/${id}/replay?${query}`)).json().count;
    expect(await preview("which=skipped")).toBe(0);
    expect(await preview("which=undelivered")).toBe(3);
    const from = new Date(clock.nowMs() + 1).toISOString();
    expect(await preview(`which=failed&from=${from}`)).toBe(2);
    expect(await preview(`which=all&from=${from}`)).toBe(2);
    const replayed = await ada.send("POST", `/webhooks/endpoints/${id}/replay`, { which: "failed", from });
    expect([replayed.statusCode, replayed.json()]).toEqual([202, { replayed: 2 }]);
    expect((await deliveriesOf(id)).map(({ state }: { state: string }) => state)).toEqual([
      "pending",
      "pending",
      "failed",
    ]);
    const [entry] = await listAudit(db, ada.userId, { limit: 1 });
    expect(entry).toMatchObject({ action: "webhook_endpoint.replayed", subject: expect.stringContaining("failed") });
  });

  test.each([
    ["without `which`", {}, "which"],
    ["of everything, without a beginning", { which: "all" }, "from when on"],
    ["with an invalid time", { which: "failed", to: "tomorrow" }, "to"],
  ])("is refused %s: 400", async (_, body: Record<string, string>, words) => {
    const id = await create();
    const responses = [
      await ada.send("POST", `/webhooks/endpoints/${id}/replay`, body),
      await ada.get(`/webhooks/endpoints/${id}/replay?${new URLSearchParams(body)}`),
    ];
    for (const response of responses)
      expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(words)]);
  });
});

test("a replay of more than 10,000 deliveries is refused, and no delivery is queued: 400", async () => {
  const id = await create();
  await ada.send("POST", `/webhooks/endpoints/${id}/disable`);
  await sql`
    insert into webhook_deliveries (endpoint_id, event_id, type, state, ordered, created_at)
    select ${id}::bigint, 'evt_' || lpad(n::text, 26, '0'), 'beat.created', 'skipped', false, ${clock.now()}
    from generate_series(1, 10001) n`.execute(db);
  const path = `/webhooks/endpoints/${id}`;
  expect((await ada.get(`${path}/replay?which=skipped`)).json()).toEqual({ count: 10_001, limit: 10_000 });
  const enabling = await ada.send("POST", `${path}/enable`, { replay: true });
  expect([enabling.statusCode, enabling.json().error.details]).toEqual([400, expect.stringContaining("10,000")]);
  expect((await ada.get(path)).json()).toMatchObject({ state: "disabled", undelivered: { skipped: 10_000 } });
  expect((await ada.send("POST", `${path}/enable`, { replay: false })).statusCode).toBe(200);
  expect((await ada.send("POST", `${path}/replay`, { which: "skipped" })).statusCode).toBe(400);
  expect((await ada.get(path)).json().undelivered.pending).toBe(0);
});

test("a body that is not JSON, or too large, is refused: 415, 413", async () => {
  const send = (payload: string, type: string) =>
    portal.api.request({
      method: "POST",
      url: "/portal/api/webhooks/doctor",
      payload,
      headers: { origin: publicUrl, cookie: ada.cookie(), "content-type": type },
    });
  expect((await send("endpoint_id=1", "application/x-www-form-urlencoded")).statusCode).toBe(415);
  expect((await send(JSON.stringify({ headers: "x".repeat(200_000) }), "application/json")).statusCode).toBe(413);
});

describe("the inbox", () => {
  test("receives deliveries, verifies them and shows the result", async () => {
    const response = await ada.send("POST", "/webhooks/inbox");
    expect([response.statusCode, response.json()]).toEqual([201, expect.objectContaining({ kind: "inbox", url: "" })]);
    const { id } = response.json();
    expect((await ada.send("POST", "/webhooks/inbox")).statusCode).toBe(409);
    await deliver();
    await ada.send("POST", `/webhooks/endpoints/${id}/test`, { type: "beat.purchased" });
    const receipts = async () => (await ada.get(`/webhooks/endpoints/${id}/receipts`)).json().receipts;
    await until(async () => (await receipts()).length === 1);
    const [short] = await receipts();
    expect(short).toMatchObject({ type: "beat.purchased", verified: true });
    const receipt = (await ada.get(`/webhooks/receipts/${short.id}`)).json();
    expect(receipt).toMatchObject({ ...short, body_bytes: Buffer.byteLength(receipt.body), age_seconds: 0 });
    expect(receipt.given_signature).toBe(receipt.computed_signature);
    const { secret } = (await ada.send("POST", `/webhooks/endpoints/${id}/reveal-secret`)).json();
    expect(secret.endsWith(receipt.secret_end)).toBe(true);
    expect(JSON.stringify(receipt)).not.toContain(secret);
    const refusal = await ada.send("PATCH", `/webhooks/endpoints/${id}`, { url });
    expect(refusal.statusCode).toBe(400);
  });
});

describe("the doctor", () => {
  test("shows the cause of a failed verification for a pasted delivery", async () => {
    const id = await create();
    await emit();
    const { curl } = (await ada.get(`/webhooks/deliveries/${await newest(id)}/curl`)).json();
    const headers = [...curl.matchAll(/-H '([^']+)'/g)].map(([, header]) => header).join("\r\n");
    const body = /--data-binary '(.+?)' 'https/.exec(curl)?.[1] ?? "";
    const examine = async (changes: object) =>
      (
        await ada.send("POST", "/webhooks/doctor", {
          endpoint_id: id,
          headers,
          body_base64: Buffer.from(body).toString("base64"),
          ...changes,
        })
      ).json();
    expect(await examine({})).toMatchObject({ ok: true });
    expect(await examine({ headers: "" })).toMatchObject({ cause: expect.stringContaining("no X-Webhook-Signature") });
    const spaced = Buffer.from(JSON.stringify(JSON.parse(body), null, 2)).toString("base64");
    expect(await examine({ body_base64: spaced })).toMatchObject({ cause: expect.stringContaining("re-serialised") });
    const newline = Buffer.from(`${body}\n`).toString("base64");
    expect(await examine({ body_base64: newline })).toMatchObject({ cause: expect.stringContaining("newline") });
    expect(await examine({ secret: "whsec_b3RoZXI=" })).toMatchObject({
      ok: false,
      cause: expect.stringContaining("another secret"),
    });
    expect(await examine({ computed: "abc" })).toMatchObject({ cause: expect.stringContaining("computed") });
  });

  test.each([
    ["no endpoint", { endpoint_id: undefined }],
    ["an endpoint that is not a number", { endpoint_id: "1" }],
    ["headers that are not JSON", { headers: "{nope" }],
    ["a body that is too large", { body_base64: "x".repeat(80_001) }],
  ])("refuses %s: 400", async (_, changes) => {
    const body = { endpoint_id: await create(), headers: "", body_base64: "", ...changes };
    expect((await ada.send("POST", "/webhooks/doctor", body)).statusCode).toBe(400);
  });
});
