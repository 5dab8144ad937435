import type { CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import { type IndexedText, indexedText } from "@beatmarket/foundation/text/search-words.ts";
import { type Clause, type Cluster, unavailable } from "./cluster.ts";
import { beatDocument, deepest, type Kind, kinds, mappings, nameDocument } from "./documents.ts";

/**
 * 2 GB at about 400 bytes per beat. OpenSearch recommends 10 to 50 GB per shard, but queries are faster on smaller
 * ones.
 */
const beatsOfShard = 5_000_000;
/** The maximum number of documents in a bulk request: a few megabytes. */
const maxBulkSize = 5_000;
/**
 * How long OpenSearch remembers deleted documents, so that a late write of an earlier version does not restore them.
 */
const deletedMemory = "1h";
const conflict = 409;
const notFound = 404;

interface BulkResponse {
  errors: boolean;
  items: Record<string, { status: number; error?: { type: string; reason: string } }>[];
}

/**
 * Three indices that are filled together. Writes have versions, so that an earlier state never replaces a later one.
 */
export class Build {
  readonly #cluster: Cluster;
  /** The end of the indices' names. */
  readonly name: string;

  constructor(cluster: Cluster, name: string) {
    this.#cluster = cluster;
    this.name = name;
  }

  index(kind: Kind): string {
    return `${this.#cluster.prefix}-${kind}-${this.name}`;
  }

  /** `beats` is the approximate number of beats that will be written. */
  async create(beats: number): Promise<void> {
    for (const kind of kinds) {
      const shards = kind === "beats" ? Math.max(1, Math.ceil(beats / beatsOfShard)) : 1;
      const settings = {
        number_of_shards: shards,
        auto_expand_replicas: "0-1",
        refresh_interval: "-1",
        gc_deletes: deletedMemory,
        max_result_window: deepest,
      };
      const body = { settings: { index: settings }, mappings: mappings[kind] };
      await this.#cluster.request("PUT", `/${this.index(kind)}`, body, { isLong: true });
    }
  }

  async delete(): Promise<void> {
    for (const kind of kinds)
      await this.#cluster.request("DELETE", `/${this.index(kind)}`, undefined, { missing: null, isLong: true });
  }

  /**
   * Writes changed rows and removes deleted ones. `version` is the position in the change stream at which the rows were
   * read. `names` has the names of the beats' producers, divided into words.
   */
  async write(rows: CatalogueChange, version: number, names: ReadonlyMap<number, IndexedText>): Promise<void> {
    const lines: string[] = [];
    const line = (kind: Kind, id: number, document: object | null): void => {
      const place = { _index: this.index(kind), _id: String(id), version, version_type: "external" };
      lines.push(
        document === null
          ? `{"delete":${JSON.stringify(place)}}\n`
          : `{"index":${JSON.stringify(place)}}\n${JSON.stringify(document)}\n`,
      );
    };
    for (const beat of rows.beats) line("beats", beat.id, beatDocument(beat, names.get(beat.producerId) ?? nameless));
    for (const id of rows.goneBeats) line("beats", id, null);
    for (const producer of rows.producers) line("producers", producer.id, nameDocument(producer));
    for (const id of rows.goneProducers) line("producers", id, null);
    for (const genre of rows.genres) line("genres", genre.id, nameDocument(genre));
    for (const id of rows.goneGenres) line("genres", id, null);
    for (let at = 0; at < lines.length; at += maxBulkSize) await this.#bulk(lines.slice(at, at + maxBulkSize).join(""));
  }

  /** Makes written documents visible to searches. */
  async refresh(): Promise<void> {
    const names = kinds.map((kind) => this.index(kind)).join(",");
    await this.#cluster.request("POST", `/${names}/_refresh`, undefined, { isLong: true });
  }

  /** Returns the documents with these ids that exist. */
  async documents<Source extends { id: number }>(
    kind: Kind,
    ids: readonly number[],
    fields: readonly string[],
  ): Promise<Source[]> {
    if (ids.length === 0) return [];
    const path = `/${this.index(kind)}/_mget?_source_includes=${fields.join(",")}`;
    const { docs } = await this.#cluster.request<{ docs: { found?: boolean; _source: Source }[] }>(
      "POST",
      path,
      { ids: ids.map(String) },
      { isLong: true },
    );
    return docs.flatMap(({ found, _source }) => (found === true ? [_source] : []));
  }

  /** Returns the ids of all beats of these producers, to write the beats again with the producers' new names. */
  async beatsOf(producers: readonly number[]): Promise<number[]> {
    const ids: number[] = [];
    if (producers.length === 0) return ids;
    await this.refresh();
    const body: Clause = {
      query: { terms: { producer: producers } },
      _source: false,
      sort: [{ id: "asc" }],
      size: maxBulkSize,
    };
    for (let after: number[] | undefined; ; ) {
      const { hits } = (
        await this.#cluster.search(this.index("beats"), { ...body, ...(after && { search_after: after }) })
      ).hits;
      ids.push(...hits.map(({ sort: [id] }) => id as number));
      if (hits.length < maxBulkSize) return ids;
      after = hits.at(-1)?.sort;
    }
  }

  async #bulk(lines: string): Promise<void> {
    const { errors, items } = await this.#cluster.request<BulkResponse>("POST", "/_bulk", lines, { isLong: true });
    if (!errors) return;
    for (const item of items)
      for (const { status, error } of Object.values(item)) {
        // The index has a later version, or a deleted document did not exist.
        if (status < 300 || status === conflict || status === notFound) continue;
        throw unavailable(`OpenSearch refused a document: ${error?.type}: ${error?.reason}.`);
      }
  }
}

const nameless = indexedText("");
