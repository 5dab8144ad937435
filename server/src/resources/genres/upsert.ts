import { createHash } from "node:crypto";
import type { Sql } from "postgres";

/** The slug that identifies a genre: "Hip-Hop" and "hip hop" are the same genre. */
function genreSlug(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .normalize("NFC");
  return slug === "" ? `genre-${createHash("sha256").update(name).digest("hex").slice(0, 8)}` : slug;
}

/** Finds or creates genres; returns their ids by name. Safe with concurrent calls. */
export async function upsertGenres(sql: Sql, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const sorted = names.toSorted();
  const slugs = sorted.map(genreSlug);
  await sql`
    insert into genres (name, slug)
    select name, slug from unnest(${sorted}::text[], ${slugs}::text[]) as given (name, slug)
    where not exists (select from genres g where g.slug = given.slug)
    order by slug
    on conflict do nothing`;
  const rows = await sql<{ name: string; id: number }[]>`
    select distinct on (given.name) given.name, g.id
    from unnest(${sorted}::text[], ${slugs}::text[]) as given (name, slug)
    join genres g on g.slug = given.slug or lower(g.name) = lower(given.name)
    order by given.name, g.slug <> given.slug`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}
