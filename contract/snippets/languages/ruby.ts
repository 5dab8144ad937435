import { type Call, type Connection, type RawCall, rawCall, type TypedCall, typedCall } from "../call.ts";
import { bracketed, escapeInvisible, literal, type Notation } from "../source-text.ts";

const notation: Notation = {
  text: rubyText,
  words: { null: "nil", true: "true", false: "false" },
  array: ["[", "]"],
  object: ["{ ", " }"],
  member: (name, value) => (/^[a-z_]\w*$/.test(name) ? `${name}: ${value}` : `${rubyText(name)} => ${value}`),
  indent: "  ",
  trailingComma: "",
};

/** A Ruby 3 program. */
export function rubySnippet(call: Call, { baseUrl, keyVariable, caFile }: Connection): string {
  const options = [
    `api_key: ENV.fetch(${rubyText(keyVariable)})`,
    `base_url: ${rubyText(baseUrl)}`,
    ...(caFile === undefined ? [] : [`ca_file: ${rubyText(caFile)}`]),
  ];
  const before = "client = BeatMarket::Client.new";
  const typed = typedCall(call);
  return `${typed === undefined ? `require "beatmarket"\nrequire "json"` : `require "beatmarket"`}

${before}${bracketed(["(", ")"], options, notation, before)}

${typed === undefined ? rawLines(rawCall(call)) : typedLines(typed)}
`;
}

function typedLines({ operation, positional, named, idempotencyKey, shows }: TypedCall): string {
  const path = ["client", ...(operation.resource === null ? [] : [operation.resource]), operation.verb].join(".");
  const args = [
    ...positional.map((value) => literal(value, notation)),
    ...named.map(([name, value]) => `${name}: ${literal(value, notation)}`),
    ...(idempotencyKey === undefined ? [] : [`idempotency_key: ${rubyText(idempotencyKey)}`]),
  ];
  const invoked = (before: string): string =>
    args.length === 0 ? before : `${before}${bracketed(["(", ")"], args, notation, before)}`;
  const { resource, field } = shows;
  if (shows.as === "file")
    return `download = ${path}(${[...args, rubyText(resource)].join(", ")})\nputs download.${field}`;
  if (shows.as === "one") return `${invoked(`${resource} = ${path}`)}\nputs ${resource}.${field}`;
  const items = { array: "", page: ".data", member: `.${resource}s` }[shows.as];
  return `${invoked(path)}${items}.each { |${resource}| puts ${resource}.${field} }`;
}

function rawLines({ method, path, query, headers, body }: RawCall): string {
  const args = [
    rubyText(method),
    rubyText(path),
    ...(query.length === 0 ? [] : [`query: ${literal(Object.fromEntries(query), notation)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(headers), notation)}`]),
    ...(body === undefined ? [] : [`body: ${literal(body, notation)}`]),
  ];
  const before = "answer = client.request";
  return `${before}${bracketed(["(", ")"], args, notation, before)}\nputs JSON.pretty_generate(answer.body)`;
}

/**
 * A Ruby string in double quotes. A number sign before a brace, a dollar or an at sign would begin an interpolation.
 */
function rubyText(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/#(?=[{$@])/g, "\\#");
  return `"${escapeInvisible(escaped, (hex) => `\\u{${hex}}`)}"`;
}
