import { pascalCase } from "../case.ts";
import { Layout } from "../layout.ts";

const layout = new Layout({ indent: "    ", comment: { line: "# " } });
const keywords = new Set([
  "from",
  "import",
  "class",
  "def",
  "global",
  "in",
  "is",
  "lambda",
  "not",
  "or",
  "and",
  "with",
]);

/** A wire name as the name of an argument. */
export const argument = (name: string): string => (keywords.has(name) ? `${name}_` : name);

/** `listBeats` as LIST_BEATS. */
export const constant = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** What the document says, in words of Python. */
export const inPython = (text: string): string =>
  text
    .replace(/\bnull\b/g, "None")
    .replace(/\bNull\b/g, "None")
    .replace(/=false\b/g, "=False")
    .replace(/Default: (true|false)/g, (_, value: string) => `Default: ${pascalCase(value)}`);

/** Lines of a text, each after the indentation. */
export const wrapped = (text: string, indent: string, hanging = ""): string[] =>
  layout.wrap(text, indent, indent + hanging);

/** A docstring: on one line if it fits, else the first sentence, and the rest below it. */
export function docstring(text: string, indent: string, sections: string[] = []): string[] {
  const whole = `${indent}"""${text}"""`;
  if (sections.length === 0 && layout.fits(whole)) return [whole];
  const [first, rest] = split(text);
  return [
    ...wrapped(`"""${first}`, indent),
    ...(rest ? ["", ...wrapped(rest, indent)] : []),
    ...sections,
    `${indent}"""`,
  ];
}

/** The first sentence, and the others. */
function split(text: string): [string, string] {
  const end = /[.:](?= [A-Z`"])/.exec(text);
  if (end === null || end[0] === ":") return [text, ""];
  return [text.slice(0, end.index + 1), text.slice(end.index + 2)];
}

/** A call, definition or collection as ruff formats it: on one line, else with its items on the next, else on one each. */
export function bracketed(before: string, items: string[], after: string, indent: string): string[] {
  const inner = `${indent}    ${items.join(", ")}`;
  const isOne = layout.fits(`${indent}${before}${items.join(", ")}${after}`);
  // Of a dict or tuple, items that do not fit stand on lines of their own.
  if (!isOne && layout.fits(inner) && !/[{]$|^\($/.test(before)) return [indent + before, inner, indent + after];
  return `${indent}${layout.list(before, items, after, indent)}`.split("\n");
}

/** An import of these names: on one line if it fits, else with a line for each. */
export function importing(module: string, names: Iterable<string>): string[] {
  const sorted = [...new Set(names)].sort(byKind);
  if (sorted.length === 0) return [];
  const before = `from ${module} import `;
  const one = before + sorted.join(", ");
  return layout.fits(one) ? [one] : layout.list(`${before}(`, sorted, ")").split("\n");
}

/** Constants before classes before functions, as ruff sorts them. */
function byKind(one: string, other: string): number {
  const kind = (name: string): number => (name === name.toUpperCase() ? 0 : /^[A-Z]/.test(name) ? 1 : 2);
  return kind(one) - kind(other) || (one < other ? -1 : 1);
}

/** A module, whose first line says that it is generated. */
export const module = (doc: string, lines: string[]): string =>
  `# Generated from contract/openapi.json by npm run contract; do not edit.\n"""${doc}"""\n\nfrom __future__ import annotations\n\n${lines.join("\n")}\n`;

/** `__all__` of a module. */
export const exported = (names: string[]): string[] => [
  "__all__ = [",
  ...[...names].sort(byKind).map((name) => `    "${name}",`),
  "]",
];
