const width = 120;
const reserved = new Set(
  "and begin break case class def do else end ensure false for if in module nil not or redo rescue retry return self super then true undef unless until when while yield".split(
    " ",
  ),
);

/** A description of the contract as RDoc: code in typewriter, nil for null. */
export const rdoc = (markdown: string): string =>
  markdown
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .replaceAll(/`([^`]+)`/g, (_, code: string) => (/^[\w:.]+$/.test(code) ? `+${code}+` : `<tt>${code}</tt>`))
    .replaceAll(/\bnull\b/g, "nil")
    .replaceAll(/\bNull\b/g, "Nil")
    .replaceAll(/\s*\n\s*/g, " ");

/** Comment lines of a text, wrapped; those after the first are indented by `hanging` spaces. */
export function comment(indent: number, text: string, hanging = 0): string {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? "";
  for (const word of text.trimStart().split(" ")) {
    if (line.trim() !== "" && indent + 2 + line.length + 1 + word.length > width) {
      lines.push(line);
      line = " ".repeat(hanging) + word;
    } else line = line.trim() === "" ? line + word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `${" ".repeat(indent)}# ${each}`.trimEnd()).join("\n");
}

/** `open`, the items and `close` on one line, or the items in lines of their own that are as full as they can be. */
export function list(indent: number, open: string, items: string[], close: string, padding = ""): string {
  const line = `${" ".repeat(indent)}${open}${padding}${items.join(", ")}${padding}${close}`;
  if (line.length <= width || items.length === 0) return line;
  return [`${" ".repeat(indent)}${open}`, fill(indent + 2, items), `${" ".repeat(indent)}${close}`].join("\n");
}

/** Items with commas between them, in lines that are as full as they can be. */
export function fill(indent: number, items: string[]): string {
  const lines: string[] = [];
  for (const item of items.map((item, index) => (index === items.length - 1 ? item : `${item},`))) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + item.length <= width)
      lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(item);
  }
  return lines.map((line) => " ".repeat(indent) + line).join("\n");
}

/** A name as a Ruby argument. Throws an Error for one of Ruby's own words. */
export function argument(name: string): string {
  if (reserved.has(name))
    throw new Error(`The parameter ${name} is a word of Ruby's own: give it another name in the contract.`);
  return name;
}

/** A file of Ruby, all of it within the module. */
export const file = (name: string, requires: string[], body: string): { path: string; text: string } => ({
  path: `ruby/lib/beatmarket/generated/${name}.rb`,
  text: `# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

${requires.map((require) => `require_relative "${require}"\n`).join("")}${requires.length === 0 ? "" : "\n"}module BeatMarket
${body}
end
`,
});
