import { invalidRequest } from "../errors.ts";

const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A moment as a query or body has it; undefined when absent. 400 for what is no ISO 8601 time, or not of the years 1970
 * to 9999, beyond which event ids and the database have none.
 */
export function readMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (!(at.getTime() >= 0 && at.getTime() <= lastMs))
    throw invalidRequest(`The ${name} parameter must be a time from 1970 on, such as 2026-11-20T08:00:00Z.`, name);
  return at;
}
