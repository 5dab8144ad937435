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

/** PostgreSQL reads other years only in a format that Date does not write. */
const years = { first: Date.parse("0001-01-01"), last: Date.parse("9999-12-31T23:59:59.999Z") };

/** A time with milliseconds, from year 1 to 9999. A date stands for its first moment, UTC. */
export const readInstant = (name: string, text: string): Date =>
  new Date(Math.min(Math.max(readTime(name, text).ms, years.first), years.last));

/** The first whole second that is not before a time, in Unix seconds. A date stands for its first second, UTC. */
export function firstSecond(name: string, text: string): number {
  const { seconds, hasFraction } = readTime(name, text);
  return hasFraction ? seconds + 1 : seconds;
}

/** The last whole second that is not after a time, in Unix seconds. A date stands for its last second, UTC. */
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
