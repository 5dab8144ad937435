import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { changeBeat } from "../../../resources/beats/publishing/change-beat.ts";
import { createBeat } from "../../../resources/beats/publishing/create-beat.ts";
import { withdrawBeat } from "../../../resources/beats/publishing/withdraw-beat.ts";
import { listGenres } from "../../../resources/genres/genres.ts";
import type { TestEventCall } from "../../../resources/sandboxes/control.ts";
import { takeDownBeat } from "../../../resources/takedowns/take-down.ts";
import type { EventType } from "../../../resources/webhooks/event-types.ts";
import { beatOfOthers, type Chain, nowOf, type TriggerParts } from "./parts.ts";
import { insertUpload, noAudio, storePart, tone } from "./uploads.ts";

/** Events of beats. A new beat belongs to the account. Other events change a beat in the catalogue of test mode. */
export const beatChains = {
  "beat.created": async (parts, call) => publish(parts, call, tone()),
  "beat.publishing_failed": async (parts, call) => publish(parts, call, noAudio),
  "beat.updated": async (parts, call) => {
    const change = await changeOfLast(parts, call);
    await changeBeat(parts.publishing, change, { description: `Changed by the test event of ${call.requestId}.` });
    return { beatId: change.beatId };
  },
  "beat.withdrawn": async (parts, call) => {
    const change = await changeOfLast(parts, call);
    await withdrawBeat(parts.publishing, change);
    return { beatId: change.beatId };
  },
  "beat.taken_down": async (parts, call) => {
    const { beatId } = await changeOfLast(parts, call);
    await takeDownBeat(parts.publishing, { beatId, reason: "A test event.", withdrawFiles: false, author: "operator" });
    return { beatId };
  },
} as const satisfies Partial<Record<EventType, Chain>>;

/** Creates a beat of the account that goes on sale as soon as its recording is processed. */
async function publish(
  parts: TriggerParts,
  call: TestEventCall,
  content: Buffer,
): Promise<{ beatId: number; uploadId: string }> {
  const { db } = parts.checkout;
  const [genre] = await listGenres(db);
  if (genre === undefined) throw conflict("There is no genre in test mode.");
  const title = `Test event ${nowOf(parts).toISOString()}`;
  const part = await storePart(parts, content);
  // One transaction, so that no analysis rejects the upload before a beat has it.
  return transact(db, async (transaction) => {
    const audio = await insertUpload(transaction, parts, call, part);
    const fields = { title, genre: genre.id, audio, price: 29.9, bpm: 120, status: "published" as const };
    const creation = { userId: call.caller.userId, run: null, fields };
    const { id } = await createBeat({ ...parts.publishing, db: transaction }, creation);
    return { beatId: id, uploadId: audio };
  });
}

/**
 * A change, by the producer, of the last beat on sale that is not the account's own. (The chains of orders buy the
 * first such beat.)
 */
async function changeOfLast(parts: TriggerParts, { caller, requestId }: TestEventCall) {
  const beat = await beatOfOthers(parts, caller.userId, "last");
  return { beatId: beat.id, userId: beat.user_id, requestId, ifMatch: undefined };
}
