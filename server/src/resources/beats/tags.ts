import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import { isVisible } from "@beatmarket/foundation/text/visible-text.ts";

/**
 * Tags in the form in which every way in stores them: composed, with single spaces, without empty or invisible ones. Of those that filters
 * and facets take for one (Lo-Fi, lofi and LO FI) the first stays; C, C# and C++ are three. Pure.
 */
export function canonicalTags(given: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of given) {
    const tag = text.normalize("NFC").replace(/\s+/g, " ").trim();
    const key = `${foldWhole(tag)} ${tag.normalize("NFKC").replaceAll("♯", "#").replace(/[^+#]/g, "")}`;
    if (isVisible(tag) && !byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}
