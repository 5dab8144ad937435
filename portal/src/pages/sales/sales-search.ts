import type { Call } from "../../../../contract/snippets/call.ts";
import { day, id, page, searchParams } from "../../api/search-params.ts";

// The search parameters of the sales. The first load includes this file, so it imports no page.

export interface SalesSearch {
  /** The first day in UTC: `2026-11-01`. */
  from?: string;
  /** The last day in UTC. */
  to?: string;
  /** The id of a beat. */
  beat?: number;
  page?: number;
}

const dayMs = 86_400_000;

/** The day after a day, `2026-11-30` to `2026-12-01`. */
export const nextDay = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

const read = searchParams<SalesSearch>({ from: day, to: day, beat: id, page });

/** Reads the search parameters of the address. If the days are in the wrong order, the last one is left out. */
export function readSalesSearch(address: Record<string, unknown>): SalesSearch {
  const search = read(address);
  const { from, to } = search;
  return from !== undefined && to !== undefined && from > to ? ({ ...search, to: undefined } as object) : search;
}

/** The API call of the displayed sales. The API's period ends before `to`, so `to` is the day after the last day. */
export const salesCall = ({ from, to, beat, page }: SalesSearch): Call => ({
  operationId: "listSales",
  query: { from, to: to === undefined ? undefined : nextDay(to), beat, page },
});
