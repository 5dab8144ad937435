import { pascalCase } from "../case.ts";
import { blockComment, Layout } from "../layout.ts";

/** The line length that PSR-12 recommends. */
const columns = 120;
const layout = new Layout({ columns, indent: "    ", comment: blockComment });

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

/** A tag of a PHPDoc comment: `@param int|null $limit The number of results on a page.` */
export interface Tag {
  tag: string;
  type: string;
  /** The variable, such as `$limit`; empty for tags without one. */
  name: string;
  text: string;
}

/** A PHPDoc comment with its tags in aligned columns. */
export function comment(paragraphs: string[], tags: Tag[], indent: string): string {
  const groups = Object.values(Object.groupBy(tags, ({ tag }) => tag) as Record<string, Tag[]>);
  return layout.comment(
    paragraphs,
    indent,
    groups.map((group) => tagLines(group, `${indent} * `)),
  );
}

function tagLines(tags: Tag[], margin: string): string[] {
  const typeWidth = Math.max(...tags.map(({ type }) => (type.length > 40 ? 0 : type.length)));
  const nameWidth = Math.max(...tags.map(({ name }) => name.length));
  return tags.flatMap(({ tag, type, name, text }) => {
    const start = name === "" ? `${tag} ${type}` : `${tag} ${type.padEnd(typeWidth)} ${name.padEnd(nameWidth)}`;
    if (text === "") return [margin + start.trimEnd()];
    const isLong = start.length > (columns - margin.length) / 2;
    const hanging = margin + " ".repeat((isLong ? tag : start).length + 1);
    return isLong
      ? [margin + start.trimEnd(), ...layout.wrap(text, hanging)]
      : layout.wrap(text, `${margin}${start} `, hanging);
  });
}

/** Converts `beat.created` to `BEAT_CREATED`, and `2xx` to `_2XX`, because an identifier cannot begin with a digit. */
export const constant = (value: string): string =>
  value
    .toUpperCase()
    .replace(/\W/g, "_")
    .replace(/^(?=\d)/, "_");

/** Converts `beat.created` to `BeatCreated`, and `2xx` to `_2xx`. */
export const caseOf = (value: string): string => pascalCase(value.replace(/\W/g, "_")).replace(/^(?=\d)/, "_");

/** A call or array, on several lines if it does not fit on one. */
export const list = (open: string, items: string[], close: string, indent: string): string =>
  layout.list(open, items, close, indent);

/**
 * The head of a method with its opening brace. PSR-12 puts the brace on a separate line unless the parameters are on
 * several lines.
 */
export function methodHead(open: string, parameters: string[], close: string): string {
  const head = list(open, parameters, close, "    ");
  return `    ${head}${head.endsWith(`\n    ${close}`) ? " {\n" : "\n    {\n"}`;
}
