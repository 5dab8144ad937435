import type { BeatSort } from "../../query.ts";
import type { KeyColumn } from "../columns/columns.ts";

/** The order of each sort. Equal keys are ordered by id, in the same direction. */
export const sorts: Record<BeatSort, { column: KeyColumn; isDescending: boolean }> = {
  newest: { column: "createdAtMicroseconds", isDescending: true },
  popular: { column: "popularityKey", isDescending: true },
  price_asc: { column: "priceCents", isDescending: false },
  price_desc: { column: "priceCents", isDescending: true },
  bpm_asc: { column: "bpm", isDescending: false },
  bpm_desc: { column: "bpm", isDescending: true },
};
