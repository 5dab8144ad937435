import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { testCallLogs } from "../../testing/call-logs.ts";
import { logEntry } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import type { CallFilter } from "../call-filter.ts";
import { LogBatch } from "../storage/log-batch.ts";
import { type CallHistogram, callHistogram } from "./call-histogram.ts";

const database = await requestLogDatabase();
const nowMs = Date.UTC(2026, 0, 31, 13, 45, 30);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const userId = 1;
const outcomes = [200, 200, 201, 304, 404, 429, 500];

const stores = await testCallLogs(database, new FakeClock(nowMs));

/** The bars with calls, by their start: successes, redirects, refusals, failures. */
const filled = ({ bars }: CallHistogram) =>
  Object.fromEntries(
    bars
      .map(({ start, classes }) => [start.toISOString(), Object.values(classes)] as const)
      .filter(([, counts]) => counts.some((count) => count > 0)),
  );

/** Calls every 97 seconds of the last day, oldest first. */
const entries = Array.from({ length: 890 }, (_, index) => ({
  timeMs: nowMs - (890 - index) * 97_000,
  userId,
  apiKeyId: 11 + (index % 2),
  status: outcomes[index % 7] ?? 200,
  operation: index % 3 === 0 ? "search" : "listBeats",
  durationMs: index % 10 === 0 ? 700 : 3,
  path: index % 5 === 0 ? "/v1/beats/5" : "/v1/beats",
}));

/** The expected result of `filled`, counted from the entries. */
function countCalls(
  from: Date,
  barSeconds: number,
  toMs: number,
  passes: (entry: (typeof entries)[number]) => boolean,
) {
  const bars = new Map<string, number[]>();
  for (const entry of entries)
    if (passes(entry) && entry.timeMs >= from.getTime() && entry.timeMs < toMs) {
      const start = new Date(Math.floor(entry.timeMs / 1000 / barSeconds) * barSeconds * 1000).toISOString();
      const counts = bars.get(start) ?? [0, 0, 0, 0];
      bars.set(start, counts);
      const statusClass = Math.floor(entry.status / 100) - 2;
      counts[statusClass] = (counts[statusClass] ?? 0) + 1;
    }
  return Object.fromEntries(bars);
}

describe.each(stores)("in $name", ({ log, write, writeBatch, empty }) => {
  beforeEach(empty);

  const histogram = (filter: CallFilter, scanned?: number) =>
    callHistogram(log, userId, filter, { nowMs, ...(scanned !== undefined && { scanned }) });

  describe("the histogram of calls", () => {
    it.each<[string, CallFilter, number, (entry: (typeof entries)[number]) => boolean]>([
      ["of a day, by hour", { fromMs: nowMs - 24 * hourMs }, 3_600, () => true],
      ["of an hour, by minute", { fromMs: nowMs - hourMs }, 60, () => true],
      ["of a key", { fromMs: nowMs - 24 * hourMs, apiKeyId: 12 }, 3_600, ({ apiKeyId }) => apiKeyId === 12],
      [
        "of a class",
        { fromMs: nowMs - 24 * hourMs, statusClass: 4 },
        3_600,
        ({ status }) => status === 404 || status === 429,
      ],
      ["of a status", { fromMs: nowMs - 24 * hourMs, status: 201 }, 3_600, ({ status }) => status === 201],
      [
        "of an operation",
        { fromMs: nowMs - 24 * hourMs, operation: "search" },
        3_600,
        ({ operation }) => operation === "search",
      ],
      [
        "of slow calls, which counts do not distinguish",
        { fromMs: nowMs - 24 * hourMs, minDurationMs: 500 },
        1_800,
        ({ durationMs }) => durationMs === 700,
      ],
      [
        "of a path, which counts do not distinguish",
        { fromMs: nowMs - 24 * hourMs, path: "/beats/5" },
        1_800,
        ({ path }) => path === "/v1/beats/5",
      ],
      [
        "of two hours in the past, in bars that are finer than the counts",
        { fromMs: nowMs - 8 * hourMs, toMs: nowMs - 6 * hourMs },
        120,
        () => true,
      ],
    ])("%s has the exact number in each bar", async (_, filter, barSeconds, passes) => {
      await write(entries);
      const histogramOfCalls = await histogram(filter);
      expect(histogramOfCalls).toMatchObject({ barSeconds, countedFrom: null });
      expect(histogramOfCalls.from.getTime()).toBeLessThanOrEqual(filter.fromMs ?? 0);
      expect(histogramOfCalls.to.getTime()).toBeGreaterThanOrEqual(filter.toMs ?? nowMs);
      const expected = countCalls(histogramOfCalls.from, barSeconds, histogramOfCalls.to.getTime(), passes);
      expect(Object.keys(expected).length).toBeGreaterThan(3);
      expect(filled(histogramOfCalls)).toEqual(expected);
    });

    it("of a request id has only its call", async () => {
      const requestId = "0b5e2f0c-8f0f-4a55-9d3e-3f3b9b1f6f10";
      await write(entries.map((entry, index) => (index === 500 ? { ...entry, requestId } : entry)));
      const bars = Object.values(filled(await histogram({ fromMs: nowMs - 24 * hourMs, requestId })));
      expect(bars.flat().reduce((sum, count) => sum + count, 0)).toBe(1);
    });

    it("includes refused calls without an entry in the log", async () => {
      const batch = new LogBatch();
      batch.count(logEntry({ timeMs: nowMs - 1_000, userId, apiKeyId: 11, status: 429 }));
      await writeBatch(batch);
      expect(filled(await histogram({ fromMs: nowMs - hourMs }))).toEqual({ "2026-01-31T13:45:00.000Z": [0, 0, 1, 0] });
    });

    it("counts only calls of the account", async () => {
      await write([
        { timeMs: nowMs, userId: 2, apiKeyId: 99 },
        { timeMs: nowMs, userId: null, apiKeyId: null },
      ]);
      for (const filter of [{}, { apiKeyId: 99 }, { text: "beats" }, { text: "beats", apiKeyId: 99 }])
        expect(filled(await histogram(filter))).toEqual({});
    });

    it("returns the time to which it counted if it stopped", async () => {
      await write(entries);
      const partialHistogram = await histogram({ fromMs: nowMs - 24 * hourMs, path: "/v1" }, 100);
      expect(partialHistogram.countedFrom).toEqual(new Date(nowMs - 100 * 97_000));
      expect(
        Object.values(filled(partialHistogram))
          .flat()
          .reduce((sum, calls) => sum + calls),
      ).toBe(100);
    });
  });
});
