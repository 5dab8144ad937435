import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeWav } from "@beatmarket/audio/synthesizer/encode-wav.ts";
import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { TestEventCall } from "../../../resources/sandboxes/control.ts";
import { uploadStore } from "../../../resources/uploads/upload-store.ts";
import type { EventType } from "../../../resources/webhooks/event-types.ts";
import type { Chain, TriggerParts } from "./parts.ts";

/**
 * Events of uploads. The file is analysed like that of any other upload, and the end of the analysis emits the event.
 */
export const uploadChains = {
  "upload.ready": async (parts, call) => ({ uploadId: await upload(parts, call, tone()) }),
  "upload.rejected": async (parts, call) => ({ uploadId: await upload(parts, call, noAudio) }),
} as const satisfies Partial<Record<EventType, Chain>>;

export const noAudio = Buffer.from("This is no audio.");

/** Uploads a file of the account in one part. Returns the id of the upload. */
async function upload(parts: TriggerParts, call: TestEventCall, content: Buffer): Promise<string> {
  return insertUpload(parts.checkout.db, parts, call, await storePart(parts, content));
}

/** Stores the bytes of an upload. */
export const storePart = ({ objects, scratch }: TriggerParts, content: Buffer): Promise<StoredFile> =>
  scratch.use(async (folder) => {
    const file = join(folder, "part");
    await writeFile(file, content);
    return objects.store(file);
  });

/** Makes an upload of stored bytes, which is analysed next. Returns its id. */
export async function insertUpload(
  db: Queryable,
  { checkout: { clock }, standardBytes }: TriggerParts,
  { caller: { userId } }: TestEventCall,
  part: StoredFile,
): Promise<string> {
  const store = uploadStore({ db, clock, standardBytes });
  const id = store.newId();
  await store.create({ id, userId, kind: "audio", filename: "test-event.wav", bytes: part.bytes });
  await store.appendPart(await store.find(userId, id), part);
  return id;
}

const sampleRate = 44_100;
const seconds = 6;

/** A WAV file with clicks at 120 BPM over a tone, long enough to be analysed. */
export function tone(): Buffer {
  const samples = Float32Array.from({ length: sampleRate * seconds }, (_, at) => {
    const sinceBeat = (at % (sampleRate / 2)) / sampleRate;
    const click = Math.sin(2 * Math.PI * 60 * sinceBeat) * Math.exp(-20 * sinceBeat);
    return 0.6 * click + 0.1 * Math.sin((2 * Math.PI * 220 * at) / sampleRate);
  });
  return encodeWav(samples, samples, sampleRate);
}
