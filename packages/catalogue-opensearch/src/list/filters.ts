import type { BeatFilters, FacetName, Range } from "@beatmarket/catalogue-index/query.ts";
import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import type { Clause } from "../cluster/cluster.ts";

/** The filter that each facet ignores. */
export const ownFilter = {
  genre: "genres",
  key: "keys",
  bpm: "bpm",
  price: "priceCents",
  tag: "tags",
} as const satisfies Record<FacetName, keyof BeatFilters>;

/** A filter of the query, as a clause. */
export interface Filter {
  name: keyof BeatFilters;
  clause: Clause;
}

const fieldOf = {
  bpm: "bpm",
  priceCents: "price",
  durationSeconds: "duration",
  createdAtMicroseconds: "created",
} as const;

/** A filter without values has no matches. */
const anyOf = (field: string, values: readonly (number | string)[]): Clause => ({ terms: { [field]: values } });

const within = (field: string, { min, max }: Range): Clause => ({
  range: { [field]: { ...(min !== undefined && { gte: min }), ...(max !== undefined && { lte: max }) } },
});

const anyRange = (field: string, ranges: readonly Range[]): Clause =>
  ranges.length === 0
    ? { match_none: {} }
    : { bool: { should: ranges.map((range) => within(field, range)), minimum_should_match: 1 } };

export function filtersOf(filters: BeatFilters): Filter[] {
  const allFilters: Filter[] = [];
  const add = (name: keyof BeatFilters, clause: Clause): void => void allFilters.push({ name, clause });
  if (filters.genres) add("genres", anyOf("genre", filters.genres));
  if (filters.producers) add("producers", anyOf("producer", filters.producers));
  if (filters.keys) add("keys", anyOf("key", filters.keys));
  if (filters.tags) add("tags", anyOf("tags", filters.tags.map(foldWhole)));
  if (filters.bpm) add("bpm", anyRange(fieldOf.bpm, filters.bpm));
  for (const name of ["priceCents", "durationSeconds", "createdAtMicroseconds"] as const) {
    const range = filters[name];
    if (range) add(name, within(fieldOf[name], range));
  }
  if (filters.availableLicenses !== undefined) {
    const { availableLicenses: bits } = filters;
    add(
      "availableLicenses",
      anyOf(
        "licenses",
        [0, 1, 2, 3].filter((bit) => bits & (1 << bit)),
      ),
    );
  }
  return allFilters;
}

export const all = (clauses: readonly Clause[]): Clause => ({ bool: { filter: clauses } });
