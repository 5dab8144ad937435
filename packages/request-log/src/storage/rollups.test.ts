import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { logEntry } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import { durationSpan } from "../duration-histogram.ts";
import { RequestLog } from "../request-log.ts";
import { LogBatch } from "./log-batch.ts";
import { addToRollups, countedReason } from "./rollups.ts";

const clock = new FakeClock(Date.UTC(2026, 0, 31, 12, 0, 30));
const database = await requestLogDatabase();
const { driver } = database;
const newLog = () => new RequestLog(database, clock, pino({ level: "silent" }));

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** Calls of three accounts and of unknown keys, over ninety minutes, with every kind of outcome. */
const entries = Array.from({ length: 3_000 }, (_, index) => {
  const [status, refusedBy] = pick(
    [
      [200, null],
      [200, null],
      [400, `parameter:made-up-${index}`],
      [403, "permission:orders:write"],
      [429, "limit:minute"],
      [500, null],
    ] as const,
    index * 7,
  );
  const userId = pick([1, 2, 3, null], index);
  return logEntry({
    timeMs: clock.nowMs() - ((index * 7919) % (90 * 60_000)) - 0.4,
    userId,
    apiKeyId: userId === null ? null : userId * 10 + (index % 2),
    fromExplorer: index % 5 === 0,
    operation: pick(["listBeats", "getBeat", null], index),
    status,
    refusedBy,
    durationMs: pick([0.05, 0.5, 3, 40, 900.5], index),
  });
});

/** The expected counts, computed from the entries. */
function countedFromTheCalls(seconds: number) {
  const counts = new Map<string, number>();
  for (const call of entries) {
    if (call.userId === null) continue;
    const start = new Date(Math.floor(Math.floor(call.timeMs) / (seconds * 1000)) * seconds * 1000);
    const key = [
      call.userId,
      call.apiKeyId,
      call.fromExplorer,
      start.toISOString(),
      call.operation ?? "",
      call.status,
      countedReason(call.refusedBy),
      durationSpan(call.durationMs),
    ].join(" ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort());
}

async function readRollups(seconds: number) {
  const rows = await driver`select * from request_rollups where seconds = ${seconds}`;
  return Object.fromEntries(
    rows
      .map((row): [string, number] => [
        [
          row.user_id,
          row.api_key_id,
          row.from_explorer,
          row.start.toISOString(),
          row.operation,
          row.status,
          row.refused_by,
          row.duration_span,
        ].join(" "),
        row.calls,
      ])
      .sort(),
  );
}

describe("rollups", () => {
  it.each([60, 3_600, 86_400])(
    "of %d seconds count all calls of accounts, kept or not, if two instances write at once",
    async (seconds) => {
      await driver`truncate request_log_blocks, request_rollups`;
      const logs = [newLog(), newLog()];
      for (let start = 0; start < entries.length; start += 200) {
        for (const entry of entries.slice(start, start + 200)) pick(logs, entry.durationMs > 1 ? 0 : 1).add(entry);
        await Promise.all(logs.map((log) => log.flush()));
      }
      expect(logs.map(({ waiting }) => waiting)).toEqual([0, 0]);
      expect(logs.every(({ sampledOut }) => sampledOut > 0)).toBe(true);
      const fromTheCalls = countedFromTheCalls(seconds);
      expect(Object.values(fromTheCalls).reduce((sum, calls) => sum + calls)).toBe(2_250);
      expect(await readRollups(seconds)).toEqual(fromTheCalls);
    },
  );

  it("are rolled back with the transaction that adds them", async () => {
    await driver`truncate request_log_blocks, request_rollups`;
    const failing = driver.begin(async (transaction) => {
      await addToRollups(transaction.db, LogBatch.fromEntries(entries).blocks);
      throw new Error("the insert failed");
    });
    await expect(failing).rejects.toThrow("the insert failed");
    expect(await readRollups(60)).toEqual({});
  });

  it("have no row for each parameter name that callers invent", async () => {
    await driver`truncate request_log_blocks, request_rollups`;
    const log = newLog();
    for (let count = 0; count < 500; count++)
      log.add(
        logEntry({
          timeMs: clock.nowMs(),
          userId: 1,
          apiKeyId: 1,
          status: 400,
          refusedBy: `parameter:made-up-${count}`,
        }),
      );
    await log.flush();
    expect(Object.values(await readRollups(60))).toEqual([500]);
  });

  it("expire after two hours for minutes, 15 days for hours and 62 days for days", async () => {
    await driver`truncate request_log_blocks, request_rollups`;
    const log = newLog();
    const hourMs = 3_600_000;
    for (const ageMs of [0, 1.5 * hourMs, 2.5 * hourMs, 14 * 24 * hourMs, 16 * 24 * hourMs, 63 * 24 * hourMs])
      log.add(logEntry({ timeMs: clock.nowMs() - ageMs, userId: 1, apiKeyId: 1 }));
    await log.flush();
    await log.sweep();
    const counts =
      await driver`select seconds, count(*)::int as count from request_rollups group by seconds order by 1`;
    expect(counts).toEqual([
      { seconds: 60, count: 2 },
      { seconds: 3_600, count: 4 },
      { seconds: 86_400, count: 3 },
    ]);
  });
});
