import { generateKeyPairSync } from "node:crypto";
import type { Database } from "../../../src/database/connect.ts";
import type { CertificateFacts } from "../../../src/resources/licenses/certificate.ts";
import { signJws } from "../../../src/resources/licenses/signing/jws.ts";
import { publicUrl } from "../api.ts";
import { insertSoldOrder } from "./orders.ts";

const { privateKey } = generateKeyPairSync("ed25519");

/** A license as `issueLicense` stores it, of a new order, without its PDF. */
export async function insertLicense(
  database: Database,
  over: Partial<CertificateFacts> & { buyerId?: number } = {},
): Promise<CertificateFacts & { id: string }> {
  const { query: db } = database;
  const facts = await insertSoldOrder(database, over);
  const { orderId, beatId, beatTitle, producerId, producerName, licenseType, purchasedAt, files } = facts;
  const claims = {
    iss: publicUrl,
    license_type: licenseType,
    terms: { version: facts.termsVersion, sha256: "" },
    order_id: orderId,
    purchased_at: purchasedAt.toISOString().replace(".000Z", "Z"),
    beat: { id: beatId, title: beatTitle },
    producer: { id: producerId, name: producerName },
    files,
  };
  await db
    .insertInto("stored_objects")
    .values({ sha256: "ef".repeat(32), bytes: 3, touched_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await db
    .insertInto("licenses")
    .values({
      order_id: orderId,
      jws: signJws(claims, { kid: "k", privateKey }),
      pdf_sha256: "ef".repeat(32),
      pdf_bytes: 3,
      issued_at: new Date("2026-11-22T19:11:00Z"),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { ...facts, id };
}

/** A license as `issueLicense` stores it, of an order that a test has bought, without its PDF. */
export async function issueTestLicense({ query: db }: Database, orderId: number): Promise<string> {
  const order = await db.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow();
  const claims = {
    iss: publicUrl,
    license_type: order.license_type,
    terms: { version: order.terms_version, sha256: "" },
    order_id: orderId,
    purchased_at: (order.completed_at ?? order.created_at).toISOString().replace(".000Z", "Z"),
    beat: { id: order.beat_id, title: order.title },
    producer: { id: order.producer_id, name: order.producer_name },
    files: [],
  };
  await db
    .insertInto("stored_objects")
    .values({ sha256: "ef".repeat(32), bytes: 3, touched_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await db
    .insertInto("licenses")
    .values({
      order_id: orderId,
      jws: signJws(claims, { kid: "k", privateKey }),
      pdf_sha256: "ef".repeat(32),
      pdf_bytes: 3,
      issued_at: order.created_at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
