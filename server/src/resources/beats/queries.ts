import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import type { BeatDetail } from "./beat.ts";

const detailColumns = [
  "beats.id",
  "beats.title",
  "beats.user_id",
  "users.display_name as producer_name",
  "beats.genre_id",
  "genres.name as genre_name",
  "genres.slug as genre_slug",
  "beats.price_cents",
  "beats.duration_seconds",
  "beats.tempo",
  "beats.key",
  "beats.audio_url",
  "beats.cover_image",
  "beats.created_at",
  "beats.play_count",
  "beats.download_count",
  "beats.description",
  "beats.tags",
  "beats.premium_price_cents",
  "beats.unlimited_price_cents",
  "beats.exclusive_price_cents",
  "beats.is_listed",
  "beats.exclusive_state",
  "beats.updated_at",
] as const;

const selectDetails = (db: Queryable) =>
  db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(detailColumns)
    .$narrowType<Pick<BeatDetail, "exclusive_state">>();

/** The beats of these ids with all details, by id and in the order of the ids. Ids nobody has are left out. */
export async function findBeatDetails(db: Queryable, ids: number[]): Promise<Map<number, BeatDetail>> {
  if (ids.length === 0) return new Map();
  const beats = await selectDetails(db)
    .where("beats.id", "=", sql<number>`any(${ids}::bigint[])`)
    .orderBy("beats.id")
    .execute();
  return new Map(beats.map((beat) => [beat.id, beat]));
}
