import { randomInt } from "node:crypto";
import type { BeatEntry } from "@beatmarket/catalogue-index/entry.ts";
import {
  type BeatFilters,
  type BeatSort,
  facetNames,
  type ListQuery,
  type Range,
} from "@beatmarket/catalogue-index/query.ts";

const sorts: readonly BeatSort[] = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"];

const oneIn = (count: number): boolean => randomInt(count) === 0;
const oneOf = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T;

/** A query with random filters, order, page and facets, from values that these beats have. */
export function randomQuery(beats: readonly BeatEntry[]): ListQuery {
  const sort = oneOf(sorts);
  const seekBeat = oneOf(beats);
  return {
    filters: randomFilters(beats),
    sort,
    offset: randomOffset(beats.length),
    limit: 1 + randomInt(100),
    ...(oneIn(3) && {
      seek: {
        direction: oneIn(2) ? ("forward" as const) : ("backward" as const),
        key: sortKey(seekBeat, sort),
        id: seekBeat.id,
      },
    }),
    ...(oneIn(3) && { facets: facetNames.filter(() => oneIn(2)) }),
  };
}

function randomFilters(beats: readonly BeatEntry[]): BeatFilters {
  const randomValues = <T>(valueIn: (beat: BeatEntry) => T): T[] =>
    Array.from({ length: 1 + randomInt(3) }, () => valueIn(oneOf(beats)));
  const range = (valueIn: (beat: BeatEntry) => number): Range => {
    const [a, b] = [valueIn(oneOf(beats)), valueIn(oneOf(beats))];
    return { ...(!oneIn(4) && { min: Math.min(a, b) }), ...(!oneIn(4) && { max: Math.max(a, b) }) };
  };
  const tags = randomValues(({ tags: names }) => names[0] ?? "none").map((tag) => (oneIn(2) ? tag.toUpperCase() : tag));
  return {
    ...(oneIn(4) && { genres: randomValues(({ genreId }) => genreId) }),
    ...(oneIn(6) && { producers: randomValues(({ producerId }) => producerId) }),
    ...(oneIn(5) && { keys: randomValues(({ keyCode }) => keyCode) }),
    ...(oneIn(5) && { tags }),
    ...(oneIn(4) && { bpm: Array.from({ length: 1 + randomInt(3) }, () => range(shownBpm)) }),
    ...(oneIn(4) && { priceCents: range(({ priceCents }) => priceCents) }),
    ...(oneIn(6) && { durationSeconds: range(({ durationSeconds }) => durationSeconds) }),
    ...(oneIn(6) && { createdAtMicroseconds: range(({ createdAtMicroseconds }) => createdAtMicroseconds) }),
    ...(oneIn(6) && { availableLicenses: 1 + randomInt(15) }),
  };
}

const shownBpm = ({ tempo }: BeatEntry): number => Math.max(1, Math.round(tempo));

function sortKey(beat: BeatEntry, sort: BeatSort): number {
  if (sort === "newest") return beat.createdAtMicroseconds;
  if (sort === "popular") return beat.popularityKey;
  return sort.startsWith("price") ? beat.priceCents : shownBpm(beat);
}

/** The first page, a page near the beginning, or any page. */
function randomOffset(total: number): number {
  if (oneIn(2)) return 0;
  return randomInt(oneIn(2) ? 50 : total);
}
