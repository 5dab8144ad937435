import type { Queryable } from "../../database/connect.ts";
import type { Genre } from "./genre.ts";

/** All genres by name (docs/api/genres.md, List genres). */
export const listGenres = (db: Queryable): Promise<Genre[]> =>
  db.selectFrom("genres").select(["id", "name", "slug", "beats_count"]).orderBy("name").orderBy("id").execute();
