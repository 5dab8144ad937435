import { createHash, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mediaFolder } from "@beatmarket/audio/testing/files.ts";
import type { StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../src/database/connect.ts";

/** Stores bytes as an object. */
export async function storeBytes(objects: Pick<StoredObjects, "store">, bytes: Buffer | string): Promise<StoredFile> {
  const file = join(await mediaFolder(), "object");
  await writeFile(file, bytes);
  return objects.store(file);
}

/** Replaces the files of a beat by a master and, if given, stems. */
export async function attachRecording(
  db: Queryable,
  beatId: number,
  {
    master,
    stems,
    contentType = "audio/wav",
  }: {
    master: StoredFile;
    stems?: StoredFile;
    /** The content type of the master. */
    contentType?: string;
  },
): Promise<void> {
  await db.deleteFrom("beat_files").where("beat_id", "=", beatId).execute();
  const file = (name: string, stored: StoredFile, content_type: string) => ({
    beat_id: beatId,
    name,
    ...stored,
    content_type,
  });
  await db
    .insertInto("beat_files")
    .values([
      file("master", master, contentType),
      ...(stems === undefined ? [] : [file("stems", stems, "application/zip")]),
    ])
    .execute();
}

/** Inserts the results of the renditions job for a master, without decoding anything. */
export const insertRenditions = (
  db: Queryable,
  { sha256 }: StoredFile,
  { mp3, wav, lossyMp3 }: { mp3: StoredFile; wav: StoredFile; lossyMp3?: StoredFile },
) =>
  db
    .insertInto("renditions")
    .values([
      { master_sha256: sha256, kind: "mp3", ...mp3, content_type: "audio/mpeg" },
      { master_sha256: sha256, kind: "wav", ...wav, content_type: "audio/wav" },
      ...(lossyMp3 === undefined
        ? []
        : [{ master_sha256: sha256, kind: "lossy_mp3", ...lossyMp3, content_type: "audio/mpeg" }]),
    ])
    .execute();

/** Inserts an issued license. `pdf` is its certificate. Returns its id. */
export async function insertLicense(db: Queryable, orderId: number, pdf: StoredFile): Promise<string> {
  const id = randomUUID();
  const claims = Buffer.from(JSON.stringify({ license_type: "basic", terms: { version: "1" }, jti: id })).toString(
    "base64url",
  );
  await db
    .insertInto("licenses")
    .values({
      id,
      order_id: orderId,
      jws: `e30.${claims}.AA`,
      pdf_sha256: pdf.sha256,
      pdf_bytes: pdf.bytes,
      issued_at: new Date(),
    })
    .execute();
  return id;
}

/** Marks an order as refunded, like a real refund. */
export const refundInFull = (db: Queryable, orderId: number) =>
  db
    .updateTable("orders")
    .set({ refunded_cents: sql<number>`amount_cents`, refunded_at: new Date() })
    .where("id", "=", orderId)
    .execute();

export const sha256Of = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
