import { type Call, type Connection, type Json, type RawCall, rawCall, type TypedCall, typedCall } from "../call.ts";
import { operations } from "../operations.ts";
import { bracketed } from "../source-text.ts";
import { goName } from "./go-name.ts";
import { goStructure, goText, goTypes, goValue, withKeys } from "./go-value.ts";

const form = { indent: "\t", trailingComma: "," } as const;
const check = "if err != nil {\n\tlog.Fatal(err)\n}";

/** A Go program. */
export function goSnippet(call: Call, { baseUrl, keyVariable, caFile }: Connection): string {
  const typed = typedCall(call);
  const lines = (typed && typedLines(typed)) ?? rawLines(rawCall(call));
  const options = [
    `beatmarket.WithAPIKey(os.Getenv(${goText(keyVariable)}))`,
    `beatmarket.WithBaseURL(${goText(baseUrl)})`,
    ...(caFile === undefined ? [] : [`beatmarket.WithCAFile(${goText(caFile)})`]),
  ];
  const client = `client, err := beatmarket.New${bracketed(["(", ")"], options, form, "client, err := beatmarket.New")}`;
  const used = ["context", "fmt", "log", "net/http", "net/url", "os"].filter((name) =>
    ["context", "log", "os"].includes(name) ? true : lines.includes(`${name.split("/").pop()}.`),
  );
  return `package main

import (
${used.map((name) => `\t"${name}"\n`).join("")}
\t"beatmarket.example/beatmarket"
)

func main() {
${indented(`${client}\n${check}\n${lines}`)}
}
`;
}

/** The lines that call the typed method; undefined if a type of the client does not allow a value. */
function typedLines(call: TypedCall): string | undefined {
  const { operation, positional, idempotencyKey, shows } = call;
  const id = Object.keys(operations).find((name) => operations[name] === operation) ?? "";
  const { params, body } = goTypes.methods[id] ?? {};
  const isOf =
    (fields: object | undefined) =>
    ([name]: [string, Json]) =>
      Object.hasOwn(fields ?? {}, name);
  const structure = (name: string | undefined, fields: object | undefined): (string | undefined)[] =>
    name === undefined ? [] : [goStructure(name, Object.fromEntries(call.named.filter(isOf(fields))))];
  const key = idempotencyKey === undefined ? [] : [`beatmarket.WithIdempotencyKey(${goText(idempotencyKey)})`];
  const file = shows.as === "file" ? [goText(shows.resource)] : [];
  const args = [
    "context.Background()",
    ...positional.map((value) => goValue(value, typeof value === "number" ? "int" : "string")),
    ...file,
    ...structure(body, operation.body),
    ...structure(params, operation.query),
    ...key,
  ];
  if (args.includes(undefined)) return undefined;
  const path = ["client", ...(operation.resource === null ? [] : [goName(operation.resource)]), goName(operation.verb)];
  const invoked = (before: string): string =>
    `${before}${path.join(".")}${bracketed(["(", ")"], args as string[], form, before + path.join("."))}`;
  return printing(call, invoked);
}

function printing({ operation, shows }: TypedCall, invoked: (before: string) => string): string {
  const { as, resource, field } = shows;
  if (as === "file" && field !== "position")
    return `if ${invoked("_, err := ")}; err != nil {\n\tlog.Fatal(err)\n}\nfmt.Println(${goText(resource)})`;
  if (as === "file" || as === "one") {
    const name = as === "file" ? "download" : resource;
    return `${invoked(`${name}, err := `)}\n${check}\nfmt.Println(${name}.${goName(field)})`;
  }
  const isPaged = Object.hasOwn(operation.query, "page");
  const member = { array: "", page: ".Data", member: `${isPaged ? ".Extra" : ""}.${goName(`${resource}s`)}` }[as];
  const loop = `for _, ${resource} := range result${member} {\n\tfmt.Println(${resource}.${goName(field)})\n}`;
  return `${invoked("result, err := ")}\n${check}\n${loop}`;
}

function rawLines({ method, path, query, headers, body }: RawCall): string {
  const pairs = (entries: [string, string | number | boolean][]): string =>
    entries.map(([name, value]) => `${goText(name)}: {${goText(String(value))}}`).join(", ");
  const members = [
    ...(query.length === 0 ? [] : [["Query", `url.Values{${pairs(query)}}`] as const]),
    ...(headers.length === 0 ? [] : [["Header", `http.Header{${pairs(headers)}}`] as const]),
    ...(body === undefined ? [] : [["Body", goValue(body, "any") ?? "nil"] as const]),
  ];
  const request = withKeys("beatmarket.Request", members) ?? "";
  const before = "answer, err := client.Request";
  const args = ["context.Background()", goText(method), goText(path), request];
  return `${before}${bracketed(["(", ")"], args, form, before)}\n${check}\nfmt.Println(string(answer.Body))`;
}

const indented = (lines: string): string => lines.replace(/^(?=.)/gm, "\t");
