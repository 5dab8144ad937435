import type { Queryable } from "../src/database/connect.ts";
import type { Analysis } from "../src/resources/uploads/upload.ts";

/** The account of the examples. */
export const buyerEmail = "buyer@beatmarket.example";
/** The upload from which the examples make a beat. */
const exampleUploadId = "upl_0000000000000000000009";

const analysis: Analysis = {
  bpm: 92,
  bpm_confidence: 0.91,
  bpm_alternative: 184,
  key: "A minor",
  key_confidence: 0.84,
  key_alternative: "C major",
  duration: 187,
  format: "wav",
  sample_rate: 44_100,
  channels: 2,
  loudness_lufs: -10.2,
  true_peak_dbtp: -0.6,
  clipped_samples: 0,
  silence_start: 0,
  silence_end: 0.8,
};

/**
 * Inserts the resources for the examples of publishing: an upload, a draft, a sold beat and a withdrawn one, in this
 * order.
 */
export async function insertExampleBeats(db: Queryable, email: string, at: Date): Promise<void> {
  const { id: userId } = await db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  const { id: genreId } = await db
    .selectFrom("genres")
    .select("id")
    .where("name", "=", "Ambient")
    .executeTakeFirstOrThrow();
  const dayBefore = new Date(at.getTime() - 86_400_000);
  await db
    .insertInto("uploads")
    .values({
      id: exampleUploadId,
      user_id: userId,
      kind: "audio",
      filename: "Harbour Lights.wav",
      bytes: 32_987_654,
      received: 32_987_654,
      status: "ready",
      analysis: JSON.stringify(analysis),
      used_at: at,
      created_at: dayBefore,
      expires_at: at,
    })
    .execute();
  const sold = { exclusive_state: "sold", exclusive_order_id: 1 };
  const wasPublished = { stage: "released", published_at: dayBefore, bpm_source: "producer" };
  for (const { title, columns, production } of [
    { title: "Harbour Dusk", columns: { tempo: 0 }, production: { audio_upload_id: exampleUploadId } },
    { title: "Harbour Noon", columns: { tempo: 120, ...sold }, production: wasPublished },
    { title: "Harbour Dawn", columns: { tempo: 84 }, production: wasPublished },
  ]) {
    const { id } = await db
      .insertInto("beats")
      .values({
        user_id: userId,
        genre_id: genreId,
        title,
        price_cents: 2_990,
        premium_price_cents: 5_999,
        unlimited_price_cents: 14_999,
        exclusive_price_cents: 59_899,
        is_listed: false,
        created_at: dayBefore,
        updated_at: dayBefore,
        ...columns,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("beat_productions")
      .values({ beat_id: id, ...production })
      .execute();
  }
}

/** Inserts two favorites, a follow and a playlist of the account. Restores those that an earlier example deleted. */
export async function insertExampleFavorites(db: Queryable, at: Date): Promise<void> {
  const { id: userId } = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", buyerEmail)
    .executeTakeFirstOrThrow();
  const id = "pl_0000000000000000000001";
  const minute = (after: number) => new Date(at.getTime() + after * 60_000);
  await db
    .insertInto("favorites")
    .values([3, 4].map((beat_id) => ({ user_id: userId, beat_id, created_at: minute(beat_id) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("follows")
    .values({ user_id: userId, producer_id: 2, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("playlists")
    .values({
      id,
      user_id: userId,
      title: "Night drives",
      description: "",
      visibility: "public",
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("playlist_beats")
    .values([1, 2].map((beat_id) => ({ playlist_id: id, beat_id, position: beat_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Inserts a sale for the examples: an account buys a beat of the examples' account before the beat is sold exclusively.
 */
export async function insertExampleSale(db: Queryable, email: string, at: Date): Promise<void> {
  const beat = await db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .select(["beats.id", "beats.title", "users.id as producer_id", "users.display_name as producer_name"])
    .where("users.email", "=", email)
    .where("beats.title", "=", "Harbour Noon")
    .executeTakeFirstOrThrow();
  const buyer = await db.selectFrom("users").select("id").orderBy("id").executeTakeFirstOrThrow();
  await db
    .insertInto("orders")
    .values({
      user_id: buyer.id,
      beat_id: beat.id,
      title: beat.title,
      producer_id: beat.producer_id,
      producer_name: beat.producer_name,
      license_type: "premium",
      amount_cents: 5_999,
      currency: "USD",
      status: "completed",
      payment_method: "pm_card_visa",
      payment_provider: "sandbox",
      payment_key: "example_sale",
      created_at: at,
      completed_at: at,
      buyer_name: "Maya Reed",
    })
    .execute();
}
