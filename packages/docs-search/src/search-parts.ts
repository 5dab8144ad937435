import type { Query, SearchResult } from "minisearch";
import type { DocsIndex, DocsPart } from "./docs-index.ts";
import { stopWords, synonyms } from "./synonyms.ts";
import { wordsOf } from "./words.ts";

/** A part with its score, and its words that matched the query. */
export interface FoundPart extends DocsPart {
  score: number;
  terms: string[];
}

/** Most users of this search are programmers; operators come second. */
const weights: Record<string, number> = { "For operators": 0.6 };

const options = {
  combineWith: "OR",
  prefix: (term: string) => term.length > 1,
  fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
  weights: { fuzzy: 0.2, prefix: 0.375 },
  boost: { title: 3, heading: 4 },
  boostDocument: (_: string, __: string, stored?: Record<string, unknown>) => weights[String(stored?.group)] ?? 1,
} as const;

/** Maximum parts of one document, so that other documents are shown too. */
const partsOfDocument = 2;

/**
 * Returns parts of the documents, best first: a part ranks higher the more words of the query it has. A word also
 * matches words that begin with it, differ by a letter or mean the same.
 */
export function searchParts(index: DocsIndex, query: string, limit: number): FoundPart[] {
  const words = tellingWords(query);
  if (words.length === 0) return [];
  const scores = new Map<string, { score: number; has: number; part: SearchResult }>();
  for (const word of words)
    for (const part of index.search({ queries: alternatives(word) }, options)) {
      const { score, has } = scores.get(part.id) ?? { score: 0, has: 0 };
      scores.set(part.id, { score: score + part.score, has: has + 1, part });
    }
  const parts = [...scores.values()]
    .map(({ score, has, part }) => ({ ...part, score: score * (has / words.length) ** 2 }))
    .sort((a, b) => b.score - a.score);
  const partCounts = new Map<string, number>();
  return parts
    .filter(({ id }) => {
      const [page = ""] = String(id).split("#");
      partCounts.set(page, (partCounts.get(page) ?? 0) + 1);
      return (partCounts.get(page) ?? 0) <= partsOfDocument;
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
 * Returns the words of a question without stop words; all words if only stop words remain. Two words that have a
 * synonym together are joined.
 */
function tellingWords(query: string): string[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !stopWords.has(word));
  const searchWords = telling.length > 0 ? telling : words;
  const joined: string[] = [];
  for (let at = 0; at < searchWords.length; at++) {
    const pair = `${searchWords[at]} ${searchWords[at + 1]}`;
    if (synonyms.has(pair)) {
      joined.push(pair);
      at++;
    } else joined.push(searchWords[at] ?? "");
  }
  return joined;
}

/** A word and its synonyms; all words of a synonym must match. */
const alternatives = (word: string): Query[] =>
  [word, ...(synonyms.get(word) ?? [])].map((one) => ({ combineWith: "AND", queries: one.split(" ") }));
