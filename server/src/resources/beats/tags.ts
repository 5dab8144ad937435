import { foldWhole } from "../../text/search-words.ts";

/**
 * Tags in the form in which every way in stores them: composed, with single spaces, without empty ones. Of those that filters
 * and facets take for one (Lo-Fi, lofi and LO FI) the first stays; C, C# and C++ are three. Pure.
 */
export function canonicalTags(given: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of given) {
    const tag = text.normalize("NFC").replace(/\s+/g, " ").trim();
    const key = `${foldWhole(tag)} ${tag.replace(/[^+#]/g, "")}`;
    if (tag !== "" && !byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}
