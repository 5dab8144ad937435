import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { invalidRequest } from "../../errors.ts";
import { readQuery, type TypedWord } from "../../search-words.ts";
import { anyOf, type Corrections, correctableOf, correctionsOf, type Lookup, lookupOf } from "./rules.ts";
import { typedKeys } from "./typing-errors.ts";

export interface SearchRequest {
  /** Words of any script, at most 200 characters. */
  q: string;
  type: "beats" | "producers" | "all";
  /** From 1. */
  page: number;
  limit: number;
}

export interface SearchResult {
  /** Best first. */
  hits: { kind: "beat" | "producer"; id: number }[];
  /** Exact up to `maxTotal`. */
  total: number;
}

/** Beyond so many matches the total is this, and pages end there (DESIGN section 2, search total). */
const maxTotal = 10_000;
const maxCharacters = 200;
/** With fewer matches than fill a page, typing errors are looked for. */
const enoughMatches = 20;

/**
 * Listed beats and producers in one ranking (contract 4.8). All words must match, the last one also as a beginning.
 * What matches as it was typed comes first, then what is fewer edits away; then what bears the typed words as its
 * name, what begins with them or is by the producer so named, what has them all in its title; then the more popular.
 * With more than `cap` matches popularity alone decides, behind the producers so named.
 *
 * `db` is the pool: the statements run in a transaction of their own, so that total and page agree.
 * Throws invalid_request for a q that is blank or too long.
 */
export async function search(db: Queryable, request: SearchRequest, cap = maxTotal): Promise<SearchResult> {
  const q = request.q.trim();
  if (q === "") throw invalidRequest("The q parameter must not be blank.", "q");
  if (Array.from(q).length > maxCharacters)
    throw invalidRequest(`The q parameter must have at most ${maxCharacters} characters.`, "q");
  const typed = readQuery(q);
  const lookup = lookupOf(typed);
  if (lookup === undefined) return { hits: [], total: 0 };
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (snapshot) => {
      await tellPlanner(snapshot);
      const asTyped = await findMatches(snapshot, lookup, request, cap);
      if (asTyped.total >= enoughMatches) return asTyped;
      const corrections = await findCorrections(snapshot, typed);
      const corrected = corrections.size === 0 ? undefined : lookupOf(typed, corrections);
      return corrected === undefined ? asTyped : findMatches(snapshot, corrected, request, cap);
    });
}

/**
 * Matches are read through the index of words, wherever they lie. (Reading the table until enough match is fast only
 * where matches lie everywhere, which is what the planner expects; it also takes the comparison of a row with a query
 * of many words for as cheap as one of numbers.) The plan for one word is wrong for another. Compiling a plan, or
 * starting workers for it, takes longer than the search.
 */
async function tellPlanner(db: Queryable): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
           set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(db);
}

async function findCorrections(db: Queryable, typed: TypedWord[]): Promise<Corrections> {
  const words = correctableOf(typed);
  if (words.length === 0) return new Map();
  const stored = await db
    .selectFrom("search_words")
    .select("word")
    .where(sql<boolean>`keys && ${words.flatMap(typedKeys)}::integer[]`)
    .execute();
  return correctionsOf(
    words,
    stored.map(({ word }) => word),
  );
}

type Fragment = RawBuilder<unknown>;

const kindsOf = { beats: ["beats"], producers: ["producers"], all: ["beats", "producers"] } as const;
type Kind = (typeof kindsOf)["all"][number];

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

const bestFirst = sql`order by edits, tier, popularity desc, is_beat, id desc`;

/** The total, and the page unless there are too many matches to rank them all. */
async function findMatches(db: Queryable, lookup: Lookup, request: SearchRequest, cap: number): Promise<SearchResult> {
  const { type, limit } = request;
  const offset = (request.page - 1) * limit;
  const matches = kindsOf[type].map((kind) => matching(kind, has(lookup.found)));
  const { rows } = await sql<{ total: number; is_beat: boolean | null; id: number | null }>`
    with matches as materialized (select * from (${either(matches)}) as unlimited limit ${cap + 1}),
    counted as (select count(*) as total from matches),
    page as (
      select is_beat, id, ${edits(lookup)} as edits, ${tier(lookup)} as tier, ${popularity} as popularity
      from matches where (select total from counted) <= ${cap} ${bestFirst} offset ${offset} limit ${limit}
    )
    select total, is_beat, id from counted left join page on true ${bestFirst}`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total <= cap) return { hits: hitsOf(rows), total };
  const reachable = Math.min(limit, cap - offset);
  return { hits: reachable > 0 ? await findMostPopular(db, lookup, type, offset, reachable) : [], total: cap };
}

const hitsOf = (rows: { is_beat: boolean | null; id: number | null }[]): SearchResult["hits"] =>
  rows.flatMap(({ is_beat, id }) => (id === null ? [] : [{ kind: is_beat ? "beat" : "producer", id }]));

/**
 * A page of the most popular of many matches. Ahead of them stands what nobody would look for behind thousands of
 * others: producers so named and, when typing errors were corrected, what matches as it was typed.
 */
async function findMostPopular(
  db: Queryable,
  lookup: Lookup,
  type: SearchRequest["type"],
  offset: number,
  limit: number,
): Promise<SearchResult["hits"]> {
  const asTyped = lookup.words.length > 0 ? [lookup.asTyped] : [];
  const firsts = { beats: anyOf(asTyped), producers: anyOf([...asTyped, lookup.titleIs]) };
  const first = kindsOf[type].map((kind) => matching(kind, has(firsts[kind])));
  const others = kindsOf[type].map((kind) =>
    mostPopular(kind, sql`${has(lookup.found)} and not ${has(firsts[kind])}`, offset + limit),
  );
  const { rows } = await sql<{ is_beat: boolean; id: number }>`
    with first as (${either(first)}),
    others as (${either(others)}),
    ranked as (
      select is_beat, id, ${edits(lookup)} as edits, ${tier(lookup)} as tier, ${popularity} as popularity from first
      union all
      select is_beat, id, 9 as edits, 9 as tier, ${popularity} as popularity from others
    )
    select is_beat, id from ranked ${bestFirst} offset ${offset} limit ${limit}`.execute(db);
  return hitsOf(rows);
}

/**
 * The `enough` most popular rows of a kind that meet a condition. They are looked for among the most popular of all
 * first; where too few of those do, all that meet the condition are sorted. Neither alone is fast for words that many
 * rows have and for those that only unpopular rows have.
 */
function mostPopular(kind: Kind, condition: Fragment, enough: number): Fragment {
  // Each producer among the most popular is looked up by id, which takes longer than reading a beat.
  const near = Math.max(2_000, enough * (kind === "beats" ? 8 : 2));
  return sql`
    with near_top as materialized (
      select is_beat, id, popularity_key
      from (select * from (${everything[kind]}) as listed order by popularity_key desc, id desc limit ${near}) as top
      where ${condition} order by popularity_key desc, id desc limit ${enough}
    )
    select * from near_top where (select count(*) from near_top) = ${enough}
    union all
    (select is_beat, id, popularity_key from (${matching(kind, condition)}) as anywhere
     where (select count(*) from near_top) < ${enough} order by popularity_key desc, id desc limit ${enough})`;
}
