import type { Database } from "../../../src/database/connect.ts";
import type { CertificateFacts } from "../../../src/resources/licenses/certificate.ts";
import { insertBeats } from "./catalogue.ts";

/** Inserts a completed order of `buyerId`, by default of a new account. Returns the data of the order's certificate. */
export async function insertSoldOrder(
  database: Database,
  facts: Partial<CertificateFacts> & { buyerId?: number } = {},
): Promise<CertificateFacts> {
  const { query: db } = database;
  const [beatId = 0] = await insertBeats(database, [{ title: facts.beatTitle ?? "Midnight" }]);
  const beat = await db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .select(["beats.title", "users.id as producer_id", "users.display_name"])
    .where("beats.id", "=", beatId)
    .executeTakeFirstOrThrow();
  const buyer = await db
    .insertInto("users")
    .values({ username: `buyer-${beatId}`, display_name: facts.buyerName ?? "Bonnie Buyer", is_producer: false })
    .returning(["id", "display_name"])
    .executeTakeFirstOrThrow();
  const purchasedAt = facts.purchasedAt ?? new Date("2026-11-22T19:10:00Z");
  const order = await db
    .insertInto("orders")
    .values({
      user_id: facts.buyerId ?? buyer.id,
      beat_id: beatId,
      title: beat.title,
      producer_id: facts.producerId ?? beat.producer_id,
      producer_name: beat.display_name,
      license_type: facts.licenseType ?? "basic",
      license_limits: facts.changedLimits == null ? null : JSON.stringify(facts.changedLimits),
      upgrades_license: facts.replaces ?? null,
      amount_cents: 2990,
      currency: "USD",
      status: "completed",
      payment_method: "pm_card_visa",
      payment_provider: "sandbox",
      payment_key: `payment-${beatId}`,
      created_at: purchasedAt,
      completed_at: purchasedAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return {
    beatTitle: beat.title,
    producerName: beat.display_name,
    buyerName: buyer.display_name,
    licenseType: "basic",
    termsVersion: "2026-11-26",
    changedLimits: null,
    purchasedAt,
    files: [{ kind: "mp3", filename: "Midnight.mp3", bytes: 8_400_000, sha256: "ab".repeat(32) }],
    ...facts,
    orderId: order.id,
    beatId,
    producerId: facts.producerId ?? beat.producer_id,
  };
}
