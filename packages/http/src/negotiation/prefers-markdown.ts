import { memoized, preferences } from "./preferences.ts";

/** Whether Accept names Markdown with a higher q than HTML, or with the same q before HTML. Browsers never do. */
export const prefersMarkdown = memoized((accept: string): boolean => {
  const ranges = preferences(accept);
  const markdown = ranges.findIndex(({ value, q }) => value === "text/markdown" && q > 0);
  const html = ranges.findIndex(({ value, q }) => value === "text/html" && q > 0);
  if (markdown < 0 || html < 0) return markdown >= 0;
  const [markdownQ = 0, htmlQ = 0] = [ranges[markdown]?.q, ranges[html]?.q];
  return markdownQ > htmlQ || (markdownQ === htmlQ && markdown < html);
});
