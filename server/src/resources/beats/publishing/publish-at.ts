import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { queueMails } from "../../mails/outbox.ts";
import { producersOf } from "../../users/producers.ts";
import type { SingleBeat } from "../production.ts";
import { statusOf } from "../state.ts";
import type { PublishingContext } from "./own-beats.ts";

// The time at which a beat is published automatically (docs/publishing.md, Publish at a moment).

/**
 * Ends the schedule of a beat that could not be published at its time, and mails the reason to its producer. Does
 * nothing for a beat without a schedule.
 */
export async function endSchedule(
  transaction: Queryable,
  { clock, publicUrl }: Pick<PublishingContext, "clock" | "publicUrl">,
  { id, title, user_id, production }: SingleBeat,
  reason: string,
): Promise<void> {
  if (production?.publish_at == null) return;
  await transaction
    .updateTable("beat_productions")
    .set({ publish_at: null, rejection: reason, version: sql`version + 1` })
    .where("beat_id", "=", id)
    .execute();
  const facts = {
    beat: String(id),
    title,
    reason,
    at: { moment: new Date(production.publish_at).toISOString() },
    link: `${publicUrl}/portal/studio/beats/${id}`,
  };
  const mails = (await producersOf(transaction, user_id)).map((reader) => ({
    ...reader,
    template: "not-published" as const,
    facts,
  }));
  await queueMails(transaction, mails, new Date(clock.nowMs()));
}

const maxAheadMs = 2 * 366 * 86_400_000;

/**
 * Reads the `publish_at` of a body; returns null or undefined as it is. Throws 400 for a time that is not in the future
 * or is more than two years ahead, and for a time together with the status `published`.
 */
export function readPublishAt(
  text: string | null | undefined,
  status: string | undefined,
  nowMs: number,
): Date | null | undefined {
  if (text === undefined || text === null) return text;
  if (status === "published")
    throw invalidRequest(
      "The publish_at field cannot be sent together with status published: the beat is published now, or then.",
      "publish_at",
    );
  const atMs = Date.parse(text);
  if (!(atMs > nowMs))
    throw invalidRequest(
      `The publish_at field must be in the future; it is ${timestamp(new Date(nowMs))} now.`,
      "publish_at",
    );
  if (atMs - nowMs > maxAheadMs) throw invalidRequest("The publish_at field must be within two years.", "publish_at");
  return new Date(atMs);
}

/** Throws 409 for a beat that is on sale, being published or taken down. */
export function requireSchedulable(beat: SingleBeat): void {
  const status = statusOf(beat);
  if (beat.is_taken_down)
    throw conflict(`Beat ${beat.id} was taken down by the operator of this marketplace, so it cannot be published.`);
  if (status === "published" || status === "processing")
    throw conflict(
      `Beat ${beat.id} is ${status === "published" ? "on sale" : "being published"}, so publish_at is too late; withdraw it first.`,
    );
}
