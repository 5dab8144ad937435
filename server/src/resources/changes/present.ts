import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { beatDetailConsole, beatDetailReference } from "../beats/present.ts";
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

/** Changes in the console form: the reference form with beats in theirs. */
export const changesConsole = ({ changes, next }: Changes, context: PresenterContext) => ({
  data: {
    changes: changes.map(({ position, type, beatId, beat }) => ({
      position,
      type,
      beat_id: beatId,
      beat: beat && beatDetailConsole(beat, context).data,
    })),
    next,
  },
});
