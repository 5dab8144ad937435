import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answered, api } from "../../api/client.ts";
import type { components, operations } from "../../api/paths.ts";
import { type CallSearch, filtersOf, lookBacks } from "./call-search.ts";

export type LoggedCall = components["schemas"]["LoggedCall"];
type CallsQuery = NonNullable<operations["listCalls"]["parameters"]["query"]>;
type CallPage = operations["listCalls"]["responses"]["200"]["content"]["application/json"];
type Pages = InfiniteData<CallPage, string | undefined>;

const pageSize = 50;
const liveEveryMs = 2_000;
/** How far back a live look goes: calls are written a moment after they were answered, and long ones are as old as they are long. */
const liveOverlapMs = 60_000;
/** A first page that grew beyond this while live begins anew, so that a busy night does not fill the browser. */
const maxLiveRows = 400;

/** The calls that pass the filters, newest first, page by page, and new ones as they come. */
export function useCalls(search: CallSearch, isLive: boolean) {
  const client = useQueryClient();
  const filters = filtersOf(search);
  const queryKey = ["calls", filters];
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      answered(api.GET("/calls", { params: { query: queryOf(filters, { before: pageParam }) }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // Where the list is read on is behind a call, so a second look at pages already read brings nothing but delay.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const calls = pages.data?.pages.flatMap((page) => page.calls) ?? [];

  // A rare filter may find nothing among the calls that one answer looks at; then the search goes on by itself.
  const list = JSON.stringify(filters);
  const [goal, setGoal] = useState({ list, wanted: pageSize, isStopped: false });
  const { wanted, isStopped } = goal.list === list ? goal : { wanted: pageSize, isStopped: false };
  const { fetchNextPage, hasNextPage, isFetching, isError, isPlaceholderData } = pages;
  const goesOn = hasNextPage && !isError && !isPlaceholderData && !isStopped && calls.length < wanted;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);

  const newest = calls[0]?.time;
  useQuery({
    queryKey: ["live calls", filters],
    enabled: isLive && pages.isSuccess && !isPlaceholderData && filters.to === undefined,
    refetchInterval: liveEveryMs,
    refetchIntervalInBackground: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const since = newest === undefined ? undefined : new Date(Date.parse(newest) - liveOverlapMs);
      const query = queryOf(filters, { since, limit: 100 });
      const latest = await answered(api.GET("/calls", { params: { query }, signal }));
      client.setQueryData<Pages>(queryKey, (known) => (known === undefined ? known : withLatest(known, latest)));
      return latest.calls.length;
    },
  });

  return {
    ...pages,
    calls,
    /** The oldest time that was looked at; null when all was searched. */
    searchedTo: pages.data?.pages.at(-1)?.searched_to ?? null,
    isSearching: goesOn,
    stop: () => setGoal({ list, wanted, isStopped: true }),
    showMore: () => setGoal({ list, wanted: calls.length + pageSize, isStopped: false }),
  };
}

/** Puts new calls in front, each once, in the order of the log. */
function withLatest(known: Pages, latest: CallPage): Pages {
  const [first, ...rest] = known.pages;
  if (first === undefined) return known;
  const ids = new Set(first.calls.map(({ id }) => id));
  const fresh = latest.calls.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  // More than one look brings: what lies between is unknown, so the list begins anew.
  const hasGap = fresh.length === latest.calls.length && latest.next !== null;
  if (hasGap || first.calls.length + fresh.length > maxLiveRows) return { pages: [latest], pageParams: [undefined] };
  const calls = [...fresh, ...first.calls].sort((a, b) => b.time.localeCompare(a.time) || b.id - a.id);
  return { ...known, pages: [{ ...first, calls }, ...rest] };
}

function queryOf(
  { last, from, to, ...filters }: CallSearch,
  { before, since, limit = pageSize }: { before?: string | undefined; since?: Date | undefined; limit?: number },
): CallsQuery {
  const starts = [from, last && new Date(Date.now() - lookBacks[last]).toISOString(), since?.toISOString()];
  const start = starts
    .filter((each) => each !== undefined)
    .sort()
    .at(-1);
  return {
    ...(filters as CallsQuery),
    ...(start !== undefined && { from: start }),
    ...(to !== undefined && { to }),
    ...(before !== undefined && { before }),
    limit,
  };
}
