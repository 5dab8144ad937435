import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import { isVisible } from "@beatmarket/foundation/text/visible-text.ts";

/**
 * Tags in the form in which every writer stores them: composed, with single spaces, without empty or invisible ones. Of
 * tags that filters and facets treat as equal (Lo-Fi, lofi and LO FI) the first stays; C, C# and C++ are three tags.
 * Pure.
 */
export function canonicalTags(texts: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const tag = text.normalize("NFC").replace(/\s+/g, " ").trim();
    const key = `${foldWhole(tag)} ${tag.normalize("NFKC").replaceAll("♯", "#").replace(/[^+#]/g, "")}`;
    if (isVisible(tag) && !byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}
