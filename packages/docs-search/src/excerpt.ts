/** Divides a text into parts; a part that begins with one of the words is a match. */
export function marked(text: string, words: readonly string[]): { text: string; isMatch: boolean }[] {
  if (words.length === 0) return [{ text, isMatch: false }];
  // Ignores single letters, since every tenth word begins with a given letter.
  const telling = words.some((word) => word.length > 1) ? words.filter((word) => word.length > 1) : words;
  const prefixes = telling.map((word) => word.toLowerCase()).sort((a, b) => b.length - a.length);
  const parts: { text: string; isMatch: boolean }[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])\S/gu)) {
    if (index < from) continue;
    const prefix = prefixes.find((each) => text.slice(index, index + each.length).toLowerCase() === each);
    if (prefix === undefined) continue;
    const match = text.slice(index, index + prefix.length);
    if (index > from) parts.push({ text: text.slice(from, index), isMatch: false });
    parts.push({ text: match, isMatch: true });
    from = index + match.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false });
  return parts;
}

const excerptLength = 140;

/** Returns the part of a text around the first match, cut between words; about `length` characters at most. */
export function excerptOf(text: string, words: readonly string[], length = excerptLength): string {
  if (text.length <= length) return text;
  const first = marked(text, words);
  const at = first[0]?.isMatch === false && first.length > 1 ? first[0].text.length : 0;
  const from = at <= 40 ? 0 : text.indexOf(" ", at - 40) + 1;
  const end = text.lastIndexOf(" ", from + length);
  const to = text.length <= from + length ? text.length : end > from ? end : from + length;
  return `${from === 0 ? "" : "… "}${text.slice(from, to)}${to === text.length ? "" : " …"}`;
}
