import type { BeatFilters, FacetName, Facets } from "../../query.ts";
import type { Beats } from "../beats.ts";
import type { Bitmap } from "../columns/bitmap.ts";
import { type Counter, counterOf, type Selection } from "./facet-counters.ts";
import type { Filtered, Filters } from "./filters.ts";

/** Each facet's own filter, which does not apply to it. */
const ownFilter = {
  genre: "genres",
  key: "keys",
  bpm: "bpm",
  price: "priceCents",
  tag: "tags",
} as const satisfies Record<FacetName, keyof BeatFilters>;

/**
 * Exact counts of values among the beats that pass all filters except the facet's own. `within`: only among the beats
 * that a search found. Values without a beat are left out. O(matches), or O(the other beats) if those are fewer; facets
 * without a filter of their own are counted in one pass.
 */
export function facetsOf(
  beats: Beats,
  filters: Filters,
  filtered: Filtered,
  names: readonly FacetName[],
  within: Within | null = null,
): Facets {
  const counters = new Map<FacetName, Counter>();
  for (const [own, together] of Map.groupBy(
    new Set(names),
    (name) => filtered.has(ownFilter[name]) && ownFilter[name],
  )) {
    const selection = select(
      beats,
      filters,
      own === false ? filters.combine(filtered) : filters.combine(filtered, own),
      within,
    );
    const counting = together.map((name) => counterOf[name](beats, selection));
    for (const [index, name] of together.entries()) counters.set(name, counting[index] as Counter);
    selection.visited?.forEachBlock((slots, count) => {
      for (const counter of counting) counter.count(slots, count);
    });
  }
  return Object.fromEntries(names.map((name) => [name, counters.get(name)?.result()]));
}

/** The result of a search. Of the copies of one recording, only the best that passes the filters counts. */
interface Within {
  found: Bitmap;
  copiesIn: (matches: Bitmap) => Uint32Array;
}

/** `filtered`: the beats that pass the filters that apply; null without a filter. */
function select(beats: Beats, filters: Filters, filtered: Bitmap | null, within: Within | null): Selection {
  const { columns } = beats;
  const matches = within === null ? filtered : recordings(filters, filtered, within);
  if (matches === null) return { matches, total: columns.beats, visited: null, isComplement: true };
  const total = matches.count();
  if (total * 2 <= columns.beats) return { matches, total, visited: matches, isComplement: false };
  return { matches, total, visited: filters.scratch().copy(columns.listed).andNot(matches), isComplement: true };
}

function recordings(filters: Filters, filtered: Bitmap | null, { found, copiesIn }: Within): Bitmap {
  const matches = filters.scratch().copy(found);
  if (filtered !== null) matches.and(filtered);
  for (const copy of copiesIn(matches)) matches.delete(copy);
  return matches;
}
