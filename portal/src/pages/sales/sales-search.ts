// The search parameters of the sales. Part of the first load, so this file imports no page.

export interface SalesSearch {
  /** The first day, UTC: `2026-11-01`. */
  from?: string;
  /** The last day, UTC. */
  to?: string;
  /** The id of a beat. */
  beat?: number;
  page?: number;
}

const dayMs = 86_400_000;

/** A day of the calendar, `2026-11-01`. */
const isDay = (value: unknown): value is string =>
  typeof value === "string" &&
  /^[12]\d{3}-\d\d-\d\d$/.test(value) &&
  Number.isFinite(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

/** The day after. */
export const nextDay = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/** Reads the search parameters and drops invalid ones, and days in the wrong order. */
export function readSalesSearch({ from, to, beat, page }: Record<string, unknown>): SalesSearch {
  const first = isDay(from) ? from : undefined;
  const last = isDay(to) && (first === undefined || first <= to) ? to : undefined;
  return {
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { to: last }),
    ...(Number.isSafeInteger(beat) && Number(beat) > 0 && { beat: Number(beat) }),
    ...(Number.isSafeInteger(page) && Number(page) > 1 && Number(page) <= 2_147_483_647 && { page: Number(page) }),
  };
}
