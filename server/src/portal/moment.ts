import { invalidRequest } from "../errors.ts";

/** A moment as a query or body has it; undefined when absent. 400 for what is no ISO 8601 time. */
export function readMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (Number.isNaN(at.getTime()))
    throw invalidRequest(`The ${name} parameter must be a time such as 2026-11-20T08:00:00Z.`, name);
  return at;
}
