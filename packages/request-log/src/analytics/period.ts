import type { Period } from "../storage/call-store.ts";
import { keptMsOf } from "../storage/rollups.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The time for which calls are kept. */
const keptMs = 30 * dayMs;
const maxBars = 64;

/** A period that rollups of `seconds` cover exactly. */
export interface CountedPeriod extends Period {
  seconds: RollupSeconds;
}

export const rollupSeconds = [60, 3_600, 86_400] as const;
export type RollupSeconds = (typeof rollupSeconds)[number];

/** The named periods up to now. The last bar is not over yet. */
const spans = {
  hour: { bars: 60, barMs: minuteMs, seconds: 60 },
  day: { bars: 24, barMs: hourMs, seconds: 3_600 },
  week: { bars: 28, barMs: 6 * hourMs, seconds: 3_600 },
  month: { bars: 30, barMs: dayMs, seconds: 86_400 },
} as const;

export type TimeSpan = keyof typeof spans;
export const timeSpans = Object.keys(spans) as [TimeSpan, ...TimeSpan[]];

/** The start of the bar that contains a time. */
export const barStart = (timeMs: number, barMs: number): number => Math.floor(timeMs / barMs) * barMs;

/** The last hour, day, week or month. */
export function periodOfSpan(span: TimeSpan, nowMs: number): CountedPeriod {
  const { bars, barMs } = spans[span];
  return { ...spans[span], fromMs: barStart(nowMs, barMs) - (bars - 1) * barMs };
}

/** Usual widths of bars. */
const barWidthsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * hourMs),
];

/** The times of a request. */
interface Times {
  /** Default: the oldest time of kept calls. */
  fromMs?: number | undefined;
  /** Exclusive. Default: now. */
  toMs?: number | undefined;
}

/** The period that covers the times with at most 64 bars, which are as narrow as possible, but at least `minBarMs`. */
export function periodOf({ fromMs, toMs }: Times, nowMs: number, minBarMs: number = secondMs): Period {
  const end = Math.max(1, Math.min(toMs ?? nowMs, nowMs));
  const start = Math.max(nowMs - keptMs, Math.min(fromMs ?? 0, end - 1));
  const within = (barMs: number): Period => {
    const first = barStart(start, barMs);
    return { fromMs: first, barMs, bars: Math.max(1, Math.ceil((end - first) / barMs)) };
  };
  const narrow = barWidthsMs.find((barMs) => barMs >= minBarMs && within(barMs).bars <= maxBars);
  return within(narrow ?? dayMs);
}

/** Like `periodOf`, with bars that rollups cover exactly: the finest rollups that are kept since the period's start. */
export function countedPeriodOf(times: Times, nowMs: number): CountedPeriod {
  const { fromMs } = periodOf(times, nowMs);
  const seconds = finestSince(fromMs, nowMs);
  return { ...periodOf(times, nowMs, seconds * secondMs), seconds };
}

/** The period of the same length before `period`; null if its counts are deleted, or kept in less detail. */
export function periodBefore(period: CountedPeriod, nowMs: number): CountedPeriod | null {
  const fromMs = period.fromMs - period.bars * period.barMs;
  const seconds = finestSince(fromMs, nowMs);
  const isExact = period.barMs % (seconds * secondMs) === 0 && fromMs % (seconds * secondMs) === 0;
  return isExact && fromMs >= nowMs - keptMsOf(86_400) ? { ...period, fromMs, seconds } : null;
}

/** The length of the finest rollups that are kept since a time. */
const finestSince = (timeMs: number, nowMs: number): RollupSeconds =>
  rollupSeconds.find((seconds) => timeMs >= nowMs - keptMsOf(seconds)) ?? 86_400;
