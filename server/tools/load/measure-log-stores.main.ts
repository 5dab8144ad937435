import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { databaseUrl, openScratchServer } from "@beatmarket/postgres/testing/scratch-server.ts";
import { callHistogram } from "@beatmarket/request-log/analytics/call-histogram.ts";
import { groupErrors } from "@beatmarket/request-log/analytics/error-groups.ts";
import { keyClients } from "@beatmarket/request-log/analytics/key-use.ts";
import type { CallFilter } from "@beatmarket/request-log/call-filter.ts";
import { type CallLog, openCallLog } from "@beatmarket/request-log/call-log.ts";
import { listCalls } from "@beatmarket/request-log/calls.ts";
import type { RequestLogEntry } from "@beatmarket/request-log/entry.ts";
import { LogBatch } from "@beatmarket/request-log/storage/log-batch.ts";
import { findVictoriaLogs, startVictoriaLogs } from "@beatmarket/request-log/testing/victoria-logs.ts";
import { sql } from "kysely";
import { connect, migrateSchema } from "../../src/database/connect.ts";
import { cpuSecondsOf } from "./process-cpu.ts";

// Compares the stores of the request log: the same calls in PostgreSQL and in VictoriaLogs. The service's code writes
// and reads them. Half of the calls are of one busy key of account 1, half of 2,000 keys with few calls each.
//   node server/tools/load/measure-log-stores.main.ts [--calls 400000] [--json]
const { values: options } = parseArgs({
  options: { calls: { type: "string", default: "400000" }, json: { type: "boolean", default: false } },
});
const calls = Number(options.calls);
const batch = 500;
const account = 1;
const dayMs = 86_400_000;
const nowMs = Date.now();
const quietKeys = 2_000;

function entry(index: number): RequestLogEntry {
  const isBusy = index % 2 === 0;
  const key = isBusy ? 1 : 2 + ((index >> 1) % quietKeys);
  const refused = index % 50 === 16;
  const timeMs = nowMs - dayMs * (1 - index / calls);
  const time = Math.floor(timeMs).toString(16).padStart(12, "0");
  const random = randomBytes(9).toString("hex");
  const admittedStatus = index % 9 === 0 ? 304 : 200;
  return {
    timeMs,
    admittedMs: refused ? null : timeMs,
    requestId: `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`,
    apiKeyId: key,
    userId: isBusy ? account : key,
    fromExplorer: false,
    operation: "getBeat",
    method: "GET",
    path: `/v1/beats/${(index * 7_919) % 5_000}`,
    query: index === 4 ? "q=the-needle" : "",
    status: refused ? 429 : admittedStatus,
    durationMs: 1 + (index % 300) / 100,
    errorCode: refused ? "rate_limit_exceeded" : null,
    errorMessage: refused ? "Too many requests" : null,
    errorDetails: refused ? "The key's limit of 300 requests a minute is reached." : null,
    refusedBy: refused ? "limit:minute" : null,
    version: "2026-11-20",
    headers: "accept: application/json\n",
    body: null,
    clientAddress: `203.0.113.${key % 250}`,
    userAgent: "beatmarket-python/1.0 (python 3.11)",
  };
}

interface Figure {
  value: number;
  unit: string;
}

async function timed(work: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return { value: times.sort((a, b) => a - b)[2] ?? Number.NaN, unit: "ms" };
}

interface StoreFigures {
  log: CallLog;
  /** Prepares the written calls for reads: VictoriaLogs makes them visible, PostgreSQL vacuums their table. */
  prepareReads(): Promise<void>;
  bytes(): Promise<number>;
  /** The CPU seconds of the store's processes. */
  cpuSeconds(): Promise<number>;
}

async function measure({ log, prepareReads, bytes, cpuSeconds }: StoreFigures): Promise<Record<string, Figure>> {
  const began = performance.now();
  const [processCpu, ofStore] = [process.cpuUsage(), await cpuSeconds()];
  for (let start = 0; start < calls; start += batch) {
    await log.store.write(LogBatch.fromEntries(Array.from({ length: batch }, (_, offset) => entry(start + offset))));
    await log.store.flush();
  }
  const micros = (seconds: number): Figure => ({ value: (seconds * 1e6) / calls, unit: "µs" });
  const writeMicros = micros((performance.now() - began) / 1_000);
  await prepareReads();
  const { user, system } = process.cpuUsage(processCpu);
  const ownCpu = micros((user + system) / 1e6);
  const storeCpu = micros((await cpuSeconds()) - ofStore);
  const list = (filter: CallFilter) => timed(() => listCalls(log, account, filter, { limit: 50 }));
  const bucket = { apiKeyId: 1, fromExplorer: false };
  return {
    "write time per call, with counts": writeMicros,
    "CPU of the service per written call": ownCpu,
    "CPU of the store per written call": storeCpu,
    "disk space per call, without counts": { value: (await bytes()) / calls, unit: "bytes" },
    "the newest 50": await list({}),
    "refused for a limit": await list({ statusClass: 4 }),
    "a text that is there once": await list({ text: "the-needle" }),
    "a histogram of a path": await timed(() => callHistogram(log, account, { path: "/beats/49" }, { nowMs })),
    "a day's errors": await timed(() => groupErrors(log, { userId: account, fromMs: nowMs - dayMs, toMs: nowMs })),
    "who used a key": await timed(() => keyClients(log.store, 1, nowMs - 7 * dayMs)),
    "the refill of a day's limit": await timed(() => log.store.admittedSince(bucket, nowMs - dayMs, 200_000)),
  };
}

const victoriaLogs = await findVictoriaLogs();
if ("missing" in victoriaLogs) throw new Error(victoriaLogs.missing);
const server = await openScratchServer();
const name = `measure_${randomBytes(4).toString("hex")}`;
const owner = connect({ url: server.url }, { max: 1 });
await sql`create database ${sql.id(name)}`.execute(owner.query);
const database = connect({ url: databaseUrl(server.url, name) }, { max: 2 });
try {
  await using engine = await startVictoriaLogs(victoriaLogs.program);
  await migrateSchema(database);
  const parts = { database, clock: systemClock, log: { warn: console.warn } };
  const { rows: files } = await sql<{ pid: string }>`
    select split_part(pg_read_file('postmaster.pid'), E'\n', 1) as pid`.execute(owner.query);
  const postmaster = Number(files[0]?.pid);
  const inPostgres = await measure({
    log: openCallLog({ engine: undefined, ...parts }),
    prepareReads: async () => {
      await sql`vacuum analyze request_log_blocks`.execute(database.query);
    },
    cpuSeconds: () => cpuSecondsOf(postmaster),
    bytes: async () => {
      const { rows } = await sql<{ bytes: number }>`
        select pg_total_relation_size('request_log_blocks')::float8 as bytes`.execute(database.query);
      return rows[0]?.bytes ?? Number.NaN;
    },
  });
  await sql`truncate request_log_blocks, request_rollups`.execute(database.query);
  const address = { url: `http://127.0.0.1:${engine.port}`, authorization: null };
  const inEngine = await measure({
    log: openCallLog({ engine: address, ...parts }),
    prepareReads: engine.show,
    // With this store too, the counts of calls are in PostgreSQL.
    cpuSeconds: async () => (await cpuSecondsOf(engine.pid)) + (await cpuSecondsOf(postmaster)),
    bytes: async () => {
      // The files are complete when the engine has stopped.
      await engine.stop();
      const size = Number(execFileSync("du", ["-sb", engine.folder], { encoding: "utf8" }).split("\t")[0]);
      await engine.start();
      return size;
    },
  });
  if (options.json) process.stdout.write(`${JSON.stringify({ PostgreSQL: inPostgres, VictoriaLogs: inEngine })}\n`);
  else {
    const text = ({ value, unit }: Figure) => `${value.toFixed(unit === "bytes" ? 0 : 1)} ${unit}`;
    const rows = Object.entries(inPostgres).map(([figureName, figure]) => [
      figureName,
      { PostgreSQL: text(figure), VictoriaLogs: text(inEngine[figureName] as Figure) },
    ]);
    console.table(Object.fromEntries(rows));
  }
} finally {
  await database.close();
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(owner.query);
  await owner.close();
  await server.close();
}
