import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import type { Engine } from "../src/engine/engine.ts";
import { bySimilarity, similarity, type Traits } from "../src/engine/similar/similarity.ts";
import type { BeatEntry, CatalogueChange } from "../src/entry.ts";
import type {
  BeatFilters,
  BeatSort,
  FacetCount,
  FacetName,
  Facets,
  ListQuery,
  ListResult,
  Range,
  SimilarHit,
  SimilarQuery,
} from "../src/query.ts";
import { traitsOf } from "./traits.ts";

/** A simple catalogue index to compare the real one with: every query visits every beat. */
export class PlainEngine implements Engine {
  readonly #beats = new Map<number, BeatEntry>();
  /** Each tag as it was first written, by its folded form. */
  readonly #tags = new Map<string, string>();

  get beats(): number {
    return this.#beats.size;
  }

  producerOf(beatId: number): number | undefined {
    return this.#beats.get(beatId)?.producerId;
  }

  apply(change: CatalogueChange): void {
    for (const beat of change.beats) {
      this.#beats.set(beat.id, beat);
      for (const tag of beat.tags) if (!this.#tags.has(foldWhole(tag))) this.#tags.set(foldWhole(tag), tag);
    }
    for (const id of change.goneBeats) this.#beats.delete(id);
  }

  compact(): boolean {
    return false;
  }

  list({ filters, sort, offset, limit, seek, facets }: ListQuery): ListResult {
    const beats = this.matching(filters);
    const order = orders[sort];
    let sorted = beats.sort(order);
    if (seek !== undefined) {
      const from = keyed(seek.key, seek.id);
      if (seek.direction === "forward") sorted = sorted.filter((beat) => order(beat, from) > 0);
      else sorted = sorted.filter((beat) => order(beat, from) < 0).reverse();
    }
    const first = seek === undefined ? offset : 0;
    const page = sorted.slice(first, first + limit + 1);
    return {
      ids: page.map(({ id }) => id),
      keys: page.map(keyOf[sort]),
      total: beats.length,
      ...(facets && { facets: this.facets(filters, facets) }),
    };
  }

  search(): never {
    throw new Error("The plain engine does not search.");
  }

  similar({ own, limit }: SimilarQuery): SimilarHit[] {
    const best: (SimilarHit & { beat: BeatEntry })[] = [];
    const candidates = Array.from(this.#beats.values())
      .filter((beat) => beat.id !== own.id && !isCopy(own, traitsOf(beat)))
      .flatMap((beat) => {
        const compared = similarity(own, traitsOf(beat));
        return compared === null ? [] : [{ id: beat.id, similarity: compared, beat }];
      })
      .sort(bySimilarity);
    for (const candidate of candidates) {
      if (best.length === limit) break;
      const isCopyOfBetter = best.some(({ beat }) => isCopy(traitsOf(beat), traitsOf(candidate.beat)));
      if (!isCopyOfBetter) best.push(candidate);
    }
    return best.map(({ id, similarity: compared }) => ({ id, similarity: compared }));
  }

  save(): never {
    throw new Error("The plain engine cannot be saved.");
  }

  /** Returns the listed beats that pass every filter, in no particular order. */
  matching(filters: BeatFilters): BeatEntry[] {
    const tags = filters.tags && new Set(filters.tags.map(foldWhole));
    return Array.from(this.#beats.values()).filter(
      (beat) =>
        (filters.genres?.includes(beat.genreId) ?? true) &&
        (filters.producers?.includes(beat.producerId) ?? true) &&
        (filters.keys?.includes(beat.keyCode) ?? true) &&
        (tags === undefined || beat.tags.some((tag) => tags.has(foldWhole(tag)))) &&
        (filters.bpm?.some((range) => isWithin(range, shownBpm(beat))) ?? true) &&
        isWithin(filters.priceCents, beat.priceCents) &&
        isWithin(filters.durationSeconds, beat.durationSeconds) &&
        isWithin(filters.createdAtMicroseconds, beat.createdAtMicroseconds) &&
        (filters.availableLicenses === undefined || (filters.availableLicenses & beat.availableLicenses) !== 0),
    );
  }

  /** Exact counts under all filters except each facet's own. */
  facets(filters: BeatFilters, names: readonly FacetName[]): Facets {
    const without = {
      genre: { ...filters, genres: undefined },
      key: { ...filters, keys: undefined },
      bpm: { ...filters, bpm: undefined },
      price: { ...filters, priceCents: undefined },
      tag: { ...filters, tags: undefined },
    };
    return Object.fromEntries(names.map((name) => [name, this.#facet(name, this.matching(without[name]))]));
  }

  #facet(name: FacetName, beats: BeatEntry[]): FacetCount[] {
    if (name === "genre") return byCount(countEach(beats.map(({ genreId }) => genreId)));
    if (name === "key") return byCount(countEach(beats.map(({ keyCode }) => keyCode)));
    if (name === "bpm") return ranges(beats.map(shownBpm), 10);
    if (name === "price") {
      const prices = beats.map(({ priceCents }) => priceCents);
      return ranges(prices, priceStep(Math.min(...prices), Math.max(...prices)));
    }
    const folded = beats.flatMap(({ tags }) => Array.from(new Set(tags.map(foldWhole))));
    return byCount(countEach(folded.map((tag) => this.#tags.get(tag) ?? tag))).slice(0, 100);
  }
}

/** The order of each sort: by its key, then by id. */
const orders: Record<BeatSort, (a: BeatEntry, b: BeatEntry) => number> = {
  newest: (a, b) => b.createdAtMicroseconds - a.createdAtMicroseconds || b.id - a.id,
  popular: (a, b) => b.popularityKey - a.popularityKey || b.id - a.id,
  price_asc: (a, b) => a.priceCents - b.priceCents || a.id - b.id,
  price_desc: (a, b) => b.priceCents - a.priceCents || b.id - a.id,
  bpm_asc: (a, b) => shownBpm(a) - shownBpm(b) || a.id - b.id,
  bpm_desc: (a, b) => shownBpm(b) - shownBpm(a) || b.id - a.id,
};

function shownBpm({ tempo }: BeatEntry): number {
  return Math.max(1, Math.round(tempo));
}

const keyOf: Record<BeatSort, (beat: BeatEntry) => number> = {
  newest: ({ createdAtMicroseconds }) => createdAtMicroseconds,
  popular: ({ popularityKey }) => popularityKey,
  price_asc: ({ priceCents }) => priceCents,
  price_desc: ({ priceCents }) => priceCents,
  bpm_asc: shownBpm,
  bpm_desc: shownBpm,
};

/** A beat with this id, and this key in every sort. */
function keyed(key: number, id: number): BeatEntry {
  const keys = { createdAtMicroseconds: key, popularityKey: key, priceCents: key, tempo: key };
  return {
    ...keys,
    id,
    title: "",
    tags: [],
    producerId: 0,
    genreId: 0,
    keyCode: 24,
    durationSeconds: 0,
    availableLicenses: 15,
  };
}

const isWithin = (range: Range | undefined, value: number): boolean =>
  (range?.min === undefined || value >= range.min) && (range?.max === undefined || value <= range.max);

/** Whether two beats are copies of one recording. */
function isCopy(a: Traits & { title: string }, b: Traits & { title: string }): boolean {
  if (foldWhole(a.title) !== foldWhole(b.title)) return false;
  return a.user_id === b.user_id || (a.tempo === b.tempo && a.duration_seconds === b.duration_seconds);
}

function countEach<T extends number | string>(values: T[]): { value: T; count: number }[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Array.from(counts, ([value, count]) => ({ value, count }));
}

const byCount = (counts: FacetCount[]): FacetCount[] =>
  counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

/** Counts the ranges of this width that have values; the ranges begin at multiples of the width. */
const ranges = (values: number[], step: number): FacetCount[] =>
  countEach(values.map((value) => Math.floor(value / step) * step))
    .map(({ value, count }) => ({ value, max: value + step - 1, count }))
    .sort((a, b) => a.value - b.value);

/** The smallest 1, 2 or 5 times a power of ten with which ten ranges cover the lowest to the highest. */
function priceStep(lowest: number, highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (!(Math.floor(highest / step) - Math.floor(lowest / step) >= 10)) return step;
}
