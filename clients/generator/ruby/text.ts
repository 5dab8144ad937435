import { Layout } from "../layout.ts";

const layout = new Layout({ indent: "  ", comment: { line: "# " }, items: "filled", lastComma: "" });
const reserved = new Set(
  "and begin break case class def do else end ensure false for if in module nil not or redo rescue retry return self super then true undef unless until when while yield".split(
    " ",
  ),
);

/** Converts a description of the contract to RDoc: code in typewriter, nil for null. */
export const rdoc = (markdown: string): string =>
  markdown
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .replaceAll(/`([^`]+)`/g, (_, code: string) => (/^[\w:.]+$/.test(code) ? `+${code}+` : `<tt>${code}</tt>`))
    .replaceAll(/\bnull\b/g, "nil")
    .replaceAll(/\bNull\b/g, "Nil")
    .replaceAll(/\s*\n\s*/g, " ");

/** The wrapped comment lines of a text. All lines after the first are indented by `hanging` spaces. */
export function comment(indent: number, text: string, hanging = 0): string {
  const margin = `${" ".repeat(indent)}# `;
  const [leading = ""] = /^ */.exec(text) ?? [];
  const lines = layout.wrap(text.slice(leading.length), margin + leading, margin + " ".repeat(hanging));
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** `open`, the items and `close` on one line, or the items on separate, filled lines. */
export function list(indent: number, open: string, items: string[], close: string, padding = ""): string {
  const margin = " ".repeat(indent);
  return margin + layout.list(open, items, close, margin, padding);
}

/** A declaration such as `field :id, genre: GenreName`. If it needs several lines, the names are aligned. */
export const fieldDeclaration = (before: string, items: string[]): string => {
  const words = items.map((item, index) => (index === items.length - 1 ? item : `${item},`));
  return layout.fill(words, before, " ".repeat(before.length)).join("\n");
};

/** Converts a name to a Ruby argument. Throws an Error for a keyword of Ruby. */
export function argument(name: string): string {
  if (reserved.has(name))
    throw new Error(`The parameter ${name} is a keyword of Ruby: give it another name in the contract.`);
  return name;
}

/** A Ruby file, with all code within the module. */
export const file = (name: string, requires: string[], body: string): { path: string; text: string } => ({
  path: `ruby/lib/beatmarket/generated/${name}.rb`,
  text: `# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

${requires.map((require) => `require_relative "${require}"\n`).join("")}${requires.length === 0 ? "" : "\n"}module BeatMarket
${body}
end
`,
});
