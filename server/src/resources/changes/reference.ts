import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import { beatDetailReference } from "../beats/reference.ts";
import type { Changes } from "./change.ts";

/** Changes in the reference form (docs/api/changes.md). */
export const changesReference = ({ changes, next }: Changes, context: PresenterContext) => ({
  changes: changes.map(({ position, type, beatId, beat }) => ({
    position,
    type,
    beat_id: beatId,
    beat: beat && beatDetailReference(beat, context).beat,
  })),
  next,
});
