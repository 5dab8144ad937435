import { timestamp } from "@beatmarket/http/formats.ts";
import type { NewEvent } from "../webhooks/outbox.ts";
import type { BeatDetail } from "./beat.ts";
import { beatDetailReference, beatReference } from "./present.ts";
import type { SingleBeat } from "./production.ts";

// The events of a beat. Their data comes from the presenters of the API (docs/api/events.md, Event types). Pure.

export const beatCreated = (
  beat: BeatDetail,
  publicUrl: string,
  time: Date,
  requestId: string | null = null,
): NewEvent => ({
  type: "beat.created",
  data: beatReference(beat, { publicUrl }),
  at: time,
  audience: "everyone",
  requestId,
});

/** `data` of beat.updated: the public response of a single beat without `updated_at`, and whether it is for sale. */
const updatedData = (beat: SingleBeat, publicUrl: string) => {
  const { updated_at, ...data } = beatDetailReference(beat, { publicUrl, path: "", query: "" }).beat;
  return { ...data, available: data.licenses.some(({ available }) => available) };
};

/** `changedNames`: names of fields of the event's data, from `changedFields`. */
export const beatUpdated = (
  beat: SingleBeat,
  changedNames: readonly string[],
  publicUrl: string,
  time: Date,
  requestId: string | null = null,
): NewEvent => ({
  type: "beat.updated",
  data: { ...updatedData(beat, publicUrl), changed: changedNames },
  at: time,
  audience: "everyone",
  requestId,
});

/** The event for a withdrawal. Every subscriber gets it, because all of them have to remove the beat. */
export const beatWithdrawn = (beat: BeatDetail, time: Date, requestId: string | null = null): NewEvent => ({
  type: "beat.withdrawn",
  data: withdrawalReference(beat, time),
  at: time,
  audience: "everyone",
  requestId,
});

type NamedBeat = Pick<BeatDetail, "id" | "title" | "user_id" | "producer_name">;

const nameOf = ({ id, title, user_id, producer_name }: NamedBeat) => ({
  beat_id: id,
  title,
  producer_id: user_id,
  producer_name,
});

/** `data` of a beat.withdrawn event. */
export const withdrawalReference = (beat: NamedBeat, time: Date) => ({
  ...nameOf(beat),
  withdrawn_at: timestamp(time),
});

/** Sent in addition to `beat.withdrawn`, so that subscribers can tell a takedown from a withdrawal by the producer. */
export const beatTakenDown = (beat: BeatDetail, time: Date): NewEvent => ({
  type: "beat.taken_down",
  data: takedownReference(beat, time),
  at: time,
  audience: "everyone",
});

/** `data` of a beat.taken_down event. The reason is omitted: it concerns only the operator and the producer. */
export const takedownReference = (beat: NamedBeat, time: Date) => ({ ...nameOf(beat), taken_down_at: timestamp(time) });

export const beatSoldExclusively = (beat: BeatDetail, time: Date): NewEvent => ({
  type: "beat.sold_exclusively",
  data: exclusiveSaleReference(beat, time),
  at: time,
  audience: "everyone",
});

/** `data` of a beat.sold_exclusively event. The buyer is omitted: only the producer may know who bought. */
export const exclusiveSaleReference = (beat: NamedBeat, time: Date) => ({ ...nameOf(beat), sold_at: timestamp(time) });

export const publishingFailed = (beat: SingleBeat, reason: string, time: Date): NewEvent => ({
  type: "beat.publishing_failed",
  data: publishingFailureReference(beat, reason),
  at: time,
  audience: [beat.user_id],
});

/** `data` of a beat.publishing_failed event. */
export const publishingFailureReference = (
  { id, title, user_id, is_listed }: Pick<BeatDetail, "id" | "title" | "user_id" | "is_listed">,
  reason: string,
) => ({ beat_id: id, title, producer_id: user_id, is_on_sale: is_listed, reason });

/** The names of the fields of beat.updated whose values differ. */
export function changedFields(before: SingleBeat, after: SingleBeat, publicUrl: string): string[] {
  const oldValues: Record<string, unknown> = updatedData(before, publicUrl);
  return Object.entries(updatedData(after, publicUrl))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(oldValues[name]))
    .map(([name]) => name);
}
