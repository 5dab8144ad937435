import { wordsOf } from "@beatmarket/docs-search/words.ts";

/** A search result. */
export interface Hit {
  group: HitGroup;
  /** Unique within a group. */
  id: string;
  title: string;
  /** The second line of the result: its place or kind. */
  detail: string;
  /** The matching part of a text. */
  excerpt?: string;
  /** An address of this origin; absent for an action, which `run` performs. */
  address?: string;
  run?: () => void;
  /** The score, from 0 to 1. Hits with a higher score come first. */
  score: number;
}

export type HitGroup = "Recent" | "By id" | "Go to" | "Calls" | "Docs" | "API keys" | "Endpoints" | "Beats";

/** An entry that is searched by title, detail, id and keywords. */
export interface SearchEntry extends Omit<Hit, "score"> {
  /** Additional searchable words. */
  keywords?: string;
}

/** The best matching entries with their scores, best first. Empty for a query without words. */
export function rankEntries(query: string, entries: readonly SearchEntry[], limit: number): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const phrase = query.trim().toLowerCase();
  return entries
    .map((entry) => ({ ...entry, score: scoreOf(entry, words, phrase) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.title.length - b.title.length)
    .slice(0, limit);
}

/**
 * The score of an entry; 0 unless each word of the query begins a word of the title, detail, keywords or id. Matches in
 * the title count most. A title, id or detail that equals the query has the highest score.
 */
function scoreOf({ title, detail, keywords = "", id }: SearchEntry, words: readonly string[], phrase: string): number {
  if ([title, id, detail].some((text) => text.toLowerCase() === phrase)) return 1;
  const names = wordsOf(title);
  const detailWords = wordsOf(`${detail} ${keywords} ${id}`);
  let sum = 0;
  for (const word of words) {
    const quality = qualityOf(word, names, detailWords);
    if (quality === 0) return 0;
    sum += quality;
  }
  return sum / words.length;
}

/** The quality of a word's match, from 0 (none) to 0.9. */
function qualityOf(word: string, names: readonly string[], detailWords: readonly string[]): number {
  if (names.includes(word)) return 0.9;
  if (names.some((name) => name.startsWith(word))) return 0.8;
  if (detailWords.includes(word)) return 0.6;
  return detailWords.some((other) => other.startsWith(word)) ? 0.5 : 0;
}

/**
 * Groups the hits, sorted by each group's first hit, which must be the group's best. Beats stay last, because they
 * arrive later and must not move other results under the pointer.
 */
export function groupHits(hits: readonly Hit[]): { group: HitGroup; hits: Hit[] }[] {
  const groups = [...new Set(hits.map(({ group }) => group))].map((group) => ({
    group,
    hits: hits.filter((hit) => hit.group === group),
  }));
  const best = ({ group, hits: [first] }: (typeof groups)[number]): number =>
    group === "Beats" ? -1 : (first?.score ?? 0);
  return groups.sort((a, b) => best(b) - best(a));
}
