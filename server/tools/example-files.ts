import type { Queryable } from "../src/database/connect.ts";
import type { CertificateClaims } from "../src/resources/licenses/queries.ts";
import { publicUrl } from "./contract.ts";

const files = {
  master: { sha256: "9a0c51e7".repeat(8), bytes: 32_987_654 },
  mp3: { sha256: "4be20d93".repeat(8), bytes: 7_481_390 },
  wav: { sha256: "c8f17a26".repeat(8), bytes: 32_987_044 },
  license: { sha256: "705de8b4".repeat(8), bytes: 48_213 },
};
const licenseId = "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60";

/** Inserts the files of an order for the examples: the recording, the renditions, and the issued license. */
export async function insertExampleFiles(db: Queryable, orderId: number, at: Date): Promise<void> {
  await db
    .insertInto("stored_objects")
    .values(Object.values(files).map((file) => ({ ...file, state: "stored", touched_at: at })))
    .execute();
  const order = await db
    .updateTable("orders")
    .set({ master_sha256: files.master.sha256 })
    .where("id", "=", orderId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto("renditions")
    .values([
      { master_sha256: files.master.sha256, kind: "mp3", ...files.mp3, content_type: "audio/mpeg" },
      { master_sha256: files.master.sha256, kind: "wav", ...files.wav, content_type: "audio/wav" },
    ])
    .execute();
  const claims: CertificateClaims = {
    iss: publicUrl,
    iat: at.getTime() / 1_000,
    jti: licenseId,
    license_type: "basic",
    terms: { version: order.terms_version ?? "", sha256: "1d6e93fa".repeat(8) },
    order_id: orderId,
    purchased_at: at.toISOString(),
    beat: { id: order.beat_id, title: order.title },
    producer: { id: order.producer_id, name: order.producer_name },
    files: [{ kind: "mp3", filename: `${order.producer_name} - ${order.title} (basic).mp3`, ...files.mp3 }],
  };
  await db
    .insertInto("licenses")
    .values({
      id: licenseId,
      order_id: orderId,
      jws: [{ alg: "EdDSA", kid: "an-example", typ: "license+jwt" }, claims, "a signature"].map(encoded).join("."),
      pdf_sha256: files.license.sha256,
      pdf_bytes: files.license.bytes,
      issued_at: at,
    })
    .execute();
}

const encoded = (part: object | string): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
