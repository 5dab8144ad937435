import type { BeatEntry, CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import { type BeatFilters, type BeatSort, facetNames } from "@beatmarket/catalogue-index/query.ts";
import { traitsOf } from "@beatmarket/catalogue-index/testing/traits.ts";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import type { EngineQuery } from "./measured-engine.ts";

const seed = 1;
const queriesPerKind = 600;
const sorts: readonly BeatSort[] = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"];

/** Queries of each kind, with values of these rows. The same rows give the same queries. */
export function engineQueries({ beats }: CatalogueChange): Record<string, EngineQuery[]> {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const queriesOf = (make: () => EngineQuery): EngineQuery[] => Array.from({ length: queriesPerKind }, make);
  const list = (withFacets: boolean) => (): EngineQuery => {
    const query = {
      filters: filtersOf(() => pick(beats), random),
      sort: pick(sorts),
      offset: Math.floor(random() * 60),
      limit: 20,
      ...(withFacets && { facets: facetNames }),
    };
    return (queries) => queries.list(query);
  };
  const search = (textOf: () => string) => (): EngineQuery => {
    const text = textOf();
    const kinds = ["beats", "producers"] as const;
    return (queries) => queries.search({ text, kinds, interpret: true, filters: {}, offset: 0, limit: 20 });
  };
  const wordOf = (): string => pick(pick(beats).title.split(/\s+/));
  return {
    "filters and total": queriesOf(list(false)),
    "filters and facets": queriesOf(list(true)),
    "two words": queriesOf(search(() => pick(beats).title.split(/\s+/).slice(0, 2).join(" "))),
    "a misspelt word": queriesOf(search(() => misspelt(wordOf()))),
    similar: queriesOf(() => {
      const ownTraits = traitsOf(pick(beats));
      return (queries) => queries.similar({ own: ownTraits, limit: 5 });
    }),
  };
}

/** One to four filters, each with values of a beat. */
function filtersOf(pick: () => BeatEntry, random: () => number): BeatFilters {
  const bpm = Math.round(pick().tempo);
  const priceCents = pick().priceCents;
  const candidates: BeatFilters[] = [
    { genres: [pick().genreId] },
    { bpm: [{ min: bpm - 5, max: bpm + 5 }] },
    { keys: [pick().keyCode, pick().keyCode] },
    { priceCents: { min: priceCents / 2, max: priceCents * 2 } },
  ];
  const selection = candidates.filter(() => random() < 0.5);
  return Object.assign({}, ...(selection.length === 0 ? candidates.slice(0, 1) : selection));
}

/** Swaps two neighbouring letters of a word. */
function misspelt(word: string): string {
  const middle = word.length >> 1;
  return (
    word.slice(0, middle - 1) + word.slice(middle, middle + 1) + word.slice(middle - 1, middle) + word.slice(middle + 1)
  );
}
