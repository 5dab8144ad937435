import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { searchVector } from "../../search-words.ts";
import { parseKey } from "./musical-key.ts";
import type { LicencePrices } from "./prices.ts";

export interface NewBeat extends LicencePrices {
  userId: number;
  /** As search finds the beat by it too. */
  producerName: string;
  genreId: number;
  title: string;
  description: string;
  tags: string[];
  tempo: number;
  /** In any usual spelling. */
  key: string;
  durationSeconds: number;
  playCount: number;
  downloadCount: number;
  createdAt: Date;
}

/** Adds beats in the given order; at most a few thousand at once. */
export async function insertBeats(db: Queryable, beats: readonly NewBeat[]): Promise<void> {
  await db
    .insertInto("beats")
    .values(
      beats.map((beat) => {
        const { key, keyCode } = parseKey(beat.key);
        return {
          user_id: beat.userId,
          genre_id: beat.genreId,
          title: beat.title,
          description: beat.description,
          tags: beat.tags,
          tempo: beat.tempo,
          key,
          key_code: keyCode,
          duration_seconds: beat.durationSeconds,
          price_cents: beat.priceCents,
          premium_price_cents: beat.premiumPriceCents,
          unlimited_price_cents: beat.unlimitedPriceCents,
          exclusive_price_cents: beat.exclusivePriceCents,
          play_count: beat.playCount,
          download_count: beat.downloadCount,
          created_at: beat.createdAt,
          updated_at: beat.createdAt,
          search: sql<string>`${searchVector([
            { text: beat.title, weight: "A" },
            { text: beat.producerName, weight: "B" },
          ])}::tsvector`,
        };
      }),
    )
    .execute();
}
