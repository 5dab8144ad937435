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
