import { countBelow } from "./arrays.ts";

/** A place in the merged sequence: how many entries of the base, and how many extra slots, come before it. */
export interface Cursor {
  base: number;
  extra: number;
}

/** A sorted base with holes, and the sorted extra slots between its entries. */
interface MergedSequence {
  base: Uint32Array;
  /** Positions of the holes in the base, ascending. */
  holes: Uint32Array;
  extra: Uint32Array;
  /** For each extra slot, the number of positions of the base before it. */
  places: Uint32Array;
}

/** Visits a stretch of an array, from `first` to before `end`; returns whether to go on. */
export type VisitStretch = (slots: Uint32Array, first: number, end: number) => boolean;

/** Walks up, starting after a place. */
export function walkUp(
  { base: sorted, holes, extra: extras, places }: MergedSequence,
  from: Cursor,
  visit: VisitStretch,
): void {
  let { base, extra } = from;
  let hole = countBelow(holes, base);
  for (;;) {
    const nextHole = holes[hole] ?? sorted.length;
    const nextExtra = places[extra] ?? Number.POSITIVE_INFINITY;
    const end = Math.min(nextHole, nextExtra);
    if (end > base) {
      if (!visit(sorted, base, end)) return;
      base = end;
    }
    if (nextExtra <= base) {
      let last = extra + 1;
      while ((places[last] ?? Number.POSITIVE_INFINITY) <= base) last++;
      if (!visit(extras, extra, last)) return;
      extra = last;
    } else if (base >= sorted.length) return;
    else {
      base++;
      hole++;
    }
  }
}

/** Walks down, starting before a place. */
export function walkDown(
  { base: sorted, holes, extra: extras, places }: MergedSequence,
  from: Cursor,
  visit: VisitStretch,
): void {
  let { base, extra } = from;
  let hole = countBelow(holes, base);
  for (;;) {
    const holeEnd = hole > 0 ? (holes[hole - 1] as number) + 1 : 0;
    const nextExtra = extra > 0 ? (places[extra - 1] as number) : Number.NEGATIVE_INFINITY;
    const end = Math.max(holeEnd, nextExtra);
    if (end < base) {
      if (!visit(sorted, base - 1, end - 1)) return;
      base = end;
    }
    if (nextExtra >= base) {
      let last = extra - 1;
      while (last > 0 && (places[last - 1] as number) >= base) last--;
      if (!visit(extras, extra - 1, last - 1)) return;
      extra = last;
    } else if (base <= 0) return;
    else {
      base--;
      hole--;
    }
  }
}
