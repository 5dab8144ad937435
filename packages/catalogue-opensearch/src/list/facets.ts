import { bpmRanges, byCount, mostTags, priceStep } from "@beatmarket/catalogue-index/engine/list/facet-counters.ts";
import type { FacetCount, FacetName, Facets } from "@beatmarket/catalogue-index/query.ts";
import type { Clause, Cluster, SearchResponse } from "../cluster/cluster.ts";
import { all, type Filter, ownFilter } from "./filters.ts";
import type { TagNames } from "./tag-names.ts";

/** More genres or keys than any catalogue has. */
const mostValues = 10_000;
/** The number of tags in the first search. */
const firstTags = 300;

/**
 * A query for facets. `common` restricts the hits and every facet. Each filter of `own` restricts the hits and every
 * facet but its own (`ownFilter`).
 */
export interface FacetRequest {
  common: Clause[];
  own: Filter[];
  names: readonly FacetName[];
  aggregations: Record<string, Clause>;
}

/** `common` has further clauses of a search. */
export function facetRequest(
  filters: readonly Filter[],
  names: readonly FacetName[],
  common: Clause[] = [],
): FacetRequest {
  const owners = new Set<string>(names.map((name) => ownFilter[name]));
  const own = filters.filter(({ name }) => owners.has(name));
  const shared = filters.filter(({ name }) => !owners.has(name)).map(({ clause }) => clause);
  const aggregations = Object.fromEntries(
    names.map((name) => [name, { filter: all(others(own, name)), aggs: { values: valuesOf[name] } }]),
  );
  return { common: [...common, ...shared], own, names, aggregations };
}

const others = (own: readonly Filter[], name: FacetName): Clause[] =>
  own.filter((filter) => filter.name !== ownFilter[name]).map(({ clause }) => clause);

const tags = (size: number): Clause => ({ terms: { field: "tags", size, shard_size: size * 4 } });

const valuesOf: Record<FacetName, Clause> = {
  genre: { terms: { field: "genre", size: mostValues } },
  key: { terms: { field: "key", size: mostValues } },
  bpm: { histogram: { field: "bpm", interval: bpmRanges.step, min_doc_count: 1 } },
  price: { stats: { field: "price" } },
  tag: tags(firstTags),
};

interface Bucket {
  key: string | number;
  doc_count: number;
}

interface TagBuckets {
  buckets: Bucket[];
  doc_count_error_upper_bound: number;
}

/** Reads facets from the aggregations of a search, and searches again for counts that one search cannot return. */
export class FacetReader {
  readonly #cluster: Cluster;
  readonly #tagNames: TagNames;

  constructor(cluster: Cluster, tagNames: TagNames) {
    this.#cluster = cluster;
    this.#tagNames = tagNames;
  }

  // biome-ignore lint/suspicious/noExplicitAny: aggregations by facet.
  async read(index: string, request: FacetRequest, aggregations: any): Promise<Facets> {
    const counts = request.names.map(async (name) => {
      const { values } = aggregations[name];
      if (name === "bpm") return ranges(values.buckets, bpmRanges.step);
      if (name === "price") return this.#prices(index, request, values);
      if (name === "tag") return this.#tags(index, request, values);
      return byCount(
        (values.buckets as Bucket[]).map(({ key, doc_count }) => ({ value: Number(key), count: doc_count })),
      );
    });
    const read = await Promise.all(counts);
    return Object.fromEntries(request.names.map((name, at) => [name, read[at] as FacetCount[]]));
  }

  /** Searches again, because the width of the ranges depends on the lowest and highest price. */
  async #prices(
    index: string,
    request: FacetRequest,
    ends: { count: number; min: number; max: number },
  ): Promise<FacetCount[]> {
    if (ends.count === 0) return [];
    const step = priceStep(ends.min, ends.max);
    const aggregations = await this.#ask(index, request, "price", {
      values: { histogram: { field: "price", interval: step, min_doc_count: 1 } },
      ends: { stats: { field: "price" } },
    });
    const { ends: now, values } = aggregations;
    // Starts again if a change of the catalogue between the two searches changed the width.
    if (now.count > 0 && priceStep(now.min, now.max) !== step) return this.#prices(index, request, now);
    return ranges(values.buckets, step);
  }

  /**
   * Searches for more tags until the most frequent ones are certain, with all ties. On several shards, counts are exact
   * only if no shard omitted tags.
   */
  async #tags(index: string, request: FacetRequest, first: TagBuckets): Promise<FacetCount[]> {
    let [counted, size] = [first, firstTags];
    while (!isCertain(counted, size)) {
      size *= 8;
      counted = (await this.#ask(index, request, "tag", { values: tags(size) })).values;
    }
    const minCount = counted.buckets[mostTags - 1]?.doc_count ?? 0;
    const buckets = counted.buckets.filter(({ doc_count }) => doc_count >= minCount);
    const names = await this.#tagNames.of(
      index,
      buckets.map(({ key }) => String(key)),
    );
    return byCount(
      buckets.map(({ key, doc_count }) => ({ value: names.get(String(key)) ?? String(key), count: doc_count })),
    ).slice(0, mostTags);
  }

  async #ask(
    index: string,
    { common, own }: FacetRequest,
    name: FacetName,
    aggs: Record<string, Clause>,
  ): Promise<SearchResponse["aggregations"]> {
    const { aggregations } = await this.#cluster.search(index, {
      query: all([...common, ...others(own, name)]),
      size: 0,
      aggs,
    });
    return aggregations;
  }
}

const isCertain = ({ buckets, doc_count_error_upper_bound }: TagBuckets, size: number): boolean =>
  doc_count_error_upper_bound === 0 &&
  (buckets.length < size || buckets.at(-1)?.doc_count !== buckets[mostTags - 1]?.doc_count);

const ranges = (buckets: readonly Bucket[], step: number): FacetCount[] =>
  buckets.map(({ key, doc_count }) => ({ value: Number(key), max: Number(key) + step - 1, count: doc_count }));
