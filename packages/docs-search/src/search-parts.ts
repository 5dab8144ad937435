import type { Query, SearchResult } from "minisearch";
import type { DocsIndex, DocsPart } from "./docs-index.ts";
import { stopWords, synonyms } from "./synonyms.ts";
import { wordsOf } from "./words.ts";

/** A search result. */
export interface MatchingPart extends DocsPart {
  score: number;
  /** The words of the part that matched the query. */
  terms: string[];
}

/** Ranks documents for operators lower, since most users of the search are programmers. */
const weights: Record<string, number> = { "For operators": 0.6 };

const options = {
  combineWith: "OR",
  prefix: (term: string) => term.length > 1,
  fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
  weights: { fuzzy: 0.2, prefix: 0.375 },
  boost: { title: 3, heading: 4 },
  boostDocument: (_: string, __: string, stored?: Record<string, unknown>) => weights[String(stored?.group)] ?? 1,
} as const;

/** The maximum number of results from one document. */
const maxPartsOfDocument = 2;

/**
 * Returns parts of the documents, best first: a part ranks higher the more words of the query it has. A word also
 * matches words that begin with it, differ by a few letters or mean the same.
 */
export function searchParts(index: DocsIndex, query: string, limit: number): MatchingPart[] {
  const words = wordsToSearch(query);
  if (words.length === 0) return [];
  const scores = new Map<string, { score: number; matches: number; part: SearchResult }>();
  for (const word of words)
    for (const part of index.search({ queries: alternatives(word) }, options)) {
      const { score, matches } = scores.get(part.id) ?? { score: 0, matches: 0 };
      scores.set(part.id, { score: score + part.score, matches: matches + 1, part });
    }
  const parts = [...scores.values()]
    .map(({ score, matches, part }) => ({ ...part, score: score * (matches / words.length) ** 2 }))
    .sort((a, b) => b.score - a.score);
  const partCounts = new Map<string, number>();
  return parts
    .filter(({ id }) => {
      const [page = ""] = String(id).split("#");
      partCounts.set(page, (partCounts.get(page) ?? 0) + 1);
      return (partCounts.get(page) ?? 0) <= maxPartsOfDocument;
    })
    .slice(0, limit)
    .map(({ id, score, terms, ...stored }) => ({
      ...(stored as unknown as DocsPart),
      address: id as string,
      score,
      terms,
    }));
}

/**
 * The words of a question without stop words; all words if the question has only stop words. Two consecutive words that
 * are one entry of `synonyms` are joined.
 */
function wordsToSearch(query: string): string[] {
  const words = wordsOf(query);
  const subjectWords = words.filter((word) => !stopWords.has(word));
  const searchWords = subjectWords.length > 0 ? subjectWords : words;
  const joined: string[] = [];
  for (let index = 0; index < searchWords.length; index++) {
    const pair = `${searchWords[index]} ${searchWords[index + 1]}`;
    if (synonyms.has(pair)) {
      joined.push(pair);
      index++;
    } else joined.push(searchWords[index] ?? "");
  }
  return joined;
}

/** Queries for a word and for its synonyms. All words of a synonym must match. */
const alternatives = (word: string): Query[] =>
  [word, ...(synonyms.get(word) ?? [])].map((term) => ({ combineWith: "AND", queries: term.split(" ") }));
