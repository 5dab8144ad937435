import { invalidRequest } from "@beatmarket/foundation/errors.ts";

const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Parses a time in a query or body. Returns undefined for undefined. Throws 400 unless the text is a date and a time of
 * ISO 8601 in the years 1970 to 9999, the range of event ids and of the database.
 */
export function readMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (!(time.getTime() >= 0 && time.getTime() <= lastMs))
    throw invalidRequest(`${name} must be a time in the years 1970 to 9999, such as 2026-11-20T08:00:00Z.`, name);
  return time;
}
