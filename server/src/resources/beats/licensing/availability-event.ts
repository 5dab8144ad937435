import type { Queryable } from "../../../database/connect.ts";
import type { NewEvent } from "../../webhooks/events/outbox.ts";
import { beatUpdated } from "../beat-events.ts";
import { findSingleBeats } from "../queries.ts";

/** The event that tells every subscriber whether a beat is for sale now, and not who bought it. */
export async function availabilityEvent(
  transaction: Queryable,
  beatId: number,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<NewEvent[]> {
  const beats = await findSingleBeats(transaction, [beatId]);
  return [...beats.values()].map((beat) => beatUpdated(beat, ["licenses", "available"], publicUrl, now));
}
