import { describe, expect, it } from "vitest";
import { endMs } from "../storage/call-store.ts";
import { countedPeriodOf, periodOf } from "./period.ts";

const nowMs = Date.UTC(2026, 0, 31, 13, 45, 30, 250);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe("a period", () => {
  it.each([
    ["a second", 1_000, 1],
    ["15 minutes", 15 * 60_000, 15],
    ["an hour", hourMs, 60],
    ["a day", dayMs, 1_800],
    ["a week", 7 * dayMs, 3 * 3_600],
    ["30 days", 30 * dayMs, 12 * 3_600],
  ])("of %s is covered by at most 64 bars, which begin at round UTC times", (_, lengthMs, seconds) => {
    const fromMs = nowMs - lengthMs;
    const period = periodOf({ fromMs }, nowMs);
    expect(period).toMatchObject({ barMs: seconds * 1_000 });
    expect(period.bars).toBeLessThanOrEqual(64);
    expect(period.fromMs % period.barMs).toBe(0);
    expect(period.fromMs).toBeLessThanOrEqual(fromMs);
    expect(period.fromMs).toBeGreaterThan(fromMs - period.barMs);
    expect(endMs(period)).toBeGreaterThanOrEqual(nowMs);
    expect(endMs(period)).toBeLessThan(nowMs + period.barMs);
  });

  it.each([
    ["without an end or a start", {}],
    ["in the future", { fromMs: nowMs + dayMs }],
    ["before the log", { fromMs: 0, toMs: 1 }],
    ["that ends before it starts", { fromMs: nowMs, toMs: nowMs - dayMs }],
    ["of no length", { fromMs: nowMs - dayMs, toMs: nowMs - dayMs }],
  ])("%s has 1 to 64 bars, and begins at most 31 days ago", (_, times) => {
    for (const { bars, fromMs } of [periodOf(times, nowMs), countedPeriodOf(times, nowMs)]) {
      expect(bars).toBeGreaterThan(0);
      expect(bars).toBeLessThanOrEqual(64);
      expect(fromMs).toBeGreaterThanOrEqual(nowMs - 31 * dayMs);
    }
  });

  it.each([
    ["the last two hours", 2 * hourMs - 60_000, 60],
    ["the last 15 days", 14 * dayMs, 3_600],
    ["longer ago", 16 * dayMs, 86_400],
  ])("is counted by the finest rollups that are kept: %s", (_, ageMs, seconds) => {
    expect(countedPeriodOf({ fromMs: nowMs - ageMs }, nowMs).seconds).toBe(seconds);
  });
});
