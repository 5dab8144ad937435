import type { Queryable } from "../../database/connect.ts";

/** Adds genres that are not there yet; answers the id of each name. */
export async function insertGenres(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .insertInto("genres")
    .values(names.map((name) => ({ name, slug: genreSlug(name) })))
    .returning(["id", "name"])
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

const genreSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
