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
    beats_count: Type.Integer({ minimum: 0, description: "The number of beats on sale in this genre." }),
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
    description: "Returns all genres by name, with the number of beats on sale in each.",
    permission: "genres:read",
    response: GenresResponse,
    present: { reference: genresReference, console: genresConsole },
    cached: true,
    examples: { success: {}, invalid: { parameters: { page: 2 } } },
    handle: ({ db }) => listGenres(db),
  }),
];

/** Diacritical marks that slugs ignore. In other scripts a mark makes another letter: ビ and ヒ, दि and द. */
const foldedMarks = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu;
/** The signs + and # that do not end a word. The signs in C++ and C# end a word, and stay. */
const signsInWords = /(?<![\p{L}\p{M}\p{N}+#])[+#]+|[+#]+(?=[\p{L}\p{M}\p{N}])/gu;

/** The slug that identifies a genre: "Hip-Hop" and "hip hop" are the same genre. Pure. */
export const genreSlug = (name: string): string =>
  slugOf(
    name,
    (text) => text.replace(foldedMarks, "$1").replaceAll("♯", "#").replace(signsInWords, " "),
    /[^\p{L}\p{M}\p{N}+#]+/gu,
  );

/**
 * The slug of earlier releases, which ignored signs, and the marks of all scripts. Genres with the same slug were
 * merged. Pure.
 */
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

/** Genres that an earlier release merged or would have merged. */
export interface MergedGenres {
  genres: { id: number; name: string; slug: string; beats_count: number }[];
  /** The id of the genre that may have beats of the other genres. */
  may_hold_others: number;
}

/**
 * Groups of genres with the same slug in earlier releases. A group can be one genre whose slug has changed since.
 * Earlier releases stored the beats of all names with that slug in the oldest genre of the group.
 */
export async function findMergedGenres(db: Queryable): Promise<MergedGenres[]> {
  const genres = await db.selectFrom("genres").select(["id", "name", "slug", "beats_count"]).orderBy("id").execute();
  const byFoldedSlug = Map.groupBy(genres, ({ name }) => foldedGenreSlug(name));
  return Array.from(byFoldedSlug.values())
    .filter((group) => group.length > 1 || group.some(({ name }) => genreSlug(name) !== foldedGenreSlug(name)))
    .map((group) => ({ genres: group, may_hold_others: group[0]?.id ?? 0 }));
}

/** Deletes the genres with these ids that have no beat, listed or not. Returns the number of deleted genres. */
export async function deleteBeatlessGenres(db: Queryable, ids: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from genres where id = any(${ids}::bigint[]) and beats_count = 0 and not exists (select from beats where genre_id = genres.id)`.execute(
    db,
  );
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

/** Finds or creates genres. Returns the ids by name. Safe to call concurrently. */
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

/** Corrects slugs from earlier releases that belong to another name, such as the slug of ヒート for ビート. */
async function renewSlugs(db: Queryable, slugs: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; slug: string }>`
    select id, name, slug from genres where slug = any(${slugs}::text[])`.execute(db);
  for (const { id, name, slug } of rows) {
    const slugOfName = genreSlug(name);
    if (slugOfName !== slug)
      await sql`
        update genres set slug = ${slugOfName}
        where id = ${id} and not exists (select from genres where slug = ${slugOfName})`.execute(db);
  }
}
