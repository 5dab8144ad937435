import { lookupOf } from "../../../src/resources/search/rules.ts";
import type { CommonWord, SearchTotals } from "../../../src/resources/search/totals/totals.ts";
import { readQuery } from "../../../src/text/search-words.ts";

export const common = (word: string): CommonWord => ({ word, found: lookupOf(readQuery(word))?.found ?? "" });

/** Keeps the totals of words. Nothing else may be writing. */
export async function keepTotals(totals: SearchTotals, ...words: string[]): Promise<void> {
  for (const word of words) totals.enqueue(common(word));
  for (let times = 0; times <= words.length; times++) await totals.refresh();
}
