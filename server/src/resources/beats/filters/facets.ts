import type { FacetCount, Facets } from "@beatmarket/catalogue-index/query.ts";
import { keyName } from "@beatmarket/foundation/music/musical-key.ts";
import { money } from "@beatmarket/http/formats.ts";
import type { GenreName } from "../catalogue/beat-catalogue.ts";

/** Counts by value, and the names of the genres among the values. */
export interface NamedFacets {
  counts: Facets;
  genres: ReadonlyMap<number, GenreName>;
}

/** The facets of a list. They are the same in both wire forms (docs/api/beats.md, Facets). */
export function presentFacets({ counts, genres }: NamedFacets) {
  const presentEach = <Presented>(values: FacetCount[] | undefined, present: (count: FacetCount) => Presented) =>
    values?.map((value) => ({ ...present(value), count: value.count }));
  return {
    // A genre that was deleted in the meantime has no beats.
    genre: presentEach(
      counts.genre?.filter(({ value }) => genres.has(Number(value))),
      ({ value }) => ({ value: { id: Number(value), name: genres.get(Number(value))?.name } }),
    ),
    key: presentEach(counts.key, ({ value }) => ({ value: keyName(Number(value)) })),
    // The first range begins at 0, but the lowest tempo is 1.
    bpm: presentEach(counts.bpm, ({ value, max }) => ({ value: Math.max(1, Number(value)), max })),
    price: presentEach(counts.price, ({ value, max = 0 }) => ({ value: money(Number(value)), max: money(max) })),
    tag: presentEach(counts.tag, ({ value }) => ({ value })),
  };
}
