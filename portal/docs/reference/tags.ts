import { type Doc, type Item, noDoc, paragraphs } from "./declarations.ts";

/**
 * Parses a comment with tags such as `@param` (PHPDoc, YARD). `itemOf` splits a tag's text into type, name and text.
 */
export function taggedDoc(
  lines: readonly string[],
  itemOf: (tag: string, text: string) => Item,
): Doc & { isHidden: boolean } {
  const doc = { ...noDoc(), isHidden: false };
  const text: string[] = [];
  const tags: { tag: string; text: string }[] = [];
  for (const line of lines) {
    const [, tag, tagText = ""] = /^\s*@([\w!-]+)\s*(.*)$/.exec(line) ?? [];
    const last = tags.at(-1);
    if (tag !== undefined) tags.push({ tag, text: tagText });
    else if (last !== undefined && line.trim() !== "") last.text += ` ${line.trim()}`;
    else if (last === undefined) text.push(line);
  }
  let attribute: string | undefined;
  for (const { tag, text: tagText } of tags) {
    if (tag === "internal" || (tag === "api" && tagText === "private")) doc.isHidden = true;
    if (tag === "!attribute") attribute = tagText.replace(/^\[\w+\] /, "");
    const item = itemOf(tag, tagText);
    if (tag === "param" || tag === "yieldparam")
      doc.parameters.push(tag === "param" ? item : { ...item, name: `block: ${item.name}` });
    if (/^property/.test(tag)) doc.fields.push(item);
    if (tag === "return" && attribute !== undefined) doc.fields.push({ ...item, name: attribute });
    else if (tag === "return") doc.returns.push(item);
    if (tag === "throws" || tag === "raise") doc.errors.push(item);
    if (tag === "return") attribute = undefined;
  }
  return { ...doc, text: paragraphs(text) };
}
