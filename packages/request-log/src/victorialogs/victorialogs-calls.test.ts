import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Unavailable } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { testEngine, victoriaCallLog } from "../../testing/call-logs.ts";
import { logEntry } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import type { VictoriaLogs } from "../../testing/victoria-logs.ts";
import { postgresCallLog } from "../call-log.ts";
import { listCalls } from "../calls.ts";
import type { RequestLogEntry } from "../entry.ts";
import { LogBatch } from "../storage/log-batch.ts";
import { VictoriaLogsClient } from "./client.ts";
import { Outbox } from "./outbox.ts";

const startMs = Date.UTC(2026, 0, 31, 12);
const minuteMs = 60_000;
const clock = new FakeClock(startMs);
const database = await requestLogDatabase();
const { driver } = database;
const engineOrReason = await testEngine();
const engine = "missing" in engineOrReason ? ({} as VictoriaLogs) : engineOrReason;

beforeEach(async ({ skip }) => {
  if ("missing" in engineOrReason) skip(engineOrReason.missing);
  await driver`truncate request_log_blocks, request_rollups`;
  await engine.empty();
});

const owner = { userId: 1, apiKeyId: 11 };
const batchOf = (calls: readonly Partial<RequestLogEntry>[]) =>
  LogBatch.fromEntries(calls.map((call) => logEntry({ timeMs: startMs, ...owner, ...call })));

async function write(log: ReturnType<typeof victoriaCallLog>, calls: readonly Partial<RequestLogEntry>[]) {
  await log.store.write(batchOf(calls));
  await log.store.flush();
  await engine.show();
}

const countedCalls = async () =>
  (await driver`select coalesce(sum(calls), 0)::int as calls from request_rollups where seconds = 60`)[0]?.calls;

describe("calls in VictoriaLogs", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom("", "\0", "a\nb", "\ud83c", "none"),
  );
  const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const anyShape = fc.record({
    method: fc.constantFrom("GET", "POST"),
    status: fc.constantFrom(200, 404, 429, 500),
    operation: orNull(fc.constantFrom("listBeats", "search")),
    path: text.map((rest) => `/${rest}`),
    query: text,
    error: fc.oneof(
      fc.constant({ errorCode: null, errorMessage: null, errorDetails: null, refusedBy: null }),
      fc.record({
        errorCode: text,
        errorMessage: text,
        errorDetails: orNull(text),
        refusedBy: orNull(text.map((name) => `parameter:${name}`)),
      }),
    ),
    headers: fc.constantFrom("", "accept: */*\n"),
    body: orNull(text),
    clientAddress: text,
    userAgent: text,
    fromExplorer: fc.boolean(),
    durationMs: fc.integer({ min: 0, max: 40_000_000 }).map((microseconds) => microseconds / 1000),
  });
  const wellFormed = <T extends object>(entry: T): object =>
    Object.fromEntries(
      Object.entries(entry).map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
    );

  test("are read as they were written, with any texts, by their ids", async () => {
    const log = victoriaCallLog(engine, database, clock);
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyShape, { minLength: 1, maxLength: 20 }), async (shapes) => {
        const from = written;
        const entries = shapes.map(({ error, ...shape }) =>
          logEntry({ ...owner, ...shape, ...error, requestId: `r${written}`, timeMs: startMs - 100_000 + written++ }),
        );
        await log.store.write(LogBatch.fromEntries(entries));
        await log.store.flush();
        await engine.show();
        const { calls } = await log.store.search(1, { fromMs: startMs - 100_000 + from }, { limit: 100 });
        const expected = entries.map(({ admittedMs: _, ...entry }) => wellFormed(entry)).toReversed();
        expect(calls.map(({ id: _, ...call }) => call)).toEqual(expected);
        for (const call of calls.slice(0, 3)) {
          expect(await log.store.find(1, call.id)).toEqual(call);
          expect(await log.store.find(2, call.id)).toBeNull();
        }
      }),
      { numRuns: 30, seed: 5 },
    );
  });

  test("are each returned once by a search in bounded steps, whatever their times", async () => {
    const log = victoriaCallLog(engine, database, clock);
    let userId = 1_000;
    const times = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 3_600_000 }),
        fc.integer({ min: 0, max: 29 * 86_400_000 }),
      ),
      { minLength: 1, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 9 }), async (ages, scanned) => {
        userId++;
        const calls = ages.map((age, index) => ({
          userId,
          apiKeyId: userId,
          timeMs: startMs - age,
          requestId: `r${index}`,
          path: index % 3 === 0 ? "/v1/needle" : "/v1/hay",
        }));
        await write(log, calls);
        const seen: string[] = [];
        let before: string | undefined;
        do {
          const page = await listCalls(log, userId, { path: "needle" }, { limit: 3, before, scanned });
          seen.push(...page.calls.map(({ requestId }) => requestId));
          before = page.next ?? undefined;
        } while (before !== undefined);
        const matching = calls.filter(({ path }) => path === "/v1/needle");
        expect(seen.toSorted()).toEqual(matching.map(({ requestId }) => requestId).toSorted());
      }),
      { numRuns: 25, seed: 7 },
    );
  });

  test("are returned once if they were sent twice because the response was lost", async () => {
    let inserts = 0;
    const { url } = await proxy(engine, (isInsert) => {
      if (isInsert) inserts++;
      return isInsert && inserts === 1;
    });
    const log = victoriaCallLog({ port: Number(new URL(url).port) }, database, clock);
    await write(log, [
      { requestId: "one", admittedMs: startMs },
      { requestId: "two", admittedMs: startMs + 1 },
    ]);
    expect([log.store.waiting, inserts]).toEqual([2, 1]);
    clock.advance(minuteMs);
    await log.store.flush();
    await engine.show();
    expect([log.store.waiting, inserts]).toEqual([0, 2]);
    const { calls, next } = await listCalls(log, 1, {}, { limit: 50 });
    expect([calls.map(({ requestId }) => requestId), next]).toEqual([["two", "one"], null]);
    const first = await listCalls(log, 1, {}, { limit: 1 });
    expect(first.calls.map(({ requestId }) => requestId)).toEqual(["two"]);
    const second = await listCalls(log, 1, {}, { limit: 1, before: first.next ?? undefined });
    expect(second.calls.map(({ requestId }) => requestId)).toEqual(["one"]);
    expect(await log.store.admittedSince({ apiKeyId: 11, fromExplorer: false }, 0, 2)).toEqual([startMs, startMs + 1]);
    expect(await countedCalls()).toBe(2);
  });

  test("wait and are counted while the engine is unreachable, and reads name the unreachable part", async () => {
    const log = victoriaCallLog(engine, database, clock);
    await write(log, [{ requestId: "before" }]);
    await engine.stop();
    await log.store.write(batchOf([{ requestId: "during", timeMs: startMs + 1 }]));
    await log.store.flush();
    expect([log.store.waiting, log.store.dropped, await countedCalls()]).toEqual([1, 0, 2]);
    const reading = listCalls(log, 1, {}, { limit: 5 });
    await expect(reading).rejects.toThrow(Unavailable);
    await expect(reading).rejects.toMatchObject({
      details: "The request log is out of reach. Calls are answered and logged all the same.",
    });
    await engine.start();
    clock.advance(minuteMs);
    await log.store.flush();
    await engine.show();
    expect(log.store.waiting).toBe(0);
    const { calls } = await listCalls(log, 1, {}, { limit: 5 });
    expect(calls.map(({ requestId }) => requestId)).toEqual(["during", "before"]);
  });

  test("that PostgreSQL stored earlier count for rate limits", async () => {
    const bucket = { apiKeyId: 11, fromExplorer: false };
    await postgresCallLog(database.query).store.write(batchOf([{ admittedMs: startMs }]));
    const log = victoriaCallLog(engine, database, clock);
    await write(log, [{ timeMs: startMs + 5, admittedMs: startMs + 6 }]);
    expect(await log.store.admittedSince(bucket, startMs - 1, 9)).toEqual([startMs, startMs + 6]);
    expect(await log.store.admittedSince(bucket, startMs, 9)).toEqual([startMs + 6]);
    expect(await log.store.admittedSince(bucket, startMs - 1, 1)).toEqual([startMs + 6]);
  });

  test("are queried with the credentials; a refusal is reported as an outage with its reason", async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end("who are you");
    });
    const client = new VictoriaLogsClient({ url, authorization: "Basic bWU6cA==" }, clock);
    await expect(client.query("*")).rejects.toThrow("it answered 401: who are you");
    expect(seen).toEqual(["Basic bWU6cA=="]);
  });
});

test("an engine that gives no response gets no request for two seconds", async () => {
  let requestCount = 0;
  const url = await serve((request) => {
    requestCount++;
    request.socket.destroy();
  });
  const client = new VictoriaLogsClient({ url, authorization: null }, clock);
  for (const expected of [1, 1, 2]) {
    if (expected === 2) clock.advance(2_000);
    await expect(client.query("*")).rejects.toThrow(Unavailable);
    expect(requestCount).toBe(expected);
  }
});

test("a full queue drops further calls and counts them", async () => {
  const unreachable = new VictoriaLogsClient({ url: "http://127.0.0.1:1", authorization: null }, clock);
  const outbox = new Outbox(unreachable, { warn: () => {} }, 1_000);
  while (outbox.dropped === 0) outbox.add(await outbox.compress(batchOf([{}, {}]).blocks));
  expect(outbox.dropped).toBe(2);
  expect(outbox.waiting).toBeGreaterThan(2);
  await outbox.flush();
  expect(outbox.waiting).toBeGreaterThan(2);
});

/** Starts a server that is closed at the end of the test. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Forwards requests to the engine, and closes the connection instead of some responses. */
async function proxy({ port }: VictoriaLogs, isLost: (isInsert: boolean) => boolean): Promise<{ url: string }> {
  const url = await serve(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const sent = new Headers({ "content-type": headers["content-type"] ?? "" });
    const encoding = headers["content-encoding"];
    if (encoding !== undefined) sent.set("content-encoding", encoding);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: sent,
      body: await buffer(request),
    });
    const text = await answer.text();
    if (isLost(path.startsWith("/insert"))) response.destroy();
    else response.writeHead(answer.status).end(text);
  });
  return { url };
}
