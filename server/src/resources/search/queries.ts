import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { invalidRequest } from "../../errors.ts";
import { readQuery, type TypedWord } from "../../search-words.ts";
import { type Corrections, correctableOf, correctionsOf, lookupOf } from "./rules.ts";
import { countAndRank, countProducers, type Match, rankMostPopular, rankNamesakes, type Wanted } from "./statements.ts";
import { type CommonWord, keptFrom, keptTotal, onlyWord } from "./totals/totals.ts";
import { typedKeys } from "./words/typing-errors.ts";

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
  hits: Match[];
  /** Exact up to `maxTotal`. */
  total: number;
}

/** What may be told apart from the request. */
export interface SearchOptions {
  /** Hears of words that had to be counted and find many beats. */
  onCommonWord?: (word: CommonWord) => void;
  /** Instead of `maxTotal`. */
  cap?: number;
}

/** Beyond so many matches the total is this, and pages end there (DESIGN section 2, search total). */
const maxTotal = 10_000;
const maxCharacters = 200;
/** With fewer matches than fill a page, typing errors are looked for. */
const enoughMatches = 20;

const kindsOf = { beats: ["beats"], producers: ["producers"], all: ["beats", "producers"] } as const;

/**
 * Listed beats and producers in one ranking (contract 4.8). All words must match, the last one also as a beginning.
 * What matches as it was typed comes first, then what is fewer edits away; then what bears the typed words as its
 * name, what begins with them or is by the producer so named, what has them all in its title; then the more popular.
 * With more than `cap` matches popularity alone decides, behind the producers so named.
 *
 * `db` is the pool: the statements run in a transaction of their own, so that total and page agree.
 * Throws invalid_request for a q that is blank or too long.
 */
export async function search(
  db: Queryable,
  request: SearchRequest,
  { onCommonWord, cap = maxTotal }: SearchOptions = {},
): Promise<SearchResult> {
  const q = request.q.trim();
  if (q === "") throw invalidRequest("The q parameter must not be blank.", "q");
  if (Array.from(q).length > maxCharacters)
    throw invalidRequest(`The q parameter must have at most ${maxCharacters} characters.`, "q");
  const typed = readQuery(q);
  const lookup = lookupOf(typed);
  if (lookup === undefined) return { hits: [], total: 0 };
  const kinds = kindsOf[request.type];
  const wanted = { kinds, offset: (request.page - 1) * request.limit, limit: request.limit };
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (snapshot) => {
      const word = request.type === "producers" ? undefined : onlyWord(typed, lookup);
      const kept = await begin(snapshot, word, cap);
      if (kept !== null && kept >= enoughMatches) return pageOfCounted(snapshot, { ...wanted, lookup }, kept, cap);
      const asTyped = await pageOfUncounted(snapshot, { ...wanted, lookup }, cap);
      if (word && kept === null && asTyped.total >= keptFrom) onCommonWord?.(word);
      if (asTyped.total >= enoughMatches) return asTyped;
      const corrections = await findCorrections(snapshot, typed);
      const corrected = corrections.size === 0 ? undefined : lookupOf(typed, corrections);
      return corrected === undefined ? asTyped : pageOfUncounted(snapshot, { ...wanted, lookup: corrected }, cap);
    });
}

/**
 * Tells the planner how to search, and looks up how many beats the word finds, null if that is not kept; what is beyond
 * `cap` may be `cap` and one.
 *
 * Matches are read through the index of words, wherever they lie. (Reading the table until enough match is fast only
 * where matches lie everywhere, which is what the planner expects; it also takes the comparison of a row with a query
 * of many words for as cheap as one of numbers.) The plan for one word is wrong for another. Compiling a plan, or
 * starting workers for it, takes longer than the search.
 */
async function begin(db: Queryable, word: CommonWord | undefined, cap: number): Promise<number | null> {
  const { rows } = await sql<{ kept: number | null }>`
    select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
           set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
           ${word === undefined ? sql`null` : keptTotal(word, cap)} as kept`.execute(db);
  return rows[0]?.kept ?? null;
}

/** A page where nobody knows how many matches there are. */
async function pageOfUncounted(db: Queryable, wanted: Wanted, cap: number): Promise<SearchResult> {
  const ranked = await countAndRank(db, wanted, cap);
  return ranked.total <= cap ? ranked : pageOfTooMany(db, wanted, cap);
}

/** A page of a word that is known to match so many beats, or more than `cap`. */
async function pageOfCounted(db: Queryable, wanted: Wanted, beats: number, cap: number): Promise<SearchResult> {
  const hasProducers = wanted.kinds.includes("producers") && beats <= cap;
  const total = beats + (hasProducers ? await countProducers(db, wanted.lookup, cap) : 0);
  if (total > cap) return pageOfTooMany(db, wanted, cap);
  return { total, hits: (await rankNamesakes(db, wanted)) ?? (await countAndRank(db, wanted, cap)).hits };
}

/** The first `cap` of more matches than that. */
async function pageOfTooMany(db: Queryable, wanted: Wanted, cap: number): Promise<SearchResult> {
  const limit = Math.min(wanted.limit, cap - wanted.offset);
  return { total: cap, hits: limit > 0 ? await rankMostPopular(db, { ...wanted, limit }) : [] };
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
