import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import type { Database } from "../../../src/database/connect.ts";

export interface BeatRow {
  producer?: string;
  genre?: string;
  title?: string;
  tempo?: number;
  keyCode?: number;
  /** A key in any spelling. Also sets the key's code, unless `keyCode` is given. */
  key?: string;
  tags?: string[];
  priceCents?: number;
  playCount?: number;
  popularity?: number;
  createdAt?: string;
  durationSeconds?: number;
}

/** Inserts beats, with the producers and genres that they name. Returns the beats' ids in order. */
export async function insertBeats({ query }: Database, beats: readonly BeatRow[]): Promise<number[]> {
  const producers = new Map<string, number>();
  const genres = new Map<string, number>();
  const ids: number[] = [];
  for (const beat of beats) {
    const producer = beat.producer ?? "Nightowl";
    const genre = beat.genre ?? "Trap";
    const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    let userId = producers.get(producer);
    if (userId === undefined) {
      const { id } = await query
        .insertInto("users")
        .values({
          username: slug(producer),
          display_name: producer,
          is_producer: true,
        })
        .onConflict((conflict) => conflict.column("username").doUpdateSet({ display_name: producer }))
        .returning("id")
        .executeTakeFirstOrThrow();
      userId = id;
      producers.set(producer, id);
    }
    let genreId = genres.get(genre);
    if (genreId === undefined) {
      // Other processes may insert the same genre concurrently, and either of its unique names may conflict first.
      await query
        .insertInto("genres")
        .values({ name: genre, slug: slug(genre) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { id } = await query
        .selectFrom("genres")
        .select("id")
        .where("slug", "=", slug(genre))
        .executeTakeFirstOrThrow();
      genreId = id;
      genres.set(genre, id);
    }
    const title = beat.title ?? "Midnight";
    const priceCents = beat.priceCents ?? 2990;
    const { id } = await query
      .insertInto("beats")
      .values({
        user_id: userId,
        genre_id: genreId,
        title,
        tempo: beat.tempo ?? 140,
        key: parseKey(beat.key ?? "").key,
        key_code: beat.keyCode ?? parseKey(beat.key ?? "").keyCode,
        tags: beat.tags ?? [],
        duration_seconds: beat.durationSeconds ?? 0,
        price_cents: priceCents,
        premium_price_cents: priceCents * 2,
        unlimited_price_cents: priceCents * 4,
        exclusive_price_cents: priceCents * 20,
        play_count: beat.playCount ?? 0,
        popularity: beat.popularity ?? 0,
        ...(beat.createdAt !== undefined && { created_at: beat.createdAt }),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}
