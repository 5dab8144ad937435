import MiniSearch, { type SearchResult } from "minisearch";
import { type SearchableCall, type SearchablePart, searchOptions } from "./index-options.ts";
import { excerptOf, type Hit, rankEntries, type SearchEntry, wordsOf } from "./ranking.ts";

/** The index that the build has made of the documents, and the calls of the API. */
export interface SearchIndex {
  docs: MiniSearch<SearchablePart>;
  calls: readonly SearchableCall[];
}

export const openIndex = ({ docs, calls }: { docs: object; calls: readonly SearchableCall[] }): SearchIndex => ({
  docs: MiniSearch.loadJS<SearchablePart>(docs as never, searchOptions),
  calls,
});

const docsShown = 6;
const callsShown = 5;
/** Who searches here writes programs; operators come second. */
const weights: Record<string, number> = { "For operators": 0.6 };

/**
 * Headings and paragraphs that have all words, or words that begin so or differ by a letter; where none has all, those that
 * have some.
 */
export function searchDocs({ docs }: SearchIndex, query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const options = {
    prefix: (term: string) => term.length > 1,
    fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
    boost: { title: 3, heading: 4 },
    boostDocument: (_: string, __: string, stored?: Record<string, unknown>) => weights[String(stored?.group)] ?? 1,
  };
  const all = docs.search(query, { ...options, combineWith: "AND" });
  const found = all.length > 0 ? all : docs.search(query, options);
  const best = found[0]?.score ?? 1;
  return found.slice(0, docsShown).map((result) => hitOf(result, words, best));
}

function hitOf(result: SearchResult, words: readonly string[], best: number): Hit {
  const { title, heading, text } = result as SearchResult & SearchablePart;
  const named = wordsOf(`${title} ${heading}`);
  const isNamed = words.every((word) => named.some((each) => each.startsWith(word)));
  // Above calls whose names have the words only where the words are all of a heading.
  const isWhole = wordsOf(heading).join(" ") === words.join(" ");
  return {
    group: "Docs",
    id: result.id,
    title: heading,
    detail: result.id.includes("#") ? title : "",
    excerpt: excerptOf(text, result.terms),
    address: result.id,
    score: (isWhole ? 0.95 : isNamed ? 0.75 : 0.4) * Math.min(1, 0.5 + result.score / best / 2),
  };
}

/** Calls by name, method, path and summary. */
export const searchCalls = ({ calls }: SearchIndex, query: string): Hit[] =>
  rankEntries(
    query,
    calls.map(
      ({ id, method, path, summary, group }): SearchEntry => ({
        group: "Calls",
        id,
        title: summary,
        detail: `${method} ${path}`,
        address: `/explorer/${group}#${id}`,
      }),
    ),
    callsShown,
  );
