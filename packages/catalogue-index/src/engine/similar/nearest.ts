import { lowerBound, type Numbers } from "../columns/arrays.ts";
import type { Bitmap } from "../columns/bitmap.ts";

/** Slots sorted by a column, between two positions of a run. */
export interface Stretch {
  slots: Uint32Array;
  /** Slots to skip. */
  holes: Bitmap | null;
  from: number;
  to: number;
}

/**
 * Visits a stretch from `aim` outward, in parts of equal values in the column. The next part is always on the side with
 * the higher `maxScore`, which falls with the distance on either side. A side ends when `visit` returns false.
 */
export function visitOutward(
  { slots, holes, from, to }: Stretch,
  column: Numbers,
  aim: number,
  maxScore: (value: number) => number,
  visit: (part: Stretch, maxScore: number) => boolean,
): void {
  const valueAt = (index: number): number => column[slots[index] as number] as number;
  const isHole = (index: number): boolean => holes?.has(slots[index] as number) ?? false;
  const stepUp = (index: number): number => {
    let next = index;
    while (next < to && isHole(next)) next++;
    return next;
  };
  const stepDown = (index: number): number => {
    let next = index;
    while (next >= from && isHole(next)) next--;
    return next;
  };
  /** Returns the first position, from `low` on, with a value of at least `value` (`orAt`: above `value`). */
  const place = (low: number, high: number, value: number, orAt: boolean): number =>
    lowerBound(low, high, (index) => {
      const probe = stepUp(index);
      return probe < high && (valueAt(probe) < value || (orAt && valueAt(probe) === value));
    });

  let up = stepUp(place(from, to, aim, false));
  let down = stepDown(up - 1);
  let maxScoreUp = up < to ? maxScore(valueAt(up)) : Number.NEGATIVE_INFINITY;
  let maxScoreDown = down >= from ? maxScore(valueAt(down)) : Number.NEGATIVE_INFINITY;
  while (maxScoreUp > Number.NEGATIVE_INFINITY || maxScoreDown > Number.NEGATIVE_INFINITY) {
    if (maxScoreUp >= maxScoreDown) {
      const value = valueAt(up);
      const next = stepUp(up + 1);
      const end = next < to && valueAt(next) === value ? place(next, to, value, true) : next;
      const goesOn = visit({ slots, holes, from: up, to: end }, maxScoreUp);
      up = stepUp(end);
      maxScoreUp = goesOn && up < to ? maxScore(valueAt(up)) : Number.NEGATIVE_INFINITY;
    } else {
      const value = valueAt(down);
      const next = stepDown(down - 1);
      const begin = next >= from && valueAt(next) === value ? place(from, next, value, false) : next + 1;
      const goesOn = visit({ slots, holes, from: begin, to: down + 1 }, maxScoreDown);
      down = stepDown(begin - 1);
      maxScoreDown = goesOn && down >= from ? maxScore(valueAt(down)) : Number.NEGATIVE_INFINITY;
    }
  }
}
