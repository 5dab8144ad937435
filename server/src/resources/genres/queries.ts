import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { foldedGenreSlug, genreSlug } from "./slug.ts";

/** Genres that an earlier release made one, or would have. */
export interface MergedGenres {
  genres: { id: number; name: string; slug: string; beats_count: number }[];
  /** The genre that may still have beats of names that are genres of their own now. */
  may_hold_others: number;
}

/**
 * Groups of genres that differ only in what earlier releases left out of a slug, and genres with a slug of that time. The
 * oldest of each group was all of them.
 */
export async function findMergedGenres(db: Queryable): Promise<MergedGenres[]> {
  const genres = await db.selectFrom("genres").select(["id", "name", "slug", "beats_count"]).orderBy("id").execute();
  const byFoldedSlug = Map.groupBy(genres, ({ name }) => foldedGenreSlug(name));
  return Array.from(byFoldedSlug.values())
    .filter((group) => group.length > 1 || group.some(({ name }) => genreSlug(name) !== foldedGenreSlug(name)))
    .map((group) => ({ genres: group, may_hold_others: group[0]?.id ?? 0 }));
}

/** Deletes the genres that have no beat any more, listed or not. Returns how many. */
export async function deleteBeatlessGenres(db: Queryable): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from genres where beats_count = 0 and not exists (select from beats where genre_id = genres.id)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A genre and the number of listed beats in it. */
export interface Genre {
  id: number;
  name: string;
  slug: string;
  beats_count: number;
}

/** All genres by name (docs/api/genres.md, List genres). */
export const listGenres = (db: Queryable): Promise<Genre[]> =>
  db.selectFrom("genres").select(["id", "name", "slug", "beats_count"]).orderBy("name").orderBy("id").execute();
