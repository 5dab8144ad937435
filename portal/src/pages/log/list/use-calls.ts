import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { operations } from "../../../api/paths.ts";
import { type CallSearch, filtersOf, queryOf } from "../call-search.ts";

type CallPage = operations["listCalls"]["responses"]["200"]["content"]["application/json"];
type Pages = InfiniteData<CallPage, string | undefined>;

const pageSize = 50;
const livePollMs = 2_000;
const maxLiveCalls = 100;
/**
 * How far a live poll reads back beyond the newest entry. An entry is written after its response but has the time of
 * its request, so a slow call appears below entries that are shown already.
 */
const liveOverlapMs = 60_000;
/**
 * When new calls would grow the first page beyond this number of rows, the newest calls replace the whole list. This
 * bounds the memory of an open tab.
 */
const maxLiveRows = 400;

/** The calls that match the filters, newest first, in pages. Polls for new calls while live. */
export function useCalls(search: CallSearch, isLive: boolean) {
  const client = useQueryClient();
  const filters = filtersOf(search);
  const queryKey = ["calls", filters];
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/calls", {
          params: {
            query: { ...queryOf(filters), limit: pageSize, ...(pageParam !== undefined && { before: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // Pages are addressed by a cursor in an append-only log, so refetching would return the same calls.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const calls = pages.data?.pages.flatMap((page) => page.calls) ?? [];

  // The server searches a limited number of calls per request. Fetch further pages until enough calls match.
  const list = JSON.stringify(filters);
  const [goal, setGoal] = useState({ list, targetCount: pageSize, isStopped: false });
  const { targetCount, isStopped } = goal.list === list ? goal : { targetCount: pageSize, isStopped: false };
  const { fetchNextPage, hasNextPage, isFetching, isError, isPlaceholderData } = pages;
  const isSearching = hasNextPage && !isError && !isPlaceholderData && !isStopped && calls.length < targetCount;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);

  const newest = calls[0]?.time;
  const live = useQuery({
    queryKey: ["live-calls", filters],
    enabled: isLive && pages.isSuccess && !isPlaceholderData && filters.to === undefined,
    refetchInterval: livePollMs,
    refetchIntervalInBackground: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const since = newest === undefined ? undefined : new Date(Date.parse(newest) - liveOverlapMs);
      const query = { ...queryOf(filters, since), limit: maxLiveCalls };
      const latest = await unwrap(api.GET("/calls", { params: { query }, signal }));
      client.setQueryData<Pages>(queryKey, (pages) => (pages === undefined ? pages : withLatest(pages, latest)));
      return latest.calls.length;
    },
  });

  return {
    ...pages,
    calls,
    /** Whether polling fails, so that the newest calls may be missing. */
    isBehind: isLive && (live.fetchStatus === "paused" || live.failureCount > 0 || live.isError),
    /** The time of the oldest searched call; null when all calls were searched. */
    searchedTo: pages.data?.pages.at(-1)?.searched_to ?? null,
    isSearching,
    stop: () => setGoal({ list, targetCount, isStopped: true }),
    showMore: () => setGoal({ list, targetCount: calls.length + pageSize, isStopped: false }),
  };
}

/** Merges new calls into the first page, without duplicates, in the order of the log. */
function withLatest(pages: Pages, latest: CallPage): Pages {
  const [first, ...olderPages] = pages.pages;
  if (first === undefined) return pages;
  const ids = new Set(first.calls.map(({ id }) => id));
  const newCalls = latest.calls.filter(({ id }) => !ids.has(id));
  if (newCalls.length === 0) return pages;
  // If all are new and there are more, calls in between are missing, so the list is replaced.
  const hasGap = newCalls.length === latest.calls.length && latest.next !== null;
  if (hasGap || first.calls.length + newCalls.length > maxLiveRows) return { pages: [latest], pageParams: [undefined] };
  const calls = [...newCalls, ...first.calls].sort((a, b) => b.time.localeCompare(a.time) || b.id - a.id);
  return { ...pages, pages: [{ ...first, calls }, ...olderPages] };
}
