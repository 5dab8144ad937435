import { wordsOf } from "@beatmarket/docs-search/words.ts";

/** A search result. */
export interface Hit {
  group: HitGroup;
  /** Unique within a group. */
  id: string;
  title: string;
  /** Second line: its place or kind. */
  detail: string;
  /** The part of a text that matched. */
  excerpt?: string;
  /** An address of this origin; absent for an action, which `run` performs. */
  address?: string;
  run?: () => void;
  /** 0 to 1. */
  score: number;
}

export type HitGroup = "Recent" | "By id" | "Go to" | "Calls" | "Docs" | "API keys" | "Endpoints" | "Beats";

/** An entry that is found by the words of its name. */
export interface SearchEntry extends Omit<Hit, "score"> {
  /** Further words that find it. */
  keywords?: string;
}

/** The best of the entries, best first, each with its score; none for a query without words. */
export function rankEntries(query: string, entries: readonly SearchEntry[], limit: number): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const whole = query.trim().toLowerCase();
  return entries
    .map((entry) => ({ ...entry, score: scoreOf(entry, words, whole) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.title.length - b.title.length)
    .slice(0, limit);
}

/**
 * Every word has to be the beginning of a word of the name, the detail or the keywords. Names count most, and equal
 * names most of all.
 */
function scoreOf({ title, detail, keywords = "", id }: SearchEntry, words: readonly string[], whole: string): number {
  if ([title, id, detail].some((text) => text.toLowerCase() === whole)) return 1;
  const names = wordsOf(title);
  const others = wordsOf(`${detail} ${keywords} ${id}`);
  let sum = 0;
  for (const word of words) {
    const quality = names.includes(word)
      ? 0.9
      : names.some((name) => name.startsWith(word))
        ? 0.8
        : others.includes(word)
          ? 0.6
          : others.some((other) => other.startsWith(word))
            ? 0.5
            : 0;
    if (quality === 0) return 0;
    sum += quality;
  }
  return sum / words.length;
}

/**
 * Groups in the order of their best hit; beats arrive later and stay last, so that no result moves under the pointer.
 */
export function grouped(hits: readonly Hit[]): { group: HitGroup; hits: Hit[] }[] {
  const groups = [...new Set(hits.map(({ group }) => group))].map((group) => ({
    group,
    hits: hits.filter((hit) => hit.group === group),
  }));
  const best = ({ group, hits: [first] }: (typeof groups)[number]): number =>
    group === "Beats" ? -1 : (first?.score ?? 0);
  return groups.sort((a, b) => best(b) - best(a));
}
