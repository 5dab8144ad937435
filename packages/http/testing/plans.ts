import type { RateWindow } from "../src/rate-limit/store.ts";

const windows = (perMinute: number, perHour: number, perDay: number): readonly RateWindow[] => [
  { name: "minute", seconds: 60, limit: perMinute },
  { name: "hour", seconds: 3_600, limit: perHour },
  { name: "day", seconds: 86_400, limit: perDay },
];

/** The limits of callers in tests: a small plan, a large one, and an unlimited one. */
export const plans = {
  standard: windows(10, 100, 1_000),
  partner: windows(1_000, 20_000, 200_000),
  internal: [],
} satisfies Record<string, readonly RateWindow[]>;

/** The windows of all plans. */
export const allWindows = Object.values(plans).flat();
