/** As PSR-12 advises. */
const columns = 120;

/** A PHP file. */
export function file(namespace: string, uses: Iterable<string>, code: string): string {
  const lines = [...new Set(uses)].sort().map((name) => `use ${name};`);
  const imports = lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
  return `<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace ${namespace};

${imports}${code}`;
}

/** A tag of a PHPDoc comment: `@param int|null $limit Results per page.` */
export interface Tag {
  tag: string;
  type: string;
  /** `$limit`; "" for tags without one. */
  name: string;
  text: string;
}

/** A PHPDoc comment, with its tags in columns. */
export function comment(paragraphs: string[], tags: Tag[], indent: string): string {
  const prose = paragraphs.filter((text) => text !== "").map((text) => wrapped(text, columns - indent.length - 3));
  const groups = Object.values(Object.groupBy(tags, ({ tag }) => tag) as Record<string, Tag[]>).map((group) =>
    tagLines(group, columns - indent.length - 3),
  );
  const lines = [...prose, ...groups].flatMap((block, index) => (index === 0 ? block : ["", ...block]));
  const [only = ""] = lines;
  if (lines.length === 1 && tags.length === 0) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

function tagLines(tags: Tag[], width: number): string[] {
  const typeWidth = Math.max(...tags.map(({ type }) => (type.length > 40 ? 0 : type.length)));
  const nameWidth = Math.max(...tags.map(({ name }) => name.length));
  return tags.flatMap(({ tag, type, name, text }) => {
    const start = name === "" ? `${tag} ${type}` : `${tag} ${type.padEnd(typeWidth)} ${name.padEnd(nameWidth)}`;
    if (text === "") return [start.trimEnd()];
    const isLong = start.length > width / 2;
    const left = isLong ? tag.length + 1 : start.length + 1;
    const [first = "", ...rest] = wrapped(text, width - left);
    const hanging = (line: string) => `${" ".repeat(left)}${line}`;
    return isLong
      ? [start.trimEnd(), hanging(first), ...rest.map(hanging)]
      : [`${start} ${first}`, ...rest.map(hanging)];
  });
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** `display_name` as `displayName`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const pascalCase = (name: string): string => {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
};

/** `beat.created` as `BEAT_CREATED`, `2xx` as `_2XX`: an identifier begins with no digit. */
export const constant = (value: string): string =>
  value
    .toUpperCase()
    .replace(/\W/g, "_")
    .replace(/^(?=\d)/, "_");

/** `beat.created` as `BeatCreated`, `2xx` as `_2xx`. */
export const caseOf = (value: string): string => pascalCase(value.replace(/\W/g, "_")).replace(/^(?=\d)/, "_");

/** A call or array over several lines if it does not fit into one. */
export function list(open: string, items: string[], close: string, indent: string): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (indent.length + line.length < columns && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join("")}${indent}${close}`;
}
