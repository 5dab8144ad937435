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

/** Converts an API name to the name of an argument. */
export const argument = (name: string): string => (keywords.has(name) ? `${name}_` : name);

/** Converts `listBeats` to LIST_BEATS. */
export const constant = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Replaces words of the document by words of Python. */
export const inPython = (text: string): string =>
  text
    .replace(/\bnull\b/g, "None")
    .replace(/\bNull\b/g, "None")
    .replace(/=false\b/g, "=False")
    .replace(/Default: (true|false)/g, (_, value: string) => `Default: ${pascalCase(value)}`);

/** Wraps a text. Each line has the indentation. */
export const wrapText = (text: string, indent: string, hanging = ""): string[] =>
  layout.wrap(text, indent, indent + hanging);

/** A docstring: on one line if it fits, else the first sentence on one line and the others below it. */
export function docstring(text: string, indent: string, sections: string[] = []): string[] {
  const oneLine = `${indent}"""${text}"""`;
  if (sections.length === 0 && layout.fits(oneLine)) return [oneLine];
  const [first, remainder] = splitFirstSentence(text);
  return [
    ...wrapText(`"""${first}`, indent),
    ...(remainder ? ["", ...wrapText(remainder, indent)] : []),
    ...sections,
    `${indent}"""`,
  ];
}

/** The first sentence, and the remaining ones. */
function splitFirstSentence(text: string): [string, string] {
  const end = /[.:](?= [A-Z`"])/.exec(text);
  if (end === null || end[0] === ":") return [text, ""];
  return [text.slice(0, end.index + 1), text.slice(end.index + 2)];
}

/**
 * A call, definition or collection in ruff's format: on one line; if it is too long, all items on the next line, or one
 * item on each line.
 */
export function bracketed(before: string, items: string[], after: string, indent: string): string[] {
  const inner = `${indent}    ${items.join(", ")}`;
  const isOne = layout.fits(`${indent}${before}${items.join(", ")}${after}`);
  // In a dict or tuple, items that do not fit are on separate lines.
  if (!isOne && layout.fits(inner) && !/[{]$|^\($/.test(before)) return [indent + before, inner, indent + after];
  return `${indent}${layout.list(before, items, after, indent)}`.split("\n");
}

/** An import of these names: on one line if it fits, else with one name on each line. */
export function importing(module: string, names: Iterable<string>): string[] {
  const sorted = [...new Set(names)].sort(byKind);
  if (sorted.length === 0) return [];
  const before = `from ${module} import `;
  const line = before + sorted.join(", ");
  return layout.fits(line) ? [line] : layout.list(`${before}(`, sorted, ")").split("\n");
}

/** Compares names like ruff: constants before classes before functions. */
function byKind(firstName: string, secondName: string): number {
  const kind = (text: string): number => {
    if (text === text.toUpperCase()) return 0;
    return /^[A-Z]/.test(text) ? 1 : 2;
  };
  return kind(firstName) - kind(secondName) || (firstName < secondName ? -1 : 1);
}

/** A module, whose first line marks it as generated. */
export const module = (doc: string, lines: string[]): string =>
  `# Generated from contract/openapi.json by npm run contract; do not edit.\n"""${doc}"""\n\nfrom __future__ import annotations\n\n${lines.join("\n")}\n`;

/** The list `__all__` of a module. */
export const exported = (names: string[]): string[] => [
  "__all__ = [",
  ...[...names].sort(byKind).map((name) => `    "${name}",`),
  "]",
];
