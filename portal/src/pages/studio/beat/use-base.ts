import { useEffect, useState } from "react";
import type { OwnBeat } from "../studio-queries.ts";

/**
 * The state of the beat with which the form started. Changes contain its edit version, so that the server refuses to
 * overwrite someone else's edit. When processing ends, the state is updated, because that edit is the server's own.
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
