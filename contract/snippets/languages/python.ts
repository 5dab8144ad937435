import { type Call, type Connection, type RawCall, rawCall, type TypedCall, typedCall } from "../call.ts";
import { bracketed, escapeInvisible, literal, type Notation } from "../source-text.ts";

const notation: Notation = {
  text: pythonText,
  words: { null: "None", true: "True", false: "False" },
  array: ["[", "]"],
  object: ["{", "}"],
  member: (name, value) => `${pythonText(name)}: ${value}`,
  indent: "    ",
  trailingComma: ",",
};

/** Keywords of Python that are also wire names. The client's parameters have an underscore at the end (PEP 8). */
const keywords: ReadonlySet<string> = new Set(["from"]);

/** A Python 3 program. */
export function pythonSnippet(call: Call, { baseUrl, keyVariable, caFile }: Connection): string {
  const typed = typedCall(call);
  const options = [
    `api_key=os.environ[${pythonText(keyVariable)}]`,
    `base_url=${pythonText(baseUrl)}`,
    ...(caFile === undefined ? [] : [`ca_file=${pythonText(caFile)}`]),
  ];
  return `${typed === undefined ? "import json\nimport os" : "import os"}

from beatmarket import BeatMarket

client = BeatMarket${bracketed(["(", ")"], options, notation, "client = BeatMarket")}

${typed === undefined ? rawLines(rawCall(call)) : typedLines(typed)}
`;
}

function typedLines({ operation, positional, named, idempotencyKey, shows }: TypedCall): string {
  const path = ["client", ...(operation.resource === null ? [] : [operation.resource]), operation.verb].join(".");
  const args = [
    ...positional.map((value) => literal(value, notation)),
    ...named.map(([name, value]) => `${keywords.has(name) ? `${name}_` : name}=${literal(value, notation)}`),
    ...(idempotencyKey === undefined ? [] : [`idempotency_key=${pythonText(idempotencyKey)}`]),
  ];
  const { resource, field } = shows;
  if (shows.as === "file")
    return `download = ${path}(${[...args, pythonText(resource)].join(", ")})\nprint(download.${field})`;
  if (shows.as === "one") {
    const before = `${resource} = ${path}`;
    return `${before}${bracketed(["(", ")"], args, notation, before)}\nprint(${resource}.${field})`;
  }
  const before = `for ${resource} in ${path}`;
  const items = { array: "", page: ".data", member: `.${resource}s` }[shows.as];
  return `${before}${bracketed(["(", ")"], args, notation, before)}${items}:\n    print(${resource}.${field})`;
}

function rawLines({ method, path, query, headers, body }: RawCall): string {
  const args = [
    pythonText(method),
    pythonText(path),
    ...(query.length === 0 ? [] : [`query=${literal(Object.fromEntries(query), notation)}`]),
    ...(headers.length === 0 ? [] : [`headers=${literal(Object.fromEntries(headers), notation)}`]),
    ...(body === undefined ? [] : [`body=${literal(body, notation)}`]),
  ];
  const before = "answer = client.request";
  return `${before}${bracketed(["(", ")"], args, notation, before)}\nprint(json.dumps(answer.body, ensure_ascii=False, indent=2))`;
}

/** A Python string: JSON, except for characters beyond U+FFFF, which Python does not write as two surrogates. */
function pythonText(text: string): string {
  return escapeInvisible(JSON.stringify(text), (hex) =>
    hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`,
  );
}
