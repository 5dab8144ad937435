import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import { invalidRequest } from "../../errors.ts";
import { readQuery, type TypedWord } from "../../text/search-words.ts";
import { type Corrections, correctableOf, correctionsOf, lookupOf } from "./rules.ts";
import {
  countAndRank,
  countProducers,
  type RankingRequest,
  rankExactNames,
  rankMostPopular,
  type SearchResult,
} from "./statements.ts";
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

/** Settings that are not part of the request. */
export interface SearchOptions {
  /** Called with a word that matches many beats and had to be counted. */
  onCommonWord?: (word: CommonWord) => void;
  /** Replaces `maxTotal`. */
  cap?: number;
}

/** The largest total; pages end there too (docs/api/search.md, Search). */
const maxTotal = 10_000;
const maxCharacters = 200;
/** With fewer matches than this, typing errors are corrected. */
const enoughMatches = 20;

const kindsOf = { beats: ["beats"], producers: ["producers"], all: ["beats", "producers"] } as const;

/**
 * Searches listed beats and producers in one ranking (docs/api/search.md, Ranking). All words must match, the last one
 * as a prefix too. Sorts by edits, then by the kind of match (exact name, prefix or producer's name, all words in the
 * title, elsewhere), then by popularity. With more than `cap` matches, by popularity alone after exact producer names.
 *
 * `db` is the pool: the statements run in a transaction of their own, so that total and page agree.
 * Throws invalid_request if q is blank or too long.
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
  return transact(
    db,
    async (snapshot) => {
      const word = request.type === "producers" ? undefined : onlyWord(typed, lookup);
      const kept = await begin(snapshot, word, cap);
      if (kept !== null && kept >= enoughMatches) return pageOfCounted(snapshot, { ...wanted, lookup }, kept, cap);
      const asTyped = await pageOfUncounted(snapshot, { ...wanted, lookup }, cap);
      if (word && kept === null && asTyped.total >= keptFrom) onCommonWord?.(word);
      if (asTyped.total >= enoughMatches) return asTyped;
      const corrections = await findCorrections(snapshot, typed);
      const corrected = corrections.size === 0 ? undefined : lookupOf(typed, corrections);
      return corrected === undefined ? asTyped : pageOfUncounted(snapshot, { ...wanted, lookup: corrected }, cap);
    },
    { isolation: "repeatable read", readOnly: true },
  );
}

/**
 * Sets the planner's options and reads the kept total of the word: null if there is none; beyond `cap` it may be
 * `cap` + 1.
 *
 * No sequential scans: the planner expects matches to be spread evenly and underestimates what comparing a row with a
 * query of many words costs. No generic plan: the plan for one word is wrong for another. No JIT and no parallel
 * workers: starting them takes longer than the search.
 */
async function begin(db: Queryable, word: CommonWord | undefined, cap: number): Promise<number | null> {
  const { rows } = await sql<{ kept: number | null }>`
    select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
           set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
           ${word === undefined ? sql`null` : keptTotal(word, cap)} as kept`.execute(db);
  return rows[0]?.kept ?? null;
}

/** A page of matches whose number is not known. */
async function pageOfUncounted(db: Queryable, wanted: RankingRequest, cap: number): Promise<SearchResult> {
  const ranked = await countAndRank(db, wanted, cap);
  return ranked.total <= cap ? ranked : pageOfTooMany(db, wanted, cap);
}

/** A page of a word that matches `beats` beats, or more than `cap`. */
async function pageOfCounted(db: Queryable, wanted: RankingRequest, beats: number, cap: number): Promise<SearchResult> {
  const hasProducers = wanted.kinds.includes("producers") && beats <= cap;
  const total = beats + (hasProducers ? await countProducers(db, wanted.lookup, cap) : 0);
  if (total > cap) return pageOfTooMany(db, wanted, cap);
  return { total, hits: (await rankExactNames(db, wanted)) ?? (await countAndRank(db, wanted, cap)).hits };
}

/** A page of the first `cap` matches, if there are more. */
async function pageOfTooMany(db: Queryable, wanted: RankingRequest, cap: number): Promise<SearchResult> {
  const limit = Math.min(wanted.limit, cap - wanted.offset);
  return { total: cap, hits: limit > 0 ? await rankMostPopular(db, { ...wanted, limit }) : [] };
}

async function findCorrections(db: Queryable, typed: TypedWord[]): Promise<Corrections> {
  const words = correctableOf(typed);
  if (words.length === 0) return new Map();
  const { rows: stored } = await sql<{ word: string }>`
    select word from search_words where keys && ${words.flatMap(typedKeys)}::integer[]`.execute(db);
  return correctionsOf(
    words,
    stored.map(({ word }) => word),
  );
}
