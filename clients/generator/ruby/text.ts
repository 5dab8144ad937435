import { Layout } from "../layout.ts";

const layout = new Layout({ indent: "  ", comment: { line: "# " }, items: "filled", lastComma: "" });
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
  const margin = `${" ".repeat(indent)}# `;
  const [leading = ""] = /^ */.exec(text) ?? [];
  const lines = layout.wrap(text.slice(leading.length), margin + leading, margin + " ".repeat(hanging));
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** `open`, the items and `close` on one line, or the items in lines of their own that are as full as they can be. */
export function list(indent: number, open: string, items: string[], close: string, padding = ""): string {
  const margin = " ".repeat(indent);
  return margin + layout.list(open, items, close, margin, padding);
}

/** `field :id, genre: GenreName`, whose names are under each other where it takes several lines. */
export const declared = (before: string, items: string[]): string => {
  const words = items.map((item, index) => (index === items.length - 1 ? item : `${item},`));
  return layout.fill(words, before, " ".repeat(before.length)).join("\n");
};

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
