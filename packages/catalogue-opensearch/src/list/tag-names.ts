import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import type { Cluster, SearchResponse } from "../cluster/cluster.ts";

const maxCached = 10_000;

/**
 * Caches the spelling in which each tag is shown: the spelling of the oldest beat with the tag at the first look-up.
 */
export class TagNames {
  readonly #cluster: Cluster;
  readonly #names = new Map<string, string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async of(index: string, tags: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (this.#names.size > maxCached) this.#names.clear();
    const unknown = tags.filter((tag) => !this.#names.has(tag));
    if (unknown.length > 0) await this.#read(index, unknown);
    return this.#names;
  }

  async #read(index: string, tags: readonly string[]): Promise<void> {
    const first = { top_hits: { size: 1, sort: [{ id: "asc" }], _source: ["tag_names"] } };
    const { aggregations } = await this.#cluster.search(index, {
      query: { terms: { tags } },
      size: 0,
      aggs: { tags: { terms: { field: "tags", include: tags, size: tags.length }, aggs: { first } } },
    });
    for (const { key, first } of aggregations.tags.buckets as {
      key: string;
      first: SearchResponse<{ tag_names: string[] }>;
    }[]) {
      const name = first.hits.hits[0]?._source.tag_names.find((written) => foldWhole(written) === key);
      this.#names.set(key, name ?? key);
    }
  }
}
