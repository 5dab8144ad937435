import type { SearchQuery } from "@beatmarket/catalogue-index/query.ts";
import type { Clause } from "../cluster/cluster.ts";
import type { BeatDocument, NameDocument } from "../cluster/documents.ts";
import { type Filter, filtersOf } from "../list/filters.ts";
import { sortOf } from "../list/list.ts";
import type { SearchParts } from "./parts.ts";
import { type Ranked, rankOfScore } from "./ranked.ts";

/** The maximum number of recordings with several copies among the matches of one search. */
const mostRecordings = 10_000;

export interface Match {
  id: number;
  rank: number;
  popularity: number;
  source: Partial<BeatDocument & NameDocument>;
}

/** A page of matches, and the number of all matches. */
export interface Matches {
  total: number;
  page: Match[];
}

interface Copies {
  buckets: { doc_count: number }[];
}

const sourceFields = ["id", "popularity", "title", "name", "tag", "genre", "word"];

/**
 * Returns the matches of a ranking; of beats, only those that pass the filters of the query. Searches only once for
 * each ranking.
 */
export class MatchReader {
  readonly #parts: SearchParts;
  readonly #query: SearchQuery;
  readonly filters: readonly Filter[];
  readonly #found = new Map<Ranked, Promise<Matches>>();

  constructor(parts: SearchParts, query: SearchQuery) {
    this.#parts = parts;
    this.#query = query;
    this.filters = filtersOf(query.filters);
  }

  of(ranked: Ranked): Promise<Matches> {
    const pending = this.#found.get(ranked) ?? this.#find(ranked);
    this.#found.set(ranked, pending);
    return pending;
  }

  /** The number of matches, including copies. */
  async count(kind: Ranked["kind"], clause: Clause): Promise<number> {
    const query = { bool: { filter: [clause, ...this.#filtersOf(kind)] } };
    const { hits } = await this.#parts.cluster.search(this.#parts.indexOf(kind.index), {
      query,
      size: 0,
      track_total_hits: true,
    });
    return hits.total.value;
  }

  /** The number of matches without the filters of the query. */
  async countUnfiltered(kind: Ranked["kind"], clause: Clause): Promise<number> {
    const body = { query: { bool: { filter: [clause] } }, size: 0, track_total_hits: true };
    return (await this.#parts.cluster.search(this.#parts.indexOf(kind.index), body)).hits.total.value;
  }

  /**
   * Whether a beat or producer has exactly this name, and the popularity of the most popular producer that has it; -1
   * if no producer has it.
   */
  async named(whole: string): Promise<{ isNamed: boolean; popularity: number }> {
    const { cluster, indexOf } = this.#parts;
    const query = { bool: { filter: [{ term: { whole } }] } };
    const [producers, beats] = await Promise.all([
      cluster.search(indexOf("producers"), { query, size: 1, sort: [{ popularity: "desc" }], _source: false }),
      cluster.search(indexOf("beats"), { query, size: 0, terminate_after: 1, track_total_hits: 1 }),
    ]);
    const [best] = producers.hits.hits;
    return { isNamed: best !== undefined || beats.hits.total.value > 0, popularity: best?.sort[0] ?? -1 };
  }

  async #find({ kind, scored }: Ranked): Promise<Matches> {
    const { sort, offset, limit } = this.#query;
    const isOfBeats = kind.index === "beats";
    const response = await this.#parts.cluster.search<Match["source"]>(this.#parts.indexOf(kind.index), {
      query: { bool: { must: [scored], filter: this.#filtersOf(kind) } },
      sort: sort !== undefined && isOfBeats ? sortOf(sort) : bestFirst,
      track_total_hits: true,
      track_scores: true,
      from: offset,
      size: limit,
      _source: sourceFields,
      // Of the copies of a recording, only one is a match.
      ...(isOfBeats && { collapse: { field: "recording" }, aggs: { copies } }),
    });
    const repeated = ((response.aggregations?.copies as Copies | undefined)?.buckets ?? []).reduce(
      (sum, { doc_count }) => sum + doc_count - 1,
      0,
    );
    return {
      total: response.hits.total.value - repeated,
      page: response.hits.hits.map(({ _source, _score }) => ({
        id: _source.id as number,
        rank: rankOfScore(_score ?? 0),
        popularity: _source.popularity as number,
        source: _source,
      })),
    };
  }

  #filtersOf({ index, impliedFilters }: Ranked["kind"]): Clause[] {
    return index === "beats" ? [...impliedFilters, ...this.filters.map(({ clause }) => clause)] : impliedFilters;
  }
}

const bestFirst = [{ _score: "desc" }, { popularity: "desc" }, { id: "desc" }];
const copies = { terms: { field: "recording", min_doc_count: 2, size: mostRecordings } };
