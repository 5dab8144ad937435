import { type Call, type Connection, type Json, type RawCall, rawCall, type TypedCall, typedCall } from "../call.ts";
import { bracketed, camelCase, escapeInvisible, literal, type Notation } from "../source-text.ts";

const notation: Notation = {
  text: phpText,
  words: { null: "null", true: "true", false: "false" },
  array: ["[", "]"],
  object: ["[", "]"],
  member: (name, value) => `${phpText(name)} => ${value}`,
  oddObject: (object) => (isListInPhp(object) ? ["(object) [", "]"] : undefined),
  indent: "    ",
  trailingComma: ",",
};

/** A PHP 8.1 program. */
export function phpSnippet(call: Call, { baseUrl, keyVariable, caFile }: Connection): string {
  const options = [
    `apiKey: getenv(${phpText(keyVariable)})`,
    `baseUrl: ${phpText(baseUrl)}`,
    ...(caFile === undefined ? [] : [`caFile: ${phpText(caFile)}`]),
  ];
  const before = "$client = new BeatMarket\\Client";
  const typed = typedCall(call);
  return `<?php

require 'vendor/autoload.php';

${before}${bracketed(["(", ")"], options, notation, before)};

${typed === undefined ? rawLines(rawCall(call)) : typedLines(typed)}
`;
}

function typedLines({ operation, positional, named, idempotencyKey, shows }: TypedCall): string {
  const path = ["$client", ...(operation.resource === null ? [] : [operation.resource]), camelCase(operation.verb)];
  const args = [
    ...positional.map((value) => literal(value, notation)),
    ...named.map(([name, value]) => `${camelCase(name)}: ${literal(value, notation)}`),
    ...(idempotencyKey === undefined ? [] : [`idempotencyKey: ${phpText(idempotencyKey)}`]),
  ];
  const { resource } = shows;
  const field = camelCase(shows.field);
  if (shows.as === "file")
    return `$download = ${path.join("->")}(${[...args, phpText(resource)].join(", ")});\necho $download->${field}, PHP_EOL;`;
  if (shows.as === "one") {
    const before = `$${resource} = ${path.join("->")}`;
    return `${before}${bracketed(["(", ")"], args, notation, before)};\necho $${resource}->${field}, PHP_EOL;`;
  }
  const before = `foreach (${path.join("->")}`;
  const items = { array: "", page: "->data", member: `->${resource}s` }[shows.as];
  return `${before}${bracketed(["(", ")"], args, notation, before)}${items} as $${resource}) {
    echo $${resource}->${field}, PHP_EOL;
}`;
}

function rawLines({ method, path, query, headers, body }: RawCall): string {
  const args = [
    phpText(method),
    phpText(path),
    ...(query.length === 0 ? [] : [`query: ${literal(Object.fromEntries(query), notation)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(headers), notation)}`]),
    ...(body === undefined ? [] : [`body: ${literal(body, notation)}`]),
  ];
  const before = "$answer = $client->request";
  return `${before}${bracketed(["(", ")"], args, notation, before)};
echo json_encode($answer->body, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), PHP_EOL;`;
}

/**
 * A PHP string: in single quotes, in which only the quote and the backslash are special, or in double quotes if it
 * needs an escape.
 */
function phpText(text: string): string {
  if (escapeInvisible(text, () => "") === text) return `'${text.replace(/['\\]/g, "\\$&")}'`;
  return `"${escapeInvisible(text.replace(/["\\$]/g, "\\$&"), (hex) => `\\u{${hex}}`)}"`;
}

/** Whether PHP would send an object as a list: it converts names such as "0" to integers, and has no empty object. */
const isListInPhp = (object: Record<string, Json>): boolean =>
  Object.keys(object).every((name) => /^(0|-?[1-9]\d*)$/.test(name));
