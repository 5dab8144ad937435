import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { databaseUrl, openScratchServer } from "@beatmarket/postgres/testing/scratch-server.ts";
import { analyse } from "@beatmarket/request-log/analytics/analytics.ts";
import { callHistogram } from "@beatmarket/request-log/analytics/call-histogram.ts";
import { limitUse } from "@beatmarket/request-log/analytics/limit-use.ts";
import { periodOfSpan, timeSpans } from "@beatmarket/request-log/analytics/period.ts";
import type { CallFilter } from "@beatmarket/request-log/call-filter.ts";
import { postgresCallLog } from "@beatmarket/request-log/call-log.ts";
import { listCalls } from "@beatmarket/request-log/calls.ts";
import type { RequestLogEntry } from "@beatmarket/request-log/entry.ts";
import { RequestLog } from "@beatmarket/request-log/request-log.ts";
import { LogBatch } from "@beatmarket/request-log/storage/log-batch.ts";
import { writeBatch } from "@beatmarket/request-log/storage/queries.ts";
import { sql } from "kysely";
import pino from "pino";
import { connect, type Database, migrateSchema } from "../../src/database/connect.ts";

// Measures the request log with a million calls of one account: writing, listing with every kind of filter, analytics.
//   node server/tools/load/measure-request-log.main.ts [--calls 1000000] [--explain]
const { values: options } = parseArgs({
  options: { calls: { type: "string", default: "1000000" }, explain: { type: "boolean", default: false } },
});
const calls = Number(options.calls);
const batch = 2_000;
const account = 1;
const dayMs = 86_400_000;
const nowMs = Date.now();

const operations = [
  ["listBeats", "GET", "/v1/beats", "genre=7&sort=popular&page="],
  ["getBeat", "GET", "/v1/beats/", ""],
  ["search", "GET", "/v1/search", "q=lo%20fi&limit="],
  ["listOrders", "GET", "/v1/orders", "page="],
] as const;

/** A UUIDv7 of that time, in the form of the server's request ids. */
function requestId(timeMs: number): string {
  const time = Math.floor(timeMs).toString(16).padStart(12, "0");
  const random = randomBytes(9).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`;
}

/**
 * Call `index` of all calls, which are spread evenly over 29 days, oldest first. One in fifty is refused, one in 10,000
 * is an order.
 */
function entry(index: number): RequestLogEntry {
  const refused = index % 50 === 17;
  const isOverLimit = refused && index % 100 === 17;
  const order = index % 10_000 === 4_999;
  const timeMs = nowMs - 29 * dayMs * (1 - index / calls);
  const [operation, method, path, query] = operations[((index * 7) % 4) | 0] ?? operations[0];
  const errorCode = isOverLimit ? "rate_limit_exceeded" : "invalid_request";
  const refusedBy = isOverLimit ? "limit:minute" : "parameter:genre";
  return {
    timeMs,
    admittedMs: isOverLimit ? null : timeMs,
    requestId: requestId(timeMs),
    apiKeyId: 1 + (index % 3),
    userId: account,
    fromExplorer: false,
    operation: order ? "createOrder" : operation,
    method: order ? "POST" : method,
    path: order ? "/v1/orders" : operation === "getBeat" ? `${path}${index % 5_000}` : path,
    query: order || query === "" ? "" : `${query}${index % 400}`,
    status: statusOf(index, { order, refused, isOverLimit }),
    durationMs: durationMs(index),
    errorCode: refused ? errorCode : null,
    errorMessage: refused ? "Invalid request" : null,
    errorDetails: refused ? "The genre parameter must be a valid integer. Given: trap." : null,
    refusedBy: refused ? refusedBy : null,
    headers: "accept: application/json\n",
    body: order ? '{"beat_id":1,"payment_method":"pm_card_visa"}' : null,
    clientAddress: "203.0.113.7",
    userAgent: index === 3 ? "the-needle/1.0" : "beatmarket-python/1.0 (python 3.11)",
    version: "2026-11-20",
  };
}

function statusOf(index: number, call: { order: boolean; refused: boolean; isOverLimit: boolean }): number {
  if (call.order) return 201;
  if (call.isOverLimit) return 429;
  if (call.refused) return 400;
  return index % 9 === 0 ? 304 : 200;
}

/** The duration of a call: up to 4 ms for nearly all calls, and up to a second for a few, like in a busy service. */
function durationMs(index: number): number {
  const chance = ((index * 2_654_435_761) % 1_000_003) / 1_000_003;
  return 1 + 3 * chance ** 2 + 1_000 * chance ** 400;
}

/**
 * Prints the median time to write a call while 4,000 calls a second arrive, with and without counts. The two are
 * measured in turns.
 */
async function measureWriting(database: Database): Promise<void> {
  const counted: number[] = [];
  const uncounted: number[] = [];
  for (let round = 0; round < 7; round++) {
    await sql`truncate request_log_blocks, request_rollups`.execute(database.query);
    counted.push(await writeLive(database, { userId: account }));
    uncounted.push(await writeLive(database, { userId: null }));
  }
  await sql`truncate request_log_blocks, request_rollups`.execute(database.query);
  console.log("writing while 4,000 calls a second come in, a call:");
  for (const [variant, times] of Object.entries({ "as it is": counted, "without counts": uncounted }))
    console.log(`  ${median(times).toFixed(1).padStart(5)} µs ${variant}`);
}

/** Writes calls. Returns the microseconds for each. Calls of no account (`userId` null) are not counted. */
async function writeLive(database: Database, whose: { userId: number | null }): Promise<number> {
  const count = 40_000;
  let spentMs = 0;
  for (let start = 0; start < count; start += batch) {
    const entries = Array.from({ length: batch }, (_, offset) => ({
      ...entry(start + offset),
      ...whose,
      timeMs: nowMs + (start + offset) / 4,
    }));
    const began = performance.now();
    await writeBatch(database.query, LogBatch.fromEntries(entries));
    spentMs += performance.now() - began;
  }
  return (spentMs * 1000) / count;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function writeAll(database: Database, from: number, to: number): Promise<number> {
  let spentMs = 0;
  for (let start = from; start < to; start += batch) {
    const entries = Array.from({ length: Math.min(batch, to - start) }, (_, offset) => entry(start + offset));
    const began = performance.now();
    await writeBatch(database.query, LogBatch.fromEntries(entries));
    spentMs += performance.now() - began;
  }
  return (spentMs * 1000) / (to - from);
}

async function timed(name: string, work: () => Promise<string>): Promise<void> {
  const times: number[] = [];
  let output = "";
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    output = await work();
    times.push(performance.now() - began);
  }
  console.log(`${name.padEnd(58)} ${median(times).toFixed(1).padStart(7)} ms   ${output}`);
}

const server = await openScratchServer();
const name = `measure_${randomBytes(4).toString("hex")}`;
const owner = connect({ url: server.url }, { max: 1 });
await sql`create database ${sql.id(name)}`.execute(owner.query);
const database = connect({ url: databaseUrl(server.url, name) }, { max: 2 });
try {
  await migrateSchema(database);
  const { query: db } = database;

  await measureWriting(database);
  const sparse = await writeAll(database, 0, calls);
  console.log(
    `writing 29 days at once, 24 calls a minute, so that most have counts of their own: ${sparse.toFixed(1)} µs a call`,
  );
  await new RequestLog(database, systemClock, pino({ level: "silent" })).sweep();
  await sql`vacuum analyze request_log_blocks, request_rollups`.execute(db);
  const {
    rows: [size],
  } = await sql<Record<"log" | "indexes" | "rollups" | "rows", string>>`
    select pg_size_pretty(pg_table_size('request_log_blocks')) as log, pg_size_pretty(pg_indexes_size('request_log_blocks')) as indexes,
           pg_size_pretty(pg_total_relation_size('request_rollups')) as rollups,
           (select count(*) from request_rollups) as rows`.execute(db);
  console.log(
    `\n${calls} calls: log ${size?.log}, its indexes ${size?.indexes}; ${size?.rows} rollups ${size?.rollups}\n`,
  );

  const log = postgresCallLog(db);
  const middle = `${nowMs - 14 * dayMs}-0`;
  const someId = (await listCalls(log, account, {}, { limit: 5_000 })).calls.at(-1)?.requestId;
  const filters: [string, CallFilter, string?][] = [
    ["newest", {}],
    ["newest, from the middle", {}, middle],
    ["one key", { apiKeyId: 2 }],
    ["refused (4xx)", { statusClass: 4 }],
    ["status 500, of which there is none", { status: 500 }],
    ["one key, 4xx", { apiKeyId: 2, statusClass: 4 }],
    ["operation createOrder (1 in 10,000)", { operation: "createOrder" }],
    ["method POST (1 in 10,000)", { method: "POST" }],
    ["path /v1/beats/4711 (1 in 20,000)", { path: "/v1/beats/4711" }],
    ["text found often", { text: "lo fi" }],
    ["text found once, in the oldest call", { text: "the-needle" }],
    ["a request id", { text: someId }],
    ["one day of 29", { fromMs: nowMs - 11 * dayMs, toMs: nowMs - 10 * dayMs }],
  ];
  for (const [label, filter, before] of filters)
    await timed(`list: ${label}`, async () => {
      const page = await listCalls(log, account, filter, { limit: 50, before });
      return `${page.calls.length} calls${page.next === null ? ", all searched" : `, searched to ${page.searchedTo?.toISOString()}`}`;
    });
  await timed("list: text found once, all the way to the oldest call", async () => {
    let requests = 0;
    let count = 0;
    let before: string | undefined;
    do {
      const page = await listCalls(log, account, { text: "the-needle" }, { limit: 50, before });
      requests++;
      count += page.calls.length;
      before = page.next ?? undefined;
    } while (before !== undefined);
    return `${requests} requests, ${count} found`;
  });
  const histograms: [string, CallFilter][] = [
    ["all calls", {}],
    ["the last day", { fromMs: nowMs - dayMs }],
    ["refused (4xx)", { statusClass: 4 }],
    ["three hours a week ago", { fromMs: nowMs - 7 * dayMs, toMs: nowMs - 7 * dayMs + 10_800_000 }],
    ["slower than 500 ms", { minDurationMs: 500 }],
    ["text found once", { text: "the-needle" }],
  ];
  for (const [label, filter] of histograms)
    await timed(`histogram: ${label}`, async () => {
      const { bars, countedFrom } = await callHistogram(log, account, filter, { nowMs });
      const counted = bars.reduce((sum, { classes }) => sum + classes[2] + classes[3] + classes[4] + classes[5], 0);
      return `${bars.length} bars, ${counted} calls${countedFrom === null ? "" : `, back to ${countedFrom.toISOString()}`}`;
    });
  for (const span of timeSpans)
    for (const apiKeyId of [undefined, 2])
      await timed(`analytics: last ${span}${apiKeyId === undefined ? "" : ", one key"}`, async () => {
        const request = { userId: account, apiKeyId, period: periodOfSpan(span, nowMs), nowMs };
        const { calls: counted } = await analyse(db, request);
        const use = await limitUse(db, request);
        return `${counted} calls, ${use.length} keys`;
      });
  await timed("sweep with nothing to forget", async () =>
    String(await new RequestLog(database, systemClock, pino({ level: "silent" })).sweep()),
  );

  if (options.explain) {
    for (const [title, statement] of [
      ["newest", "select * from request_log_blocks where user_id = 1 order by last_at desc, id desc limit 8"],
      [
        "one key",
        "select * from request_log_blocks where user_id = 1 and api_key_id = 2 order by last_at desc, id desc limit 8",
      ],
      [
        "refused",
        "select * from request_log_blocks where user_id = 1 and refused > 0 order by last_at desc, id desc limit 8",
      ],
    ] as const) {
      console.log(`\n${title}`);
      const { rows } = await sql<
        Record<"QUERY PLAN", string>
      >`explain (analyze, buffers) ${sql.raw(statement)}`.execute(db);
      for (const row of rows) console.log(`  ${row["QUERY PLAN"]}`);
    }
  }
} finally {
  await database.close();
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(owner.query);
  await owner.close();
  await server.close();
}
