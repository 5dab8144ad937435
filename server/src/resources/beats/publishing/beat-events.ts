import type { NewEvent } from "../../webhooks/events/outbox.ts";
import type { BeatDetail } from "../beat.ts";
import { beatDetailReference, beatReference } from "../reference.ts";
import type { SingleBeat } from "./production.ts";

// The events of a beat, by the presenters of the API (docs/api/events.md, Event types). Pure.

export const beatCreated = (
  beat: BeatDetail,
  publicUrl: string,
  at: Date,
  requestId: string | null = null,
): NewEvent => ({
  type: "beat.created",
  data: beatReference(beat, { publicUrl }),
  at,
  audience: "everyone",
  requestId,
});

/** `changed`: names of fields, as `changedFields` has them, or `available`. */
export const beatUpdated = (
  beat: BeatDetail,
  changed: readonly string[],
  publicUrl: string,
  at: Date,
  requestId: string | null = null,
): NewEvent => ({
  type: "beat.updated",
  data: { ...beatReference(beat, { publicUrl }), changed },
  at,
  audience: "everyone",
  requestId,
});

export const publishingFailed = (beat: SingleBeat, reason: string, at: Date): NewEvent => ({
  type: "beat.publishing_failed",
  data: publishingFailureReference(beat, reason),
  at,
  audience: [beat.user_id],
});

/** `data` of a beat.publishing_failed event. */
export const publishingFailureReference = (
  { id, title, user_id, is_listed }: Pick<BeatDetail, "id" | "title" | "user_id" | "is_listed">,
  reason: string,
) => ({ beat_id: id, title, producer_id: user_id, is_on_sale: is_listed, reason });

/** The names of the fields whose value in the response of a single beat differs. */
export function changedFields(before: SingleBeat, after: SingleBeat, publicUrl: string): string[] {
  const context = { publicUrl, path: "", query: "" };
  const was: Record<string, unknown> = beatDetailReference(before, context).beat;
  return Object.entries(beatDetailReference(after, context).beat)
    .filter(([name, value]) => name !== "updated_at" && JSON.stringify(value) !== JSON.stringify(was[name]))
    .map(([name]) => name);
}
