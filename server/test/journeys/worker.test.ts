import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { parseTraceparent, recordTraces } from "@beatmarket/foundation/testing/tracing.ts";
import { programEnv, type RunningProgram, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createEndpoint } from "../../src/resources/webhooks/endpoints.ts";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";

// `beatmarket worker` in a separate process, with an API in this one.

const main = join(import.meta.dirname, "../../src/main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const secretKey = "a key for tests that is long enough";
const secrets = await openSecretBox({ dataDir: "", secretKey });
recordTraces();
const api = await testApi({ database, secrets });
const [beat = 0] = await insertBeats(database, [{ priceCents: 2990 }]);

/** An HTTP server that records the headers and the body of each request. */
async function startReceiver() {
  const received: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close());
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
const collector = await startReceiver();
const receiver = await startReceiver();

beforeEach(async () => {
  await database.query.deleteFrom("webhook_endpoints").execute();
});

async function startWorker(settings: Record<string, string>): Promise<RunningProgram> {
  const env = { ...programEnv, DATABASE_URL: url, SECRET_KEY: secretKey, WEBHOOK_ALLOW_PRIVATE: "on", ...settings };
  const worker = startProgram(process.execPath, [main, "worker", "--json"], { env });
  expect(await worker.nextLine()).toBe('{"ready":true}');
  return worker;
}

test("a worker's delivery belongs to the trace of the order, for the receiver and for the collector", async () => {
  await createEndpoint(
    database.query,
    { userId: api.userId, url: receiver.origin, eventTypes: ["beat.purchased"] },
    { secrets, allowPrivate: true, now: new Date() },
    "operator",
  );
  const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
  const order = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}`, traceparent: `00-${caller.traceId}-${caller.spanId}-01` },
    payload: { beat_id: beat, payment_method: "pm_card_visa" },
  });
  expect(order.statusCode).toBe(201);
  const worker = await startWorker({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    // The exporter reads this variable itself (docs/observability.md, Traces).
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  });
  await until(() => receiver.received.length > 0);
  const traceparent = parseTraceparent(String(receiver.received[0]?.headers.traceparent));
  expect(traceparent).toMatchObject({ traceId: caller.traceId, isSampled: true });
  // A worker sends its last spans when it stops.
  worker.child.kill("SIGTERM");
  expect((await worker.ended).code).toBe(0);
  const spans = Buffer.concat(collector.received.map(({ body }) => gunzipSync(body)));
  expect(spans.includes("webhook delivery")).toBe(true);
  for (const id of [caller.traceId, traceparent.spanId]) expect(spans.includes(Buffer.from(id, "hex"))).toBe(true);
});

test("WORKER_METRICS_PORT shows a worker's metrics to this machine, or to callers with the token", async () => {
  const port = await freePort();
  const worker = await startWorker({
    WORKER_METRICS_PORT: String(port),
    METRICS_TOKEN: "the token",
    DATA_DIR: tmpdir(),
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  expect((await get("/healthz")).status).toBe(200);
  const readMetrics = async () => (await get("/metrics")).text();
  await expect.poll(readMetrics).toMatch(/^beatmarket_table_bytes\{table="orders"\} [1-9]/m);
  const text = await readMetrics();
  for (const name of [
    "beatmarket_database_connections",
    "beatmarket_webhook_oldest_due_seconds",
    "beatmarket_mails_waiting",
    "beatmarket_media_jobs",
    "beatmarket_disk_bytes",
    "process_cpu_seconds_total",
  ])
    expect(text).toMatch(new RegExp(`^${name}(\\{.*\\})? \\d`, "m"));
  const authorization = (token: string) => ({ authorization: `Bearer ${token}` });
  expect((await get("/metrics", authorization("the token"))).status).toBe(200);
  expect((await get("/metrics", authorization("another"))).status).toBe(404);
  expect((await get("/anything")).status).toBe(404);

  const second = startProgram(process.execPath, [main, "worker"], {
    env: { ...programEnv, DATABASE_URL: url, SECRET_KEY: secretKey, WORKER_METRICS_PORT: String(port) },
  });
  const { code, stderr } = await second.ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`WORKER_METRICS_PORT: nothing can listen on port ${port} of 127.0.0.1 (EADDRINUSE).`);
  worker.child.kill("SIGTERM");
  expect((await worker.ended).code).toBe(0);
});
