import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";

/** The slug that identifies a genre: "Hip-Hop" and "hip hop" are the same genre. */
function genreSlug(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .normalize("NFC");
  return slug === "" ? `genre-${createHash("sha256").update(name).digest("hex").slice(0, 8)}` : slug;
}

/** The ids of genres by their names; those that are not there yet are made. Safe beside others who do the same. */
export async function upsertGenres(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const sorted = names.toSorted();
  const slugs = sorted.map(genreSlug);
  await sql`
    insert into genres (name, slug)
    select name, slug from unnest(${sorted}::text[], ${slugs}::text[]) as given (name, slug)
    where not exists (select from genres g where g.slug = given.slug)
    order by slug
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ name: string; id: number }>`
    select distinct on (given.name) given.name, g.id
    from unnest(${sorted}::text[], ${slugs}::text[]) as given (name, slug)
    join genres g on g.slug = given.slug or lower(g.name) = lower(given.name)
    order by given.name, g.slug <> given.slug`.execute(db);
  return new Map(rows.map(({ name, id }) => [name, id]));
}
