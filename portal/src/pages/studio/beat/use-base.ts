import { useEffect, useState } from "react";
import type { OwnBeat } from "../studio-queries.ts";

/**
 * The state of the beat that the form started from, whose edit version a change names. What someone else changes in the
 * meantime does not move it, so that the server refuses to overwrite that. The end of processing does: it is the
 * service's own edit.
 */
export function useBase(live: OwnBeat, onProcessed: (live: OwnBeat) => void): [OwnBeat, (base: OwnBeat) => void] {
  const [base, setBase] = useState(live);
  const isProcessed =
    live.edit_version !== base.edit_version && base.beat.status === "processing" && live.beat.status !== "processing";
  useEffect(() => {
    if (!isProcessed) return;
    setBase(live);
    onProcessed(live);
  }, [isProcessed, live, onProcessed]);
  return [base, setBase];
}
