import type { BeatSort, ListQuery, ListResult } from "@beatmarket/catalogue-index/query.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Clause, Cluster } from "../cluster/cluster.ts";
import { deepest } from "../cluster/documents.ts";
import { type FacetReader, type FacetRequest, facetRequest } from "./facets.ts";
import { filtersOf } from "./filters.ts";

/** Ties are sorted by id, in the same direction. */
const sorts: Record<BeatSort, { field: string; isDescending: boolean }> = {
  newest: { field: "created", isDescending: true },
  popular: { field: "popularity", isDescending: true },
  price_asc: { field: "price", isDescending: false },
  price_desc: { field: "price", isDescending: true },
  bpm_asc: { field: "bpm", isDescending: false },
  bpm_desc: { field: "bpm", isDescending: true },
};

export function sortOf(sort: BeatSort, isReversed = false): Clause[] {
  const { field, isDescending } = sorts[sort];
  const order = isDescending === isReversed ? "asc" : "desc";
  return [{ [field]: order }, { id: order }];
}

/**
 * Returns a page of the beats that pass the filters. A page that is too deep for OpenSearch is read from the end, in
 * reverse order. Throws 400 if it is too deep from there, too.
 */
export async function list(
  cluster: Cluster,
  index: string,
  query: ListQuery,
  facetReader: FacetReader,
): Promise<ListResult> {
  const { sort, seek, facets } = query;
  const filters = filtersOf(query.filters);
  const request = facetRequest(filters, facets ?? []);
  const size = query.limit + 1;
  const body: Clause = {
    ...queryOf(request),
    track_total_hits: true,
    _source: false,
    ...(facets && { aggs: request.aggregations }),
  };
  const response = await (seek === undefined && query.offset + size > deepest
    ? fromTheEnd(cluster, index, query, body)
    : cluster.search(index, {
        ...body,
        sort: sortOf(sort, seek?.direction === "backward"),
        size,
        ...(seek === undefined ? { from: query.offset } : { search_after: [seek.key, seek.id] }),
      }));
  const { hits, total } = response.hits;
  return {
    ids: hits.map(({ sort: [, id] }) => id as number),
    keys: hits.map(({ sort: [key] }) => key as number),
    total: total.value,
    ...(facets && { facets: await facetReader.read(index, request, response.aggregations) }),
  };
}

export const queryOf = ({ common, own }: FacetRequest): Clause => ({
  query: { bool: { filter: common } },
  ...(own.length > 0 && { post_filter: { bool: { filter: own.map(({ clause }) => clause) } } }),
});

async function fromTheEnd(cluster: Cluster, index: string, { offset, limit, sort }: ListQuery, body: Clause) {
  const counted = await cluster.search(index, { ...body, size: 0 });
  const total = counted.hits.total.value;
  const size = Math.min(limit + 1, total - offset);
  if (size <= 0) return counted;
  const rowsAfter = total - offset - size;
  if (rowsAfter + size > deepest)
    throw invalidRequest(
      `page is too deep: more than ${deepest.toLocaleString("en")} beats are before and after it. Follow next_page_url, or add a filter.`,
      "page",
    );
  const { aggs: _, ...rows } = body;
  const { hits } = await cluster.search(index, { ...rows, sort: sortOf(sort, true), size, from: rowsAfter });
  hits.hits.reverse();
  return { hits, aggregations: counted.aggregations };
}
