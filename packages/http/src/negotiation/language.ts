import { memoized, preferences } from "./preferences.ts";

/** The tags of an Accept-Language header, most preferred first (RFC 9110 12.5.4). */
const preferredTags = memoized((header: string) =>
  preferences(header)
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q)
    .map(({ value }) => value),
);

/**
 * The available language that an Accept-Language header prefers (RFC 4647 3.4, Lookup): `de-AT` matches `de`. Returns
 * the first available language for `*`, or if no tag matches.
 */
export function preferredLanguage<Tag extends string>(header: string, available: readonly [Tag, ...Tag[]]): Tag {
  for (const tag of preferredTags(header)) {
    const language = available.find((each) => tag === each || tag.startsWith(`${each}-`));
    if (language !== undefined) return language;
    if (tag === "*") break;
  }
  return available[0];
}
