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
 * the higher `worth`, which falls with the distance on either side. A side ends when `visit` returns false.
 */
export function outward(
  { slots, holes, from, to }: Stretch,
  column: Numbers,
  aim: number,
  worth: (value: number) => number,
  visit: (part: Stretch, worth: number) => boolean,
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
  let upWorth = up < to ? worth(valueAt(up)) : Number.NEGATIVE_INFINITY;
  let downWorth = down >= from ? worth(valueAt(down)) : Number.NEGATIVE_INFINITY;
  while (upWorth > Number.NEGATIVE_INFINITY || downWorth > Number.NEGATIVE_INFINITY) {
    if (upWorth >= downWorth) {
      const value = valueAt(up);
      const next = stepUp(up + 1);
      const end = next < to && valueAt(next) === value ? place(next, to, value, true) : next;
      const goesOn = visit({ slots, holes, from: up, to: end }, upWorth);
      up = stepUp(end);
      upWorth = goesOn && up < to ? worth(valueAt(up)) : Number.NEGATIVE_INFINITY;
    } else {
      const value = valueAt(down);
      const next = stepDown(down - 1);
      const begin = next >= from && valueAt(next) === value ? place(from, next, value, false) : next + 1;
      const goesOn = visit({ slots, holes, from: begin, to: down + 1 }, downWorth);
      down = stepDown(begin - 1);
      downWorth = goesOn && down >= from ? worth(valueAt(down)) : Number.NEGATIVE_INFINITY;
    }
  }
}
