import { type DocsIndex, openDocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import { excerptOf } from "@beatmarket/docs-search/excerpt.ts";
import { type MatchingPart, searchParts } from "@beatmarket/docs-search/search-parts.ts";
import { wordsOf } from "@beatmarket/docs-search/words.ts";
import { type Hit, rankEntries, type SearchEntry } from "./ranking.ts";

/** An operation of the API. */
export interface SearchableCall {
  /** The operation id, for example "getBeat". */
  id: string;
  method: string;
  path: string;
  summary: string;
  /** The page of the reference that contains the operation. */
  group: string;
}

/** The index of the documents, which the build makes, and the calls of the API. */
export interface SearchIndex {
  docs: DocsIndex;
  calls: readonly SearchableCall[];
}

export const openIndex = ({ docs, calls }: { docs: object; calls: readonly SearchableCall[] }): SearchIndex => ({
  docs: openDocsIndex(docs),
  calls,
});

const docsShown = 6;
const callsShown = 5;

/** Searches the headings and paragraphs of the documents. */
export function searchDocs({ docs }: SearchIndex, query: string): Hit[] {
  const words = wordsOf(query);
  const parts = searchParts(docs, query, docsShown);
  const best = parts[0]?.score ?? 1;
  return parts.map((part) => hitOf(part, words, best));
}

function hitOf(
  { address, title, heading, text, terms, score }: MatchingPart,
  words: readonly string[],
  best: number,
): Hit {
  const titleWords = wordsOf(`${title} ${heading}`);
  const isNamed = words.every((word) => titleWords.some((each) => each.startsWith(word)));
  // A heading that equals the query ranks above calls whose names contain the words.
  const isWhole = wordsOf(heading).join(" ") === words.join(" ");
  const quality = isNamed ? 0.75 : 0.4;
  return {
    group: "Docs",
    id: address,
    title: heading,
    detail: address.includes("#") ? title : "",
    excerpt: excerptOf(text, terms),
    address,
    score: (isWhole ? 0.95 : quality) * Math.min(1, 0.5 + score / best / 2),
  };
}

/** Searches calls by name, method, path and summary. */
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
