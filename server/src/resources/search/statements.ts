import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { anyOf, type Lookup } from "./rules.ts";

// The statements of a search. All of them find matches by the GIN indexes of words.

export type Kind = "beats" | "producers";

/** A result. */
export interface Match {
  kind: "beat" | "producer";
  id: number;
}

/** What to search, among which kinds, and which part of the ranking to return. */
export interface RankingRequest {
  lookup: Lookup;
  kinds: readonly Kind[];
  offset: number;
  limit: number;
}

type Fragment = RawBuilder<unknown>;

/** How many of the most popular rows are filtered before all matches are sorted. */
const nearTop = { beats: 20_000, producers: 2_000 };
/** Up to this many matching producers are sorted directly. */
const fewProducers = 4_000;

const has = (query: string): Fragment => sql`search @@ ${query}::tsquery`;
const either = (each: Fragment[]): Fragment =>
  sql.join(
    each.map((rows) => sql`(${rows})`),
    sql` union all `,
  );

/** Everything of a kind that a search can find. */
const everything = {
  beats: sql`select true as is_beat, id, search, popularity_key from beats where is_listed`,
  producers: sql`
    select false as is_beat, id, search, popularity_key
    from users join producer_counts on user_id = id where is_producer`,
};

/**
 * The rows of a kind that meet a condition on `search`. The outer query checks whether a row is listed; otherwise the
 * planner would scan an index of listed rows and test each of them.
 */
const matching = (kind: Kind, condition: Fragment): Fragment =>
  kind === "beats"
    ? sql`
      select true as is_beat, id, search, popularity_key
      from (select * from beats where ${condition} offset 0) as beats where is_listed`
    : sql`
      select false as is_beat, id, search, popularity_key
      from (select * from users where ${condition} offset 0) as users
      join producer_counts on user_id = id where is_producer`;

/** The number of edits between the typed text and a match. */
function edits({ asTyped, words }: Lookup): Fragment {
  if (words.length === 0) return sql`0`;
  const each = words.map(
    (word) => sql`case when ${has(word.asTyped)} then 0 when ${has(word.oneEdit)} then 1 else 2 end`,
  );
  return sql`case when ${has(asTyped)} then 0 else ${sql.join(each, sql` + `)} end`;
}

/** How well a match fits the typed text; 0 is best. A user's display name counts as the title. */
const tier = ({ titleIs, titleBegins, titleHas, producerIs }: Lookup): Fragment => sql`
  case when ${has(titleIs)} then is_beat::integer
       when ${has(`${titleBegins} | ${producerIs}`)} then 2
       when ${has(titleHas)} then 3
       else 4 end`;

/** Popularity within the kind, 0 to 1, so that beats and producers are comparable. */
const popularity = sql`
  ln(1 + popularity_key) / case when is_beat
    then (select ln(2 + max(popularity_key)) from beats where is_listed)
    else (select ln(2 + max(popularity_key)) from producer_counts) end`;

const ranked = (lookup: Lookup): Fragment =>
  sql`is_beat, id, ${edits(lookup)} as edits, ${tier(lookup)} as tier, ${popularity} as popularity`;
const bestFirst = sql`order by edits, tier, popularity desc, is_beat, id desc`;

interface PageRow {
  total: number;
  is_beat: boolean | null;
  id: number | null;
}

const hitsOf = (rows: Omit<PageRow, "total">[]): Match[] =>
  rows.flatMap(({ is_beat, id }) => (id === null ? [] : [{ kind: is_beat ? "beat" : "producer", id }]));

export interface SearchResult {
  /** Best first. */
  hits: Match[];
  /** Exact up to the cap. */
  total: number;
}

/** Counts all matches up to `cap` + 1, and ranks them. No hits if there are more than `cap`. */
export async function countAndRank(
  db: Queryable,
  { lookup, kinds, offset, limit }: RankingRequest,
  cap: number,
): Promise<SearchResult> {
  const each = kinds.map((kind) => matching(kind, has(lookup.found)));
  const { rows } = await sql<PageRow>`
    with matches as materialized (select * from (${either(each)}) as unlimited limit ${cap + 1}),
    counted as (select count(*) as total from matches),
    page as (
      select ${ranked(lookup)} from matches where (select total from counted) <= ${cap}
      ${bestFirst} offset ${offset} limit ${limit}
    )
    select total, is_beat, id from counted left join page on true ${bestFirst}`.execute(db);
  return { total: rows[0]?.total ?? 0, hits: hitsOf(rows) };
}

/**
 * A page of exact names: titles and display names that equal the typed words, then those that begin with them, or beats
 * of a producer so named. Undefined if they do not fill the page. They rank before all other matches and are few, so
 * a page of them needs no sorting of all matches.
 */
export async function rankExactNames(
  db: Queryable,
  { lookup, kinds, offset, limit }: RankingRequest,
): Promise<Match[] | undefined> {
  for (const named of [lookup.titleIs, `${lookup.titleBegins} | ${lookup.producerIs}`]) {
    const each = kinds.map((kind) => matching(kind, has(named)));
    const { rows } = await sql<PageRow>`
      with matches as materialized (
        select ${ranked(lookup)} from (${either(each)} offset 0) as candidates where ${has(lookup.found)}
      ),
      counted as (select count(*) as total from matches)
      select total, is_beat, id from counted cross join matches where total >= ${offset + limit}
      ${bestFirst} offset ${offset} limit ${limit}`.execute(db);
    if (rows.length > 0) return hitsOf(rows);
  }
  return undefined;
}

/** The number of matching producers, up to `cap` + 1. */
export async function countProducers(db: Queryable, { found }: Lookup, cap: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from (select from (${matching("producers", has(found))}) as matches limit ${cap + 1}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * A page of the most popular of many matches. Before them come producers with exactly the typed name and, if typing
 * errors were corrected, matches of the text as typed.
 */
export async function rankMostPopular(
  db: Queryable,
  { lookup, kinds, offset, limit }: RankingRequest,
): Promise<Match[]> {
  const asTyped = lookup.words.length > 0 ? [lookup.asTyped] : [];
  const firsts = { beats: anyOf(asTyped), producers: anyOf([...asTyped, lookup.titleIs]) };
  const first = kinds.map((kind) => matching(kind, has(firsts[kind])));
  const others = kinds.map((kind) => mostPopular(kind, lookup.found, firsts[kind], offset + limit));
  const { rows } = await sql<PageRow>`
    with first as (${either(first)}),
    others as (${either(others)}),
    merged as (
      select ${ranked(lookup)} from first
      union all
      select is_beat, id, 9 as edits, 9 as tier, ${popularity} as popularity from others
    )
    select is_beat, id from merged ${bestFirst} offset ${offset} limit ${limit}`.execute(db);
  return hitsOf(rows);
}

/**
 * The `enough` most popular matches of a kind, without those that `first` finds. Filters the most popular rows of all
 * first, which is fast for common words; if too few of them match, sorts all matches, which is fast for rare words.
 * Producers are looked up one by one, so up to `fewProducers` matches are sorted directly.
 */
function mostPopular(kind: Kind, found: string, first: string, enough: number): Fragment {
  const condition = sql`${has(found)} and not ${has(first)}`;
  const isFew =
    kind === "beats"
      ? sql`false`
      : sql`(select count(*) from (select from (${matching(kind, condition)}) as each limit ${fewProducers + 1}) as counted)
              <= ${fewProducers}`;
  const order = sql`order by popularity_key desc, id desc limit ${enough}`;
  return sql`
    with near_top as materialized (
      select is_beat, id, popularity_key
      from (select * from (${everything[kind]}) as listed order by popularity_key desc, id desc limit ${nearTop[kind]}) as top
      where not (select ${isFew}) and ${condition} ${order}
    )
    select * from near_top where (select count(*) from near_top) = ${enough}
    union all
    (select is_beat, id, popularity_key from (${matching(kind, condition)}) as anywhere
     where (select count(*) from near_top) < ${enough} ${order})`;
}
