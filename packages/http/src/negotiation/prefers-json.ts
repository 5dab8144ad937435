import { memoized, preferences } from "./preferences.ts";

const pageTypes = ["text/html", "application/xhtml+xml"];

/**
 * Whether Accept names JSON with a higher q than HTML, or without HTML. A wildcard prefers nothing: programs that show
 * previews of links send one, and read the page.
 */
export const prefersJson = memoized((accept: string): boolean => {
  const ranges = preferences(accept);
  const qOf = (types: readonly string[]) =>
    Math.max(0, ...ranges.map(({ value, q }) => (types.includes(value) ? q : 0)));
  return qOf(["application/json"]) > qOf(pageTypes);
});
