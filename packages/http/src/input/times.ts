import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";

/** A date, or a time in the format of RFC 3339. */
const iso = /^(\d{4}-\d\d-(\d\d))(?:T\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d))?$/i;

interface Time {
  /** Milliseconds since 1970. */
  ms: number;
  /** Seconds since 1970, rounded down. */
  seconds: number;
  hasFraction: boolean;
  isDate: boolean;
}

/** The range of years that PostgreSQL reads in the format of `Date.toISOString`. */
const years = { first: Date.parse("0001-01-01"), last: Date.parse("9999-12-31T23:59:59.999Z") };

/** Parses a time with milliseconds, and clamps it to the years 1 to 9999. A date means its first moment in UTC. */
export const readInstant = (name: string, text: string): Date =>
  new Date(Math.min(Math.max(readTime(name, text).ms, years.first), years.last));

/** Parses a time and rounds it up to whole Unix seconds. A date means its first second in UTC. */
export function firstSecond(name: string, text: string): number {
  const { seconds, hasFraction } = readTime(name, text);
  return hasFraction ? seconds + 1 : seconds;
}

/** Parses a time and rounds it down to whole Unix seconds. A date means its last second in UTC. */
export function lastSecond(name: string, text: string): number {
  const { seconds, isDate } = readTime(name, text);
  return isDate ? seconds + 86_399 : seconds;
}

function readTime(name: string, original: string): Time {
  const text = original.trim().toUpperCase();
  const [, date = "", day = "", fraction = ""] = iso.exec(text) ?? [];
  const ms = date === "" ? Number.NaN : Date.parse(text);
  // Date.parse reads 30 February as a day in March.
  if (Number.isNaN(ms) || new Date(date).getUTCDate() !== Number(day))
    throw invalidRequest(
      `The ${name} parameter must be an ISO 8601 time such as 2026-11-20T12:00:00Z, or a date; in a URL, write the + of an offset as %2B. Given: ${JSON.stringify(quoted(original))}.`,
      name,
    );
  return { ms, seconds: Math.floor(ms / 1000), hasFraction: Number(fraction) > 0, isDate: text.length === date.length };
}
