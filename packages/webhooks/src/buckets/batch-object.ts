import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { NewObject } from "@beatmarket/storage/signed-put.ts";
import type { EventRules } from "../event-rules.ts";
import { bodySignature } from "../signature.ts";

const compress = promisify(gzip);

/** An event of a batch: its stored payload, and the version of the body that the bucket receives. */
export interface BatchEvent {
  eventId: string;
  payload: string;
  version: string;
}

/**
 * The object of a batch (docs/buckets.md, Objects): a line for each event, in the order of the events, compressed. Two
 * batches have the same key only if they have the same events and are written in the same minute, so writing a batch
 * never overwrites another event. `current` and `previous` are the endpoint's secrets, which sign the object.
 */
export async function batchObject(
  batch: readonly BatchEvent[],
  [current, previous]: readonly [current: string, previous?: string],
  time: Date,
  { bodyOf }: Pick<EventRules, "bodyOf">,
): Promise<NewObject> {
  const events = batch.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const lines = events.map(({ payload, version }) => `${bodyOf(payload, version)}\n`);
  const bytes = await compress(lines.join(""));
  const ids = events.map(({ eventId }) => eventId);
  return {
    key: objectKey(ids, time),
    bytes,
    contentType: "application/gzip",
    metadata: {
      events: String(events.length),
      "webhook-signature": bodySignature(bytes, current),
      ...(previous !== undefined && { "webhook-signature-previous": bodySignature(bytes, previous) }),
    },
  };
}

function objectKey(ids: readonly string[], moment: Date): string {
  const [day = "", time = ""] = moment.toISOString().split("T");
  const digest = createHash("sha256").update(ids.join()).digest("hex").slice(0, 8);
  return `${day.replaceAll("-", "/")}/${time.slice(0, 5).replace(":", "-")}-${ids[0]}-${digest}.jsonl.gz`;
}
