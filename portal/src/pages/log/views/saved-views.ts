import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { parseSearch, stringifySearch } from "../../../api/search-params.ts";
import { type CallSearch, filtersOf, readCallSearch } from "../call-search.ts";

export type SavedView = components["schemas"]["SavedView"];

/** The built-in views. */
export const builtInViews: readonly { name: string; search: CallSearch }[] = [
  { name: "All calls", search: {} },
  { name: "Refused", search: { class: "4xx" } },
  { name: "Rate limited", search: { status: 429 } },
  { name: "Server errors", search: { class: "5xx" } },
  { name: "Slow", search: { min_ms: 500, last: "24h" } },
];

export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: () => unwrap(api.GET("/calls/views")),
  staleTime: 60_000,
});

/** The filters of a view, without those that the page does not know. */
export const searchOf = ({ query }: Pick<SavedView, "query">): CallSearch => readCallSearch(parseSearch(query));

/** The filters of the page as a query string, as views store them; empty if none is set. */
export const queryText = (search: CallSearch): string => stringifySearch({ ...filtersOf(search) }).slice(1);

/** Whether two searches have the same filters, in any order. */
export const sameFilters = (a: CallSearch, b: CallSearch): boolean => sorted(a) === sorted(b);

const sorted = (search: CallSearch): string => [...new URLSearchParams(queryText(search))].sort().join("&");

/** A change of the account's views. Refetches the views. */
export function useViewMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: viewsQuery.queryKey }) });
}

export const createView = (view: { name: string; query: string }): Promise<SavedView> =>
  unwrap(api.POST("/calls/views", { body: view }));

export const changeView = ({ id, ...change }: { id: number; name?: string; query?: string }): Promise<SavedView> =>
  unwrap(api.PATCH("/calls/views/{view_id}", { params: { path: { view_id: id } }, body: change }));

export const deleteView = async (id: number): Promise<void> => {
  await unwrap(api.DELETE("/calls/views/{view_id}", { params: { path: { view_id: id } } }));
};
