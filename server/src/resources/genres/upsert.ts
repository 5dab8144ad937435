import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { genreSlug } from "./queries.ts";

/** The ids of genres by their names; those that are not there yet are made. Safe next to others who do the same. */
export async function upsertGenres(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const sorted = names.toSorted();
  const slugs = sorted.map(genreSlug);
  await renewSlugs(db, slugs);
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

/** Genres of earlier releases may have the slug of another name (ヒート for ビート); they get their own. */
async function renewSlugs(db: Queryable, slugs: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; slug: string }>`
    select id, name, slug from genres where slug = any(${slugs}::text[])`.execute(db);
  for (const { id, name, slug } of rows) {
    const own = genreSlug(name);
    if (own !== slug)
      await sql`
        update genres set slug = ${own}
        where id = ${id} and not exists (select from genres where slug = ${own})`.execute(db);
  }
}
