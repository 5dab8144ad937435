import { parseCount, parseDecimal } from "@beatmarket/foundation/text/read-number.ts";

export const durationUnits = ["ms", "s", "min", "m:ss"] as const;
export type DurationUnit = (typeof durationUnits)[number];

/** Longer than any recording. A longer duration was probably read in the wrong unit. */
const maxSeconds = 7 * 24 * 3600;

const unitWords = new Map<string, DurationUnit>([
  ...["ms", "msec", "millisecond", "milliseconds"].map((word) => [word, "ms"] as const),
  ...["s", "sec", "secs", "second", "seconds"].map((word) => [word, "s"] as const),
  ...["min", "mins", "minute", "minutes"].map((word) => [word, "min"] as const),
  ...["m:ss", "mm:ss", "h:mm:ss", "hh:mm:ss"].map((word) => [word, "m:ss"] as const),
]);

/** Parses a unit of durations; null for an unknown word. */
export const parseDurationUnit = (word: string): DurationUnit | null =>
  unitWords.get(word.trim().toLowerCase()) ?? null;

/**
 * Parses a duration into whole seconds. Rounds, but to at least 1 unless the duration is 0. A text with colons is
 * minutes and seconds, or hours, minutes and seconds, whatever the unit. With the unit m:ss, a text needs colons. Null
 * for a text that is not a duration, and for a duration that is negative or longer than a week. Pure.
 */
export function parseDuration(text: string, unit: DurationUnit): number | null {
  const trimmed = text.trim();
  const seconds = trimmed.includes(":") ? clockSeconds(trimmed) : decimalSeconds(trimmed, unit);
  if (seconds === null || seconds < 0 || seconds > maxSeconds) return null;
  return seconds > 0 ? Math.max(1, Math.round(seconds)) : 0;
}

function clockSeconds(text: string): number | null {
  const [, hours = "0", minutes = "", seconds = ""] = /^(?:(\d{1,3}):)?(\d{1,5}):([0-5]\d(?:\.\d+)?)$/.exec(text) ?? [];
  return minutes === "" ? null : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
}

function decimalSeconds(text: string, unit: DurationUnit): number | null {
  // No recording lasts 194.754 ms, so three digits after a mark are thousands.
  const value = (unit === "ms" ? parseCount(text) : null) ?? parseDecimal(text);
  if (value === null || unit === "m:ss") return null;
  if (unit === "ms") return value / 1000;
  return unit === "s" ? value : value * 60;
}
