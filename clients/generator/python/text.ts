const width = 120;
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

/** `beat_id` or `orders` as BeatId, Orders. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `listBeats` as LIST_BEATS. */
export const constant = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** What the document says, in words of Python. */
export const inPython = (text: string): string =>
  text
    .replace(/\bnull\b/g, "None")
    .replace(/\bNull\b/g, "None")
    .replace(/=false\b/g, "=False")
    .replace(/Default: (true|false)/g, (_, value: string) => `Default: ${pascal(value)}`);

/** Lines of at most the width, each after the indentation. */
export function wrapped(text: string, indent: string, hanging = ""): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + hanging;
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** A docstring: on one line if it fits, else the first sentence, and the rest below it. */
export function docstring(text: string, indent: string, sections: string[] = []): string[] {
  const whole = `${indent}"""${text}"""`;
  if (sections.length === 0 && whole.length <= width) return [whole];
  const [first, rest] = split(text);
  const summary = `${indent}"""${first}`;
  const lines = summary.length <= width ? [summary] : wrapped(`"""${first}`, indent);
  return [...lines, ...(rest ? ["", ...wrapped(rest, indent)] : []), ...sections, `${indent}"""`];
}

/** The first sentence, and the others. */
function split(text: string): [string, string] {
  const end = /[.:](?= [A-Z`"])/.exec(text);
  if (end === null || end[0] === ":") return [text, ""];
  return [text.slice(0, end.index + 1), text.slice(end.index + 2)];
}

/** A call, definition or collection as ruff formats it: on one line, else with its items on the next, else on one each. */
export function bracketed(before: string, items: string[], after: string, indent: string): string[] {
  const one = `${indent}${before}${items.join(", ")}${after}`;
  if (one.length <= width) return [one];
  const inner = `${indent}    ${items.join(", ")}`;
  // Of a dict or tuple, items that do not fit stand on lines of their own.
  if (inner.length <= width && !/[{]$|^\($/.test(before)) return [indent + before, inner, indent + after];
  return [indent + before, ...items.map((item) => `${indent}    ${item},`), indent + after];
}

/** An import of these names: on one line if it fits, else with a line for each. */
export function importing(module: string, names: Iterable<string>): string[] {
  const sorted = [...new Set(names)].sort(byKind);
  if (sorted.length === 0) return [];
  const one = `from ${module} import ${sorted.join(", ")}`;
  return one.length <= width ? [one] : [`from ${module} import (`, ...sorted.map((name) => `    ${name},`), ")"];
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
