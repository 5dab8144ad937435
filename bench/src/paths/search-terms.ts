/** Search terms of each kind. The most frequent words come first. Pairs are in the order of the titles. */
export type SearchTerms = Record<
  "common word" | "rare word" | "two words" | "prefix" | "misspelt word" | "another script",
  string[]
>;

const commonLength = 4;
const rareLength = 6;

/** Finds up to `termCount` terms of each kind in a sample of titles. The same titles give the same terms. */
export function searchTerms(titles: readonly string[], termCount: number): SearchTerms {
  const counts = new Map<string, number>();
  const pairs = new Set<string>();
  for (const title of titles) {
    const words = wordsOf(title);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [index, word] of words.entries()) {
      const next = words[index + 1];
      if (next !== undefined && isLatin(word) && isLatin(next) && word.length > 3 && next.length > 2)
        pairs.add(`${word} ${next}`);
    }
  }
  const byCount = Array.from(counts).toSorted((a, b) => b[1] - a[1]);
  const latin = byCount.filter(([word]) => isLatin(word));
  const usableWords = latin.filter(([word, count]) => word.length >= rareLength && count > 1).map(([word]) => word);
  const firstTerms = (terms: Iterable<string>) => Array.from(new Set(terms)).slice(0, termCount);
  return {
    "common word": firstTerms(latin.filter(([word]) => word.length >= commonLength).map(([word]) => word)),
    "rare word": firstTerms(
      latin.filter(([word, count]) => word.length >= rareLength && count === 1).map(([word]) => word),
    ),
    "two words": firstTerms(pairs),
    prefix: firstTerms(latin.filter(([word]) => word.length > 4).map(([word]) => word.slice(0, 4))),
    "misspelt word": firstTerms(usableWords.map(misspelt)),
    "another script": firstTerms(byCount.filter(([word]) => !isLatin(word)).map(([word]) => word)),
  };
}

const wordsOf = (title: string): string[] => title.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
const isLatin = (word: string): boolean => /^[a-z]+$/.test(word) || /\p{Script=Latin}/u.test(word);

/** Swaps two letters in the middle. If they are equal, drops one. */
function misspelt(word: string): string {
  const index = word.length >> 1;
  const [before = "", after = ""] = [word[index - 1], word[index]];
  return word.slice(0, index - 1) + (before === after ? after : after + before) + word.slice(index + 1);
}
