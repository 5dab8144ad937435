import { memoized, preferences } from "./preferences.ts";

/** The tags of an Accept-Language header, the preferred one first (RFC 9110 12.5.4). */
const preferredTags = memoized((header: string) =>
  preferences(header)
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q)
    .map(({ value }) => value),
);

/**
 * The language of `available` that an Accept-Language header prefers: `de-AT` matches `de`. `*` and no match are the first one
 * (the lookup of RFC 4647 3.4).
 */
export function preferredLanguage<Tag extends string>(header: string, available: readonly [Tag, ...Tag[]]): Tag {
  for (const tag of preferredTags(header)) {
    const language = available.find((each) => tag === each || tag.startsWith(`${each}-`));
    if (language !== undefined) return language;
    if (tag === "*") break;
  }
  return available[0];
}
