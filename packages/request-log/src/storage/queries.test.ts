import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { testCallLogs } from "../../testing/call-logs.ts";
import { logEntry, writeLogEntries } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import type { RequestLogEntry } from "../entry.ts";
import { decodeTimes, encodeTimes, maxAdmittedSpanMs } from "./block.ts";
import { LogBatch } from "./log-batch.ts";
import { admittedSince, writeBatch } from "./queries.ts";

const database = await requestLogDatabase();
const startMs = Date.UTC(2026, 0, 1);
let apiKeyId = 0;

const write = (calls: readonly Partial<RequestLogEntry>[]) =>
  writeLogEntries(
    database,
    calls.map((call) => ({ apiKeyId, userId: 1, ...call })),
  );

/** Writes each call into a separate block, as for calls at long intervals. */
const writeSeparately = (calls: readonly Partial<RequestLogEntry>[]) =>
  writeBatch(database.query, {
    blocks: calls.flatMap((call) => LogBatch.fromEntries([logEntry({ apiKeyId, userId: 1, ...call })]).blocks),
  });

const admittedTimes = (sinceMs: number, atMost = 200_000, fromExplorer = false) =>
  admittedSince(database.query, { apiKeyId, fromExplorer }, sinceMs, atMost);

const entryAt = (offsetMs: number): Partial<RequestLogEntry> => ({
  timeMs: startMs + offsetMs,
  admittedMs: startMs + offsetMs,
});
const refusedAt = (offsetMs: number): Partial<RequestLogEntry> => ({
  timeMs: startMs + offsetMs,
  status: 429,
  refusedBy: "limit:minute",
});

const stores = await testCallLogs(database, new FakeClock(startMs));

describe.each(stores)("in $name", ({ log, write: writeInto, ready }) => {
  beforeEach(ready);

  const writeCalls = (calls: readonly Partial<RequestLogEntry>[]) =>
    writeInto(calls.map((call) => ({ apiKeyId, userId: 1, ...call })));

  const admitted = (sinceMs: number, atMost = 200_000, fromExplorer = false) =>
    log.store.admittedSince({ apiKeyId, fromExplorer }, sinceMs, atMost);

  test("the times of a key's admitted requests are returned, the newest ones if there are too many", async () => {
    apiKeyId++;
    await writeCalls([entryAt(0), refusedAt(1), { ...entryAt(2), status: 404 }, { ...entryAt(3), status: 304 }]);
    await writeCalls([{ ...entryAt(4), fromExplorer: true }]);
    expect(await admitted(startMs - 1)).toEqual([0, 2, 3].map((ms) => startMs + ms));
    expect(await admitted(startMs)).toEqual([2, 3].map((ms) => startMs + ms));
    expect(await admitted(startMs - 1, 2)).toEqual([2, 3].map((ms) => startMs + ms));
    expect(await admitted(startMs - 1, 10, true)).toEqual([startMs + 4]);
  });

  test("a request counts at the time of its admission, which may be long after its arrival", async () => {
    apiKeyId++;
    await writeCalls([{ timeMs: startMs, admittedMs: startMs + 19_000.25 }]);
    expect(await admitted(startMs + 18_000)).toEqual([startMs + 19_001]);
  });

  test("a request that no limit counts is not returned, whatever its status", async () => {
    apiKeyId++;
    await writeCalls([{ timeMs: startMs, admittedMs: null }]);
    expect(await admitted(startMs - 1)).toEqual([]);
  });
});

test("admitted requests are returned after any number of later refused requests", async () => {
  apiKeyId++;
  await write(Array.from({ length: 1_000 }, (_, index) => entryAt(index)));
  await writeSeparately(Array.from({ length: 2_600 }, (_, index) => refusedAt(2_000 + index)));
  expect(await admittedTimes(startMs - 1)).toHaveLength(1_000);
});

test("blocks of refused requests have empty `admitted_times`, so that the query skips them", async () => {
  apiKeyId++;
  await writeSeparately(Array.from({ length: 500 }, (_, index) => refusedAt(index)));
  const blocks = await sql<{ count: number }>`
    select count(*)::int as count from request_log_blocks
    where api_key_id = ${apiKeyId} and admitted_times is distinct from ''`.execute(database.query);
  expect(blocks.rows).toEqual([{ count: 0 }]);
});

test("requests in blocks of an older release count as admitted unless their status is 429", async () => {
  apiKeyId++;
  await write([entryAt(0), refusedAt(1), entryAt(2)]);
  await sql`update request_log_blocks set admitted_times = null where api_key_id = ${apiKeyId}`.execute(database.query);
  await write([entryAt(3)]);
  expect(await admittedTimes(startMs - 1)).toEqual([0, 2, 3].map((ms) => startMs + ms));
});

test("the newest times of many overlapping blocks are returned", async () => {
  apiKeyId++;
  // Blocks are read in the order of their last calls, so a block that is read later may have newer calls.
  const blocks = Array.from({ length: 2_500 }, (_, index) =>
    LogBatch.fromEntries(
      [entryAt(index * 10), entryAt(index * 10 + 50_000)].map((call) => logEntry({ apiKeyId, userId: 1, ...call })),
    ),
  );
  await writeBatch(database.query, { blocks: blocks.flatMap((batch) => batch.blocks) });
  const expectedTimes = Array.from({ length: 2_500 }, (_, index) => [index * 10, index * 10 + 50_000]).flat();
  const newest = expectedTimes.sort((a, b) => a - b).map((ms) => startMs + ms);
  expect(await admittedTimes(startMs - 1)).toEqual(newest);
  expect(await admittedTimes(startMs - 1, 3_000)).toEqual(newest.slice(-3_000));
});

test("decoding returns the encoded times", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: Date.UTC(9999, 0) }),
      fc.array(fc.integer({ min: 0, max: maxAdmittedSpanMs })),
      (earliestMs, offsets) => {
        const times = offsets.map((offset) => earliestMs + offset);
        expect(decodeTimes(encodeTimes(times))).toEqual(times);
      },
    ),
  );
});
