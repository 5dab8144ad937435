/** Divides a text at the places where a word of the text begins with one of `words`. Such a beginning is a match. */
export function marked(text: string, words: readonly string[]): { text: string; isMatch: boolean }[] {
  if (words.length === 0) return [{ text, isMatch: false }];
  // Ignores single letters if there are longer words, since every tenth word begins with a given letter.
  const longWords = words.filter((word) => word.length > 1);
  const prefixes = (longWords.length > 0 ? longWords : words)
    .map((word) => word.toLowerCase())
    .sort((a, b) => b.length - a.length);
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

/** Returns the part of a text around the first match, cut between words: at most `length` characters, and ellipses. */
export function excerptOf(text: string, words: readonly string[], length = excerptLength): string {
  if (text.length <= length) return text;
  const parts = marked(text, words);
  const matchAt = parts[0]?.isMatch === false && parts.length > 1 ? parts[0].text.length : 0;
  const from = matchAt <= 40 ? 0 : text.indexOf(" ", matchAt - 40) + 1;
  const to = excerptEnd(text, from, length);
  return `${from === 0 ? "" : "… "}${text.slice(from, to)}${to === text.length ? "" : " …"}`;
}

/** The last space within `length` characters from `from`; without a space the word is cut. */
function excerptEnd(text: string, from: number, length: number): number {
  if (text.length <= from + length) return text.length;
  const space = text.lastIndexOf(" ", from + length);
  return space > from ? space : from + length;
}
