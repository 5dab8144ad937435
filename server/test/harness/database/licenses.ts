import { generateKeyPairSync } from "node:crypto";
import type { TermsClause } from "@beatmarket/license-terms/terms-text.ts";
import { signJws } from "@beatmarket/signing-keys/jws.ts";
import type { Database } from "../../../src/database/connect.ts";
import type { CertificateFacts } from "../../../src/resources/licenses/certificate.ts";
import { certificateType } from "../../../src/resources/licenses/queries.ts";
import { publicUrl } from "../public-url.ts";
import type { TestDatabase } from "./driver.ts";
import { insertSoldOrder } from "./orders.ts";

const { privateKey } = generateKeyPairSync("ed25519");

/** Stores the license of a new order like `issueLicense`, but without its PDF. */
export async function insertLicense(
  database: Database,
  overrides: Partial<CertificateFacts> & { buyerId?: number } = {},
): Promise<CertificateFacts & { id: string }> {
  const facts = await insertSoldOrder(database, overrides);
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
  const id = await storeLicense(database, { orderId, claims, issuedAt: new Date("2026-11-22T19:11:00Z") });
  return { ...facts, id };
}

/**
 * Stores the license of an existing order like `issueLicense`, but without its PDF. The license's term begins at
 * `purchasedAt`, by default at the order's completion or, if it is open, at its creation.
 */
export async function issueTestLicense(database: Database, orderId: number, purchasedAt?: Date): Promise<string> {
  const order = await database.query
    .selectFrom("orders")
    .selectAll()
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  const claims = {
    iss: publicUrl,
    license_type: order.license_type,
    terms: { version: order.terms_version, sha256: "" },
    order_id: orderId,
    purchased_at: (purchasedAt ?? order.completed_at ?? order.created_at).toISOString().replace(".000Z", "Z"),
    beat: { id: order.beat_id, title: order.title },
    producer: { id: order.producer_id, name: order.producer_name },
    files: [],
  };
  return storeLicense(database, { orderId, claims, issuedAt: order.created_at });
}

/** Like `issueTestLicense`, but under terms that keep the prices of the day of purchase for upgrades. */
export async function issueKeepingPrices(database: TestDatabase, orderId: number): Promise<string> {
  const { driver } = database;
  const [order] = await driver<{ terms_version: string }[]>`select terms_version from orders where id = ${orderId}`;
  const version = "keeps prices";
  const clause = { name: "upgrade_price", text: "Upgrades cost the price of this day.", value: "purchase" } as const;
  await recordTermsWith(database, { baseVersion: order?.terms_version ?? "", version, clause });
  await driver`update orders set terms_version = ${version} where id = ${orderId}`;
  return issueTestLicense(database, orderId);
}

/** Records terms like those of another version, in which this clause replaces the one of the same name. */
export async function recordTermsWith(
  { driver }: TestDatabase,
  { baseVersion, version, clause }: { baseVersion: string; version: string; clause: TermsClause },
): Promise<void> {
  await driver`insert into license_terms (version, license_type, title, text, template, limits, clauses, recorded_at)
    select ${version}, license_type, title, text, template, limits,
      jsonb_path_query_array(clauses, '$[*] ? (@.name != $name)', jsonb_build_object('name', ${clause.name}::text))
        || ${JSON.stringify([clause])}::text::jsonb, recorded_at
    from license_terms where version = ${baseVersion} on conflict do nothing`;
}

interface StoredLicense {
  orderId: number;
  claims: object;
  issuedAt: Date;
}

async function storeLicense({ query: db }: Database, { orderId, claims, issuedAt }: StoredLicense): Promise<string> {
  const pdf = { sha256: "ef".repeat(32), bytes: 3 };
  await db
    .insertInto("stored_objects")
    .values({ ...pdf, touched_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const jws = signJws(claims, { kid: "k", privateKey }, certificateType);
  const { id } = await db
    .insertInto("licenses")
    .values({ order_id: orderId, jws, pdf_sha256: pdf.sha256, pdf_bytes: pdf.bytes, issued_at: issuedAt })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
