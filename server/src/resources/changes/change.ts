import type { SingleBeat } from "../beats/production.ts";

export const changeTypes = ["published", "updated", "sold", "withdrawn"] as const;
export type ChangeType = (typeof changeTypes)[number];

/** A change of a listed beat, at its place in the order of commits. */
export interface ChangeEntry {
  position: number;
  type: ChangeType;
  beatId: number;
}

/** A change with the beat as it is now, which may be newer; null when it is withdrawn. */
export interface Change extends ChangeEntry {
  beat: SingleBeat | null;
}

/** A page of the stream. `next` is the position to go on from. */
export interface Changes {
  changes: Change[];
  next: number;
}
