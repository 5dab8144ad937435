import { createHash } from "node:crypto";
import { wholeListMeta } from "@beatmarket/http/pagination.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";

const GenreSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    beats_count: Type.Integer({ minimum: 0, description: "Beats on sale in this genre." }),
  },
  { $id: "Genre", description: "A genre of the catalogue." },
);

const GenresResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ genres: Type.Array(GenreSchema) }),
  console: Type.Array(GenreSchema),
  meta: true,
};

const genresReference = (genres: Genre[]) => ({
  genres: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
});

const genresConsole = (genres: Genre[]) => ({
  data: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
  meta: wholeListMeta(genres),
});

export const genreRoutes = [
  route({
    operationId: "listGenres",
    client: "genres.list",
    method: "GET",
    path: "/genres",
    tag: "Genres",
    summary: "List genres",
    description: "All genres by name, with the number of beats on sale in each.",
    permission: "genres:read",
    response: GenresResponse,
    present: { reference: genresReference, console: genresConsole },
    cached: true,
    examples: { success: {}, invalid: { parameters: { page: 2 } } },
    handle: ({ db }) => listGenres(db),
  }),
];

/** Accents and the like. In other scripts a mark makes another letter: ビ and ヒ, दि and द. */
const foldedMarks = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu;
/** At the end of a word they belong to it: C++, C#. */
const otherSigns = /(?<![\p{L}\p{M}\p{N}+#])[+#]+|[+#]+(?=[\p{L}\p{M}\p{N}])/gu;

/** The slug that identifies a genre: "Hip-Hop" and "hip hop" are the same genre. Pure. */
export const genreSlug = (name: string): string =>
  slugOf(
    name,
    (text) => text.replace(foldedMarks, "$1").replaceAll("♯", "#").replace(otherSigns, " "),
    /[^\p{L}\p{M}\p{N}+#]+/gu,
  );

/** The slug of releases before marks of all scripts and signs counted. Genres that have one in common were one. Pure. */
const foldedGenreSlug = (name: string): string =>
  slugOf(name, (text) => text.replace(/\p{M}/gu, ""), /[^\p{L}\p{N}]+/gu);

function slugOf(name: string, fold: (text: string) => string, gaps: RegExp): string {
  const slug = fold(name.normalize("NFKD"))
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(gaps, "-")
    .replace(/^-|-$/g, "")
    .normalize("NFC");
  return slug === "" ? `genre-${createHash("sha256").update(name).digest("hex").slice(0, 8)}` : slug;
}

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
interface Genre {
  id: number;
  name: string;
  slug: string;
  beats_count: number;
}

/** All genres by name (docs/api/genres.md, List genres). */
export const listGenres = (db: Queryable): Promise<Genre[]> =>
  db.selectFrom("genres").select(["id", "name", "slug", "beats_count"]).orderBy("name").orderBy("id").execute();

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
