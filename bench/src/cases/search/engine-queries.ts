import type { BeatEntry, CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import { type BeatFilters, type BeatSort, facetNames } from "@beatmarket/catalogue-index/query.ts";
import { traitsOf } from "@beatmarket/catalogue-index/testing/traits.ts";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import type { Ask } from "./measured-engine.ts";

const seed = 1;
const questionsEach = 600;
const sorts: readonly BeatSort[] = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"];

/** Queries of each kind, with values of these rows. The same rows give the same queries. */
export function engineQueries({ beats }: CatalogueChange): Record<string, Ask[]> {
  const random = seededRandom(seed);
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const each = (make: () => Ask): Ask[] => Array.from({ length: questionsEach }, make);
  const list = (withFacets: boolean) => (): Ask => {
    const query = {
      filters: filtersOf(() => one(beats), random),
      sort: one(sorts),
      offset: Math.floor(random() * 60),
      limit: 20,
      ...(withFacets && { facets: facetNames }),
    };
    return (queries) => queries.list(query);
  };
  const search = (textOf: () => string) => (): Ask => {
    const text = textOf();
    const kinds = ["beats", "producers"] as const;
    return (queries) => queries.search({ text, kinds, interpret: true, filters: {}, offset: 0, limit: 20 });
  };
  const wordOf = (): string => one(one(beats).title.split(/\s+/));
  return {
    "filters and total": each(list(false)),
    "filters and facets": each(list(true)),
    "two words": each(search(() => one(beats).title.split(/\s+/).slice(0, 2).join(" "))),
    "a misspelt word": each(search(() => misspelt(wordOf()))),
    similar: each(() => {
      const own = traitsOf(one(beats));
      return (queries) => queries.similar({ own, limit: 5 });
    }),
  };
}

/** One to four filters, each with values of a beat. */
function filtersOf(one: () => BeatEntry, random: () => number): BeatFilters {
  const bpm = Math.round(one().tempo);
  const priceCents = one().priceCents;
  const all: BeatFilters[] = [
    { genres: [one().genreId] },
    { bpm: [{ min: bpm - 5, max: bpm + 5 }] },
    { keys: [one().keyCode, one().keyCode] },
    { priceCents: { min: priceCents / 2, max: priceCents * 2 } },
  ];
  const chosen = all.filter(() => random() < 0.5);
  return Object.assign({}, ...(chosen.length === 0 ? all.slice(0, 1) : chosen));
}

/** Swaps two neighbouring letters of a word. */
function misspelt(word: string): string {
  const middle = word.length >> 1;
  return (
    word.slice(0, middle - 1) + word.slice(middle, middle + 1) + word.slice(middle - 1, middle) + word.slice(middle + 1)
  );
}
