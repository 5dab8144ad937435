import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Agent, type RequestOptions, request as requestOf } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { programEnv } from "@beatmarket/postgres/testing/processes.ts";
import { readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { afterAll, expect, test } from "vitest";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";

// `beatmarket serve --threads 3` in a separate process. Each request uses a new connection, so that the kernel can
// assign it to any thread.

const main = join(import.meta.dirname, "../../src/main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const [beat = 0] = await insertBeats(database, [{ title: "Shared", priceCents: 2990 }]);
const api = await testApi({ database });
const dataDir = mkdtempSync(join(tmpdir(), "beatmarket-threads-"));
const port = await freePort();
const env = { ...programEnv, DATABASE_URL: url, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn", DEMO: "off" };
// Not started by `startProgram`, which ends its programs after each test.
const server = spawn(process.execPath, [main, "serve", "--threads", "3", "--json"], {
  env: { ...env, SECRET_KEY: "a key for tests that is long enough", PAYMENTS: "sandbox" },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(server, "exit");
afterAll(() => server.kill("SIGKILL"));
await once(createInterface(server.stdout), "line");
const ca = await readFile(join(dataDir, "tls/ca.pem"));

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

interface Sent extends Pick<RequestOptions, "method"> {
  headers?: Record<string, string>;
  key?: string;
  body?: string;
}

function send(path: string, { key = api.key, body, headers, method = "GET" }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = requestOf({
      host: "localhost",
      servername: "localhost",
      port,
      path,
      method,
      ca,
      agent: new Agent(),
      headers: {
        ...(key !== "" && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    });
    request.once("error", reject);
    request.once("continue", () => request.end(body));
    request.once("response", async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
    });
    if (headers?.expect === undefined) request.end(body);
    else request.flushHeaders();
  });
}

const sendMany = (times: number, path: string, options?: Sent) =>
  Promise.all(Array.from({ length: times }, () => send(path, options)));
const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
async function metric(line: string): Promise<number> {
  const { body } = await send("/metrics", { key: "" });
  return Number(
    body
      .split("\n")
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length) ?? 0,
  );
}

test("threads together admit exactly a key's limit, and more than one thread caches the caller", async () => {
  const key = await api.makeKey({ plan: "standard" });
  const before = await metric("beatmarket_callers_cached");
  const answers = await sendMany(40, "/v1/genres", { key });
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([10, 30]);
  const remaining = answers
    .filter(({ status }) => status === 200)
    .map(({ headers }) => headers["x-ratelimit-remaining"]);
  expect(remaining.map(Number).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect((await metric("beatmarket_callers_cached")) - before).toBeGreaterThan(1);
  // The limit also applies to a request that the main thread handles.
  expect((await send("/v1/orders", { key })).status).toBe(429);
});

test("threads together answer exactly 100 bad keys a minute from one network", async () => {
  const answers = await sendMany(130, "/v1/genres", { key: "bm_unknown" });
  expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([100, 30]);
  expect((await send("/v1/orders", { key: "bm_unknown" })).status).toBe(429);
  expect(await metric("beatmarket_bad_key_networks")).toBe(1);
});

test("a write is visible at once in every thread", async () => {
  const path = `/v1/users/${api.userId}`;
  for (let turn = 0; turn < 3; turn++) {
    await sendMany(12, path);
    const bio = `Turn ${turn}`;
    expect((await send("/v1/users/profile", { method: "PUT", body: JSON.stringify({ bio }) })).status).toBe(200);
    for (const { body } of await sendMany(12, path)) expect(JSON.parse(body).data.user.bio).toBe(bio);
  }
});

test("the index serves all threads, and has a new beat", async () => {
  const [added] = await insertBeats(database, [{ title: "Quarterly Zeppelin" }]);
  const beatIsFound = async () =>
    (await sendMany(6, "/v1/search?q=zeppelin")).map(({ body }) =>
      JSON.parse(body).data.beats.map(({ id }: { id: number }) => id),
    );
  await expect.poll(beatIsFound).toEqual(Array(6).fill([added]));
  expect((await send(`/v1/beats/${beat}/similar`)).status).toBe(200);
});

test("requests that threads forward to the main thread get the usual statuses, headers and bodies", async () => {
  const order = { method: "POST", body: JSON.stringify({ beat_id: beat, payment_method: "pm_card_visa" }) };
  expect((await send("/v1/orders", order)).status).toBe(201);
  expect((await send("/v1/orders", { ...order, headers: { expect: "100-continue" } })).status).toBe(201);
  expect((await send("/v1/orders", { ...order, headers: { "idempotency-key": "k" } })).status).toBe(201);
  const replayed = await send("/v1/orders", { ...order, headers: { "idempotency-key": "k" } });
  expect([replayed.status, replayed.headers["idempotent-replayed"]]).toEqual([201, "true"]);
  const large = { method: "POST", body: JSON.stringify({ text: "x".repeat(300_000) }) };
  expect((await send("/v1/orders", large)).status).toBe(413);
  const document = await send("/openapi.json", { key: "" });
  expect(JSON.parse(document.body).openapi).toMatch(/^3\.1/);
  const etag = String(document.headers.etag);
  const unchanged = await send("/openapi.json", { key: "", headers: { "if-none-match": etag } });
  expect([unchanged.status, unchanged.body]).toEqual([304, ""]);
  const head = await send("/openapi.json", { key: "", method: "HEAD" });
  expect([head.status, head.headers["content-length"], head.body]).toEqual([
    200,
    String(Buffer.byteLength(document.body)),
    "",
  ]);
  expect((await send("/v1/beats", { key: "" })).status).toBe(401);
  expect((await send("/v1/users/profile")).status).toBe((await api.get("/v1/users/profile")).statusCode);
  expect((await send("/v1/genres", { method: "DELETE" })).headers.allow).toContain("GET");
  expect((await send("/nowhere", { key: "" })).status).toBe(404);
  expect((await send("/v1/genres", { headers: { host: "not a host" } })).status).toBe(400);
  // This header does not change the client's address. Only loopback addresses may read /metrics.
  expect((await send("/metrics", { key: "", headers: { "x-beatmarket-peer": "192.0.2.7" } })).status).toBe(200);
});

test("the metrics and the log contain the calls of all threads", async () => {
  const calls = () => metric('beatmarket_requests_total{operation="listProducers",status="200"}');
  const before = await calls();
  await sendMany(15, "/v1/producers?limit=1");
  expect((await calls()) - before).toBe(15);
  expect(await metric("beatmarket_http_threads")).toBe(3);
  expect(await metric("beatmarket_http_thread_ends_total")).toBe(0);
  const logged = async () =>
    (await readLogEntries(database)).filter(({ operation }) => operation === "listProducers").length;
  await expect.poll(logged).toBe(15);
});

test("a stop completes the running requests of all threads, and ends the process", async () => {
  const position = JSON.parse((await send("/v1/changes?limit=100")).body).data.next;
  const waiting = send(`/v1/changes?after=${position}&wait=25`);
  await expect.poll(() => metric("beatmarket_waiting_requests")).toBe(1);
  server.kill("SIGTERM");
  expect((await waiting).status).toBe(200);
  expect(await ended).toEqual([0, null]);
});
