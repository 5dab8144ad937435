/** A value that was replaced, because it could not be read or was beyond a bound. */
export interface Repair {
  field: string;
  /** What was wrong with it: few texts, by which repairs are counted. */
  problem: string;
  given: string;
  /** What the beat has instead; null: nothing, or what is usual without the field. */
  taken: unknown;
}

/** Notes that a value was replaced. */
export type Repaired = (problem: string, given: string, taken: unknown) => void;
