import { createHash } from "node:crypto";
import type { Database, Queryable } from "../../../src/database/connect.ts";
import {
  type Analysis,
  newUploadId,
  type UploadKind,
  type UploadStatus,
} from "../../../src/resources/uploads/upload.ts";

/** The default result of an upload's analysis. */
export const analysisOfTests: Analysis = {
  bpm: 92.5,
  bpm_confidence: 0.9,
  bpm_alternative: 185,
  key: "A minor",
  key_confidence: 0.8,
  key_alternative: "C major",
  duration: 184,
  format: "wav",
  sample_rate: 44_100,
  channels: 2,
  loudness_lufs: -9.5,
  true_peak_dbtp: -0.3,
  clipped_samples: 0,
  silence_start: 0,
  silence_end: 1.5,
};

export interface UploadOfTest {
  id?: string;
  userId: number;
  kind?: UploadKind;
  status?: UploadStatus;
  analysis?: Analysis | null;
  /** The bytes of the upload. Only their hash matters. By default each upload has different bytes. */
  content?: string;
  rejection?: string;
  createdAt?: Date;
}

/** Inserts an upload whose bytes have arrived, without storing a file. Returns its id. */
export async function insertUpload({ query: db }: Pick<Database, "query">, upload: UploadOfTest): Promise<string> {
  const { id = newUploadId(), userId, kind = "audio", status = "ready", createdAt = new Date() } = upload;
  await db
    .insertInto("uploads")
    .values({
      id,
      user_id: userId,
      kind,
      filename: `${kind}.bin`,
      bytes: 1_000,
      received: 1_000,
      status: "analysing",
      created_at: createdAt,
      expires_at: new Date(createdAt.getTime() + 86_400_000),
    })
    .execute();
  await settleUpload(db, { ...upload, id, kind, status });
  return id;
}

/** Completes the analysis of an upload, without reading a file. */
export async function settleUpload(
  db: Queryable,
  upload: Omit<UploadOfTest, "userId" | "id"> & { id: string },
): Promise<void> {
  const { id, kind = "audio", status = "ready", content = id, rejection = "It is silent." } = upload;
  const analysis = upload.analysis === undefined ? analysisOfTests : upload.analysis;
  if (status === "ready") {
    const derived = { audio: ["waveform", "waveform-detail"], cover: ["cover"], stems: [] };
    for (const name of ["original", ...derived[kind]]) {
      const file = await insertObject(db, name === "original" ? content : `${name} of ${content}`);
      await db
        .insertInto("upload_files")
        .values({ upload_id: id, name, ...file, content_type: "application/octet-stream" })
        .execute();
    }
  }
  await db
    .updateTable("uploads")
    .set({
      status,
      ...(status === "rejected" && { rejection }),
      ...(status === "ready" && kind === "audio" && { analysis: analysis === null ? null : JSON.stringify(analysis) }),
    })
    .where("id", "=", id)
    .execute();
}

/** Inserts the row of a stored object. */
export async function insertObject(db: Queryable, content: string): Promise<{ sha256: string; bytes: number }> {
  const sha256 = createHash("sha256").update(content).digest("hex");
  await db
    .insertInto("stored_objects")
    .values({ sha256, bytes: content.length, state: "stored", touched_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { sha256, bytes: content.length };
}
