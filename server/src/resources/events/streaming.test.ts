import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../test/harness/api.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { maxStreamsOfAccount } from "./streams.ts";

const time = new Date("2026-11-22T12:00:00Z");
// Without TLS, as behind a proxy, so that a plain socket is enough.
const api = await testApi({ tls: { mode: "off" } });
const { driver, query: db } = api.database;
const portOf = async ({ app: { server } }: TestApi): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};
const apiPort = await portOf(api);

/** Emits events whose data has a number, so that tests can identify the events. */
const emit = (...numbers: number[]) =>
  db.transaction().execute((transaction) =>
    emitEvents(
      transaction,
      numbers.map((n) => ({ type: "beat.created", data: { n }, at: time, audience: "everyone" })),
    ),
  );

const responses = new Set<IncomingMessage>();
beforeEach(async () => {
  await driver`truncate events, event_feeds, event_feed_entries`;
});
afterEach(() => {
  for (const response of responses) response.destroy();
  responses.clear();
});

interface OpenOptions {
  query?: string;
  key?: string | null;
  lastEventId?: string;
  method?: string;
  port?: number;
}

async function open(options: OpenOptions = {}) {
  const { query = "", key = api.key, lastEventId, method = "GET", port = apiPort } = options;
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpRequest(
      {
        port,
        method,
        path: `/v1/events${query}`,
        agent: false,
        headers: {
          accept: "text/event-stream",
          "x-forwarded-proto": "https",
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
        },
      },
      resolve,
    )
      .on("error", reject)
      .end(),
  );
  responses.add(response);
  const client = { response, status: response.statusCode, text: "", hasEnded: false };
  response
    .setEncoding("utf8")
    .on("data", (chunk) => {
      client.text += chunk;
    })
    .on("error", () => {})
    .on("close", () => {
      client.hasEnded = true;
    });
  return client;
}

/** The complete events that a stream has received. */
const eventsOf = ({ text }: { text: string }) =>
  [...text.matchAll(/^id: (\d+)\nevent: (\S+)\ndata: (.*)\n\n/gm)].map(([, id = "", type = "", data = ""]) => ({
    id,
    type,
    data,
  }));
const numbersOf = (client: { text: string }) => eventsOf(client).map(({ data }) => Number(JSON.parse(data).data.n));

test("a stream sends the events after a position, and new events as soon as they occur, with position, type and body", async () => {
  await emit(1, 2);
  const { events, next } = JSON.parse((await readJson("?limit=1")).text).data;
  const stream = await open({ query: `?after=${next}` });
  expect(stream.status).toBe(200);
  expect(stream.response.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  expect(stream.response.headers).not.toHaveProperty("content-encoding");
  await until(() => eventsOf(stream).length === 1);
  await emit(3);
  await until(() => eventsOf(stream).length === 2);
  expect(stream.text.startsWith("retry: 3000\n\nid: ")).toBe(true);
  expect(events[0].data.n).toBe(1);
  expect(numbersOf(stream)).toEqual([2, 3]);
  const payloads = await db.selectFrom("events").select("payload").execute();
  expect(payloads.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining(eventsOf(stream).map(({ data }) => data)),
  );
  expect(new Set(eventsOf(stream).map(({ type }) => type))).toEqual(new Set(["beat.created"]));
});

test("a client that is disconnected repeatedly, and resumes with Last-Event-ID, gets every event once", async () => {
  const random = seededRandom(8);
  const total = 120;
  const writing = (async () => {
    for (let n = 1; n <= total; ) {
      const count = Math.min(1 + Math.floor(random() * 9), total - n + 1);
      await emit(...Array.from({ length: count }, (_, index) => n + index));
      n += count;
    }
  })();
  const receivedNumbers: number[] = [];
  let lastEventId: string | undefined;
  let connections = 0;
  while (receivedNumbers.length < total) {
    const stream = await open(lastEventId === undefined ? {} : { lastEventId, query: "?after=0" });
    connections++;
    const eventCount = Math.min(1 + Math.floor(random() * 20), total - receivedNumbers.length);
    await until(() => eventsOf(stream).length >= eventCount);
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await turn();
    stream.response.destroy();
    // Ignores later events, like a client that is killed.
    receivedNumbers.push(...numbersOf(stream).slice(0, eventCount));
    lastEventId = eventsOf(stream)[eventCount - 1]?.id;
  }
  await writing;
  expect(receivedNumbers).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  expect(connections).toBeGreaterThan(3);
});

test("HEAD sends the headers and occupies no stream", async () => {
  const key = await api.makeKey();
  for (let n = 0; n <= maxStreamsOfAccount; n++) {
    const { status, response } = await open({ method: "HEAD", key });
    expect(status).toBe(200);
    expect(response.headers["content-type"]).toBe("text/event-stream");
  }
});

test.each([
  [400, { query: "?type=beat.craeted" }, "Did you mean beat.created?"],
  [410, { query: "?after=999999999" }, "is ahead of the newest event"],
  [400, { lastEventId: "evt_7" }, "The Last-Event-ID header must be the id of an event of this stream"],
  [410, { lastEventId: "999999999" }, "is ahead of the newest event"],
  [401, { key: null }, "Send your API key"],
])("answers %i as JSON, before the stream begins, to %j", async (status, options, details) => {
  const response = await open(options);
  await until(() => response.hasEnded);
  expect(response.status).toBe(status);
  expect(response.response.headers["content-type"]).toMatch(/^application\/json/);
  expect(JSON.parse(response.text).error.details).toContain(details);
});

test("a stream is refused with 403 to a key without events:read", async () => {
  expect((await open({ key: await api.makeKey({ permissions: ["beats:read"] }) })).status).toBe(403);
});

test("a stream above the limit of the account is refused with 429 until another one closes", async () => {
  const key = await api.makeKey();
  const streams = await Promise.all(Array.from({ length: maxStreamsOfAccount }, () => open({ key })));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const refusal = await open({ key });
  await until(() => refusal.hasEnded);
  expect(refusal.status).toBe(429);
  expect(refusal.response.headers["retry-after"]).toBe("60");
  expect(JSON.parse(refusal.text).error.details).toContain(`${maxStreamsOfAccount} event streams open`);
  expect((await open()).status).toBe(200);
  streams[0]?.response.destroy();
  await until(async () => (await open({ key })).status === 200);
});

test("the request log records a stream when the stream begins", async () => {
  const key = await api.makeKey();
  await open({ key });
  const [{ id = 0 } = {}] = await driver<{ id: number }[]>`select max(id) as id from api_keys`;
  const logged = () => driver`select operation, status, calls from request_rollups where api_key_id = ${id}`;
  await until(async () => (await logged()).length > 0);
  expect((await logged())[0]).toMatchObject({ operation: "listEvents", status: 200 });
});

test.each<[string, number, (keyId: number, userId: number) => PromiseLike<unknown>]>([
  ["their key is revoked", 401, (keyId) => driver`update api_keys set revoked_at = now() where id = ${keyId}`],
  ["their key expires", 401, (keyId) => driver`update api_keys set expires_at = now() where id = ${keyId}`],
  ["their key is deleted", 401, (keyId) => driver`delete from api_keys where id = ${keyId}`],
  [
    "their account is suspended",
    403,
    (_, userId) => driver`update users set suspended_at = now(), suspension_reason = 'Spam.' where id = ${userId}`,
  ],
])("streams and long polls end on every instance if %s", async (_, status, end) => {
  const other = await testApi({ database: api.database, tls: { mode: "off" } });
  const port = await portOf(other);
  const key = await api.makeKey();
  const [{ id = 0, user_id = 0 } = {}] = await driver`select id, user_id from api_keys order by id desc limit 1`;
  const streams = [await open({ key }), await open({ key, port })];
  const headers = { "x-forwarded-proto": "https" };
  const polls = ["/v1/events", "/v1/changes"].map(async (path) => {
    const { next } = JSON.parse((await api.get(path, { headers })).body).data;
    return other.get(`${path}?wait=30&after=${next}`, { key, headers });
  });
  await until(() => streams.every(({ text }) => text.startsWith("retry")));
  await end(id, user_id);
  await until(() => streams.every(({ hasEnded }) => hasEnded));
  expect(streams.every(({ response }) => response.complete)).toBe(true);
  for (const poll of await Promise.all(polls)) expect(poll.statusCode).toBe(status);
  await emit(9);
  expect(streams.flatMap(numbersOf)).not.toContain(9);
  await other.app.close();
});

test("closing the service ends its streams immediately", async () => {
  const other = await testApi({ database: api.database, tls: { mode: "off" } });
  const port = await portOf(other);
  const streams = await Promise.all([1, 2, 3].map(() => open({ port, key: other.key })));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  await other.app.close();
  await until(() => streams.every(({ hasEnded }) => hasEnded));
  expect(streams.every(({ response }) => response.complete)).toBe(true);
});

async function readJson(query: string) {
  const response = await api.get(`/v1/events${query}`, { headers: { "x-forwarded-proto": "https" } });
  return { text: response.body };
}
