import { memoized, preferences } from "./preferences.ts";

const pageTypes = ["text/html", "application/xhtml+xml"];

/**
 * Whether Accept names JSON, and HTML not at all or with a lower q. Ignores wildcards: programs that show previews of
 * links send a wildcard and need the page.
 */
export const prefersJson = memoized((accept: string): boolean => {
  const ranges = preferences(accept);
  const qOf = (types: readonly string[]) =>
    Math.max(0, ...ranges.map(({ value, q }) => (types.includes(value) ? q : 0)));
  return qOf(["application/json"]) > qOf(pageTypes);
});
