import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Beat, Facets, Interpretation, ListBeatsQuery, SearchQuery } from "beatmarket";
import { awaitCall, catalogueClient } from "./client-library.ts";

export type { Beat, BeatDetail, FacetCount, Facets, Interpretation, SimilarBeat } from "beatmarket";

const catalogueKey = "catalogue";

export interface CataloguePage {
  beats: Beat[];
  page: number;
  lastPage: number;
  /** The number of beats in all pages. */
  total: number;
  /** The facets of all pages together; only the first page has them. */
  facets?: Facets | undefined;
  /** How the search was interpreted. */
  interpreted?: Interpretation | undefined;
}

/**
 * The pages of a list of beats, up to `lastPage`. `queryOf` returns the API's parameters for a page number, which
 * starts at 1. The parameter `q` makes the list a search.
 */
export const beatsQuery = (queryOf: (page: number) => Record<string, unknown>, lastPage: number) =>
  infiniteQueryOptions({
    queryKey: [catalogueKey, "beats", queryOf(1)],
    queryFn: ({ pageParam, signal }) => readPage(queryOf(pageParam), signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, lastPage: last }) => (page < Math.min(last, lastPage) ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

async function readPage({ q, ...query }: Record<string, unknown>, signal: AbortSignal): Promise<CataloguePage> {
  const client = catalogueClient();
  // The parameters come from the page's address: as texts, with commas in lists. The API takes the same format.
  const page =
    typeof q === "string"
      ? await awaitCall(client.search(q, query as SearchQuery, { signal }))
      : await awaitCall(client.beats.list(query as ListBeatsQuery, { signal }));
  const { pagination, facets } = page;
  return {
    beats: "beats" in page ? page.beats : page.data,
    page: pagination.current_page,
    lastPage: pagination.last_page,
    total: "totals" in page ? page.totals.beats : page.total,
    facets,
    interpreted: "interpreted" in page ? page.interpreted : undefined,
  };
}

export const beatQuery = (id: number) =>
  queryOptions({
    queryKey: [catalogueKey, "beat", id],
    queryFn: ({ signal }) => awaitCall(catalogueClient().beats.get(id, { signal })),
    staleTime: 30_000,
  });

export const similarQuery = (id: number, limit: number) =>
  queryOptions({
    queryKey: [catalogueKey, "similar", id, limit],
    queryFn: ({ signal }) => awaitCall(catalogueClient().beats.similar(id, { limit }, { signal })),
    staleTime: 30_000,
  });

/** A producer's most played beats. */
export const producerBeatsQuery = (producerId: number, limit: number) =>
  queryOptions({
    queryKey: [catalogueKey, "producer", producerId, limit],
    queryFn: async ({ signal }) => {
      const query = { producer: producerId, sort: "popular", limit } as const;
      return (await awaitCall(catalogueClient().beats.list(query, { signal }))).data;
    },
    staleTime: 30_000,
  });
