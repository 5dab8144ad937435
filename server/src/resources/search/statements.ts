import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { anyOf, type Lookup } from "./rules.ts";

// The statements of a search. All read matches through the indexes of words.

export type Kind = "beats" | "producers";

/** One of the results. */
export interface Match {
  kind: "beat" | "producer";
  id: number;
}

/** What is looked for, among what, and which part of the ranking is wanted. */
export interface Wanted {
  lookup: Lookup;
  kinds: readonly Kind[];
  offset: number;
  limit: number;
}

type Fragment = RawBuilder<unknown>;

/** So many of the most popular are looked through for those that match before all that match are sorted. */
const nearTop = { beats: 20_000, producers: 2_000 };
/** So few producers are sorted at once. */
const fewProducers = 4_000;

const has = (query: string): Fragment => sql`search @@ ${query}::tsquery`;
const either = (each: Fragment[]): Fragment =>
  sql.join(
    each.map((rows) => sql`(${rows})`),
    sql` union all `,
  );

/** All of a kind that can be found. */
const everything = {
  beats: sql`select true as is_beat, id, search, popularity_key from beats where is_listed`,
  producers: sql`
    select false as is_beat, id, search, popularity_key
    from users join producer_counts on user_id = id where is_producer`,
};

/**
 * Those of a kind that meet a condition on `search`. Whether a row is listed is asked outside, lest the planner read
 * another index, one of listed rows, and compare them all.
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

/** How many edits away a match is. */
function edits({ asTyped, words }: Lookup): Fragment {
  if (words.length === 0) return sql`0`;
  const each = words.map(
    (word) => sql`case when ${has(word.asTyped)} then 0 when ${has(word.oneEdit)} then 1 else 2 end`,
  );
  return sql`case when ${has(asTyped)} then 0 else ${sql.join(each, sql` + `)} end`;
}

/** How well a match bears out what was typed: 0 is best. Users have their name where beats have their title. */
const tier = ({ titleIs, titleBegins, titleHas, producerIs }: Lookup): Fragment => sql`
  case when ${has(titleIs)} then is_beat::integer
       when ${has(`${titleBegins} | ${producerIs}`)} then 2
       when ${has(titleHas)} then 3
       else 4 end`;

/** How popular a match is among its kind, 0 to 1, so that one beat compares with all beats of a producer. */
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

interface Ranked {
  total: number;
  hits: Match[];
}

/** Counts all matches, up to one more than `cap`, and ranks them; no hits when there are more than `cap`. */
export async function countAndRank(
  db: Queryable,
  { lookup, kinds, offset, limit }: Wanted,
  cap: number,
): Promise<Ranked> {
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
 * A page of many matches of what was typed, as long as it is of those that the words name; undefined when they do not
 * fill it. What bears the words as its name is asked for first, then what begins with them: each is a small part of all
 * that has the words somewhere, and ranks before the rest.
 */
export async function rankNamesakes(
  db: Queryable,
  { lookup, kinds, offset, limit }: Wanted,
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

/** How many producers match, up to one more than `cap`. */
export async function countProducers(db: Queryable, { found }: Lookup, cap: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from (select from (${matching("producers", has(found))}) as matches limit ${cap + 1}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * A page of the most popular of many matches. Ahead of them stands what nobody would look for behind thousands of
 * others: producers so named and, when typing errors were corrected, what matches as it was typed.
 */
export async function rankMostPopular(db: Queryable, { lookup, kinds, offset, limit }: Wanted): Promise<Match[]> {
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
 * The `enough` most popular rows of a kind that are found, but for the first. They are looked for among the most popular of all
 * first; where too few of those match, all that match are sorted. Neither alone is fast for words that many
 * rows have and for those that only unpopular rows have. Producers are looked up by id one by one, so a few
 * that match are sorted at once.
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
