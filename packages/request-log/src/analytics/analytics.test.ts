import { beforeEach, describe, expect, it } from "vitest";
import { logEntry, readLogEntries, writeLogEntries } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import type { RequestLogEntry } from "../entry.ts";
import { analyse } from "./analytics.ts";
import { limitUse } from "./limit-use.ts";
import { countedPeriodOf, periodOfSpan, type TimeSpan, timeSpans } from "./period.ts";

const database = await requestLogDatabase();
const { query: db, driver } = database;
const nowMs = Date.UTC(2026, 0, 31, 13, 45, 30);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const userId = 1;

beforeEach(async () => {
  await driver`truncate request_log_blocks, request_rollups`;
});

const write = (...calls: (Partial<RequestLogEntry> & { ageMs: number; count?: number })[]) =>
  writeLogEntries(
    database,
    calls.flatMap(({ ageMs, count = 1, ...fields }) =>
      Array.from({ length: count }, () => logEntry({ timeMs: nowMs - ageMs, userId, apiKeyId: 11, ...fields })),
    ),
  );
const analyseSpan = (span: TimeSpan, apiKeyId?: number) =>
  analyse(db, { userId, apiKeyId, period: periodOfSpan(span, nowMs), nowMs });

describe("analytics", () => {
  it.each([
    ["hour", 60, 60, "2026-01-31T12:46:00.000Z", "2026-01-31T13:46:00.000Z"],
    ["day", 24, 3_600, "2026-01-30T14:00:00.000Z", "2026-01-31T14:00:00.000Z"],
    ["week", 28, 21_600, "2026-01-24T18:00:00.000Z", "2026-01-31T18:00:00.000Z"],
    ["month", 30, 86_400, "2026-01-02T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  ] as const)("of the last %s are %d bars of %d seconds", async (span, bars, barSeconds, from, to) => {
    const analytics = await analyseSpan(span);
    expect(analytics).toMatchObject({ barSeconds, from: new Date(from), to: new Date(to), calls: 0, p50: null });
    expect(analytics.bars).toHaveLength(bars);
    expect(analytics.bars[0]?.start).toEqual(analytics.from);
    expect(analytics.bars.at(-1)?.start).toEqual(new Date(analytics.to.getTime() - barSeconds * 1000));
  });

  it.each(timeSpans)("of the last %s equal the counts of the log's entries, bar by bar", async (span) => {
    const outcomes = [200, 200, 201, 304, 404, 429, 500];
    await write(
      ...Array.from({ length: 400 }, (_, index) => ({
        ageMs: ((index * 104_729) % 1_000) * (2 * hourMs + index * 1_000),
        status: outcomes[index % 7] ?? 200,
        durationMs: 1 + (index % 13),
      })),
    );
    const analytics = await analyseSpan(span);
    const log = (await readLogEntries(database)).filter(({ timeMs }) => timeMs >= analytics.from.getTime());
    const ofClass = (digit: number) => log.filter(({ status }) => Math.floor(status / 100) === digit).length;
    expect({ calls: analytics.calls, ...analytics.classes }).toEqual({
      calls: log.length,
      2: ofClass(2),
      3: ofClass(3),
      4: ofClass(4),
      5: ofClass(5),
    });
    const bars = Map.groupBy(
      log,
      ({ timeMs }) => Math.floor(timeMs / 1000 / analytics.barSeconds) * analytics.barSeconds,
    );
    expect(
      analytics.bars.filter(({ calls }) => calls > 0).map(({ start, calls }) => [start.getTime() / 1000, calls]),
    ).toEqual(
      [...bars].map(([start, calls]) => [start, calls.length]).sort(([a = 0], [b = 0]) => Number(a) - Number(b)),
    );
    const durations = log.filter(({ status }) => status !== 429).map(({ durationMs }) => durationMs);
    durations.sort((a, b) => a - b);
    for (const [share, ours] of [
      [0.5, analytics.p50],
      [0.95, analytics.p95],
      [0.99, analytics.p99],
    ] as const) {
      const exact = durations[Math.ceil(share * durations.length) - 1] ?? Number.NaN;
      expect(Math.abs(Math.log((ours ?? 0) / exact))).toBeLessThan(Math.log(1.092));
    }
  });

  it("of one key exclude other keys, and are empty for a key of another account", async () => {
    await write({ ageMs: 0, count: 3 }, { ageMs: 0, apiKeyId: 12 }, { ageMs: 0, userId: 2, apiKeyId: 21 });
    expect((await analyseSpan("hour")).calls).toBe(4);
    expect((await analyseSpan("hour", 12)).calls).toBe(1);
    expect((await analyseSpan("hour", 21)).calls).toBe(0);
  });

  it("list the most called operations and the most frequent errors", async () => {
    await write(
      { ageMs: 0, count: 5 },
      { ageMs: 0, operation: "search", count: 2, status: 400, refusedBy: "parameter:q" },
      { ageMs: 0, operation: "search", status: 400, refusedBy: "parameter:limit" },
      { ageMs: 0, operation: null, status: 404 },
    );
    const { operations, errors } = await analyseSpan("day");
    expect(operations.map(({ operation, calls, classes }) => [operation, calls, classes[4]])).toEqual([
      ["listBeats", 5, 0],
      ["search", 3, 3],
      ["", 1, 1],
    ]);
    expect(errors).toEqual([
      { operation: "search", status: 400, refusedBy: "parameter", calls: 3 },
      { operation: "", status: 404, refusedBy: "", calls: 1 },
    ]);
  });
});

describe("the period before", () => {
  it.each(timeSpans)("of the last %s has as many bars, right before it", async (span) => {
    const analytics = await analyseSpan(span);
    expect(analytics.before?.bars).toHaveLength(analytics.bars.length);
    const end = (analytics.before?.bars.at(-1)?.start.getTime() ?? 0) + analytics.barSeconds * 1000;
    expect(new Date(end)).toEqual(analytics.from);
  });

  it("is compared without the last bar of both periods if the last bar has not ended", async () => {
    await write(
      { ageMs: 0, count: 100 },
      { ageMs: 2 * hourMs, count: 6, durationMs: 50 },
      { ageMs: 24 * hourMs, count: 40 },
      { ageMs: 26 * hourMs, count: 3, status: 500, durationMs: 5 },
    );
    const { calls, before } = await analyseSpan("day");
    expect(calls).toBe(106);
    expect(before).toMatchObject({
      now: { calls: 6, classes: { 2: 6, 5: 0 }, p50: expect.closeTo(50, -1) },
      earlier: { calls: 3, classes: { 2: 0, 5: 3 }, p50: expect.closeTo(5, 0) },
    });
    expect(before?.bars.at(-1)?.calls).toBe(40);
    expect((await analyseSpan("day", 12)).before).toMatchObject({ now: { calls: 0 }, earlier: { calls: 0 } });
  });

  it("is compared in full if the period is over, and is null if its counts are deleted", async () => {
    const analyticsOf = (fromMs: number, toMs: number) =>
      analyse(db, { userId, period: countedPeriodOf({ fromMs, toMs }, nowMs), nowMs });
    const todayMs = Date.UTC(2026, 0, 31);
    await write({ ageMs: nowMs - todayMs - 8 * hourMs, count: 2 }, { ageMs: nowMs - todayMs - 5 * hourMs, count: 5 });
    const over = await analyticsOf(todayMs + 7 * hourMs, todayMs + 9 * hourMs);
    expect(over).toMatchObject({ barSeconds: 3_600, calls: 2, before: { now: { calls: 2 }, earlier: { calls: 5 } } });
    expect(over.bars.map(({ calls }) => calls)).toEqual([0, 2]);
    expect(over.before?.bars.map(({ calls }) => calls)).toEqual([5, 0]);
    // Counts by minute are kept for two hours.
    const minutes = await analyticsOf(nowMs - 90 * minuteMs, nowMs);
    expect(minutes).toMatchObject({ barSeconds: 120, before: null });
  });
});

describe("the use of limits", () => {
  it("has the busiest minute, hour and day of each key, and the rejections by each window", async () => {
    await write(
      { ageMs: 0, count: 4 },
      { ageMs: 5 * minuteMs, count: 9 },
      { ageMs: 5 * minuteMs, count: 3, status: 429, refusedBy: "limit:minute" },
      { ageMs: 26 * hourMs, count: 11 },
      { ageMs: 26 * hourMs, status: 429, refusedBy: "limit:day" },
      { ageMs: 27 * hourMs, count: 2 },
      { ageMs: 0, apiKeyId: 12, status: 404 },
      { ageMs: 0, count: 200, fromExplorer: true },
      { ageMs: 0, count: 50, status: 401, refusedBy: "key:expired" },
      { ageMs: 0, fromExplorer: true, status: 429, refusedBy: "limit:minute" },
    );
    const use = (span: TimeSpan, apiKeyId?: number) =>
      limitUse(db, { userId, apiKeyId, period: periodOfSpan(span, nowMs), nowMs });
    expect(await use("hour")).toEqual([
      {
        apiKeyId: 11,
        admitted: 13,
        busiest: { minute: 9, hour: 13, day: 13 },
        use: { minute: expect.any(Array), hour: [0, 13], day: [13] },
        refused: { minute: 3, hour: 0, day: 0 },
      },
      {
        apiKeyId: 12,
        admitted: 1,
        busiest: { minute: 1, hour: 1, day: 1 },
        use: { minute: [...Array(59).fill(0), 1], hour: [0, 1], day: [1] },
        refused: { minute: 0, hour: 0, day: 0 },
      },
    ]);
    expect((await use("hour", 11))[0]?.use.minute.slice(-6)).toEqual([9, 0, 0, 0, 0, 4]);
    expect(await use("day", 11)).toMatchObject([{ busiest: { minute: 9, hour: 13, day: 13 }, use: { day: [13, 13] } }]);
    expect(await use("week", 11)).toMatchObject([
      { admitted: 26, busiest: { minute: 9, hour: 13, day: 13 }, refused: { minute: 3, hour: 0, day: 1 } },
    ]);
    expect(await use("month", 11)).toMatchObject([{ busiest: { minute: 9, hour: 13, day: 13 } }]);
  });

  it("is unknown for windows whose counts are deleted", async () => {
    await write({ ageMs: 5 * hourMs, count: 3 }, { ageMs: 20 * 24 * hourMs, count: 7 });
    const use = (fromMs: number, toMs: number) =>
      limitUse(db, { userId, period: countedPeriodOf({ fromMs, toMs }, nowMs), nowMs });
    expect(await use(nowMs - 6 * hourMs, nowMs - 4 * hourMs)).toMatchObject([
      { busiest: { minute: null, hour: 3, day: 3 } },
    ]);
    expect(await use(nowMs - 21 * 24 * hourMs, nowMs - 19 * 24 * hourMs)).toMatchObject([
      { busiest: { minute: null, hour: null, day: 7 } },
    ]);
  });
});
