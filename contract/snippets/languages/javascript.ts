import { type Call, type Connection, type RawCall, rawCall, type TypedCall, typedCall } from "../call.ts";
import { bracketed, camelCase, jsonText, literal, type Notation } from "../source-text.ts";

const notation: Notation = {
  text: jsonText,
  words: { null: "null", true: "true", false: "false" },
  array: ["[", "]"],
  object: ["{ ", " }"],
  member: (name, value) => `${memberName(name)}: ${value}`,
  indent: "  ",
  trailingComma: ",",
};

/** An ECMAScript module. */
export function javascriptSnippet(call: Call, { baseUrl, keyVariable, caFile }: Connection): string {
  const options = [
    `apiKey: process.env.${keyVariable}`,
    `baseUrl: ${jsonText(baseUrl)}`,
    ...(caFile === undefined ? [] : [`caFile: ${jsonText(caFile)}`]),
  ];
  const typed = typedCall(call);
  return `import { BeatMarket } from "beatmarket";

const client = new BeatMarket(${bracketed(["{ ", " }"], options, notation, "const client = new BeatMarket();")});

${typed === undefined ? rawLines(rawCall(call)) : typedLines(typed)}
`;
}

function typedLines({ operation, positional, named, idempotencyKey, shows }: TypedCall): string {
  const path = ["client", ...(operation.resource === null ? [] : [operation.resource]), camelCase(operation.verb)];
  const { resource, field } = shows;
  if (shows.as === "file")
    return `const download = await ${path.join(".")}(${[...positional.map((value) => literal(value, notation)), jsonText(resource)].join(", ")});\nconsole.log(download.${field});`;
  const [target, printed] = {
    one: [resource, `console.log(${resource}.${field});`],
    array: [`${resource}s`, `for (const ${resource} of ${resource}s) console.log(${resource}.${field});`],
    page: ["{ data }", `for (const ${resource} of data) console.log(${resource}.${field});`],
    member: [`{ ${resource}s }`, `for (const ${resource} of ${resource}s) console.log(${resource}.${field});`],
  }[shows.as];
  const values = positional.map((value) => literal(value, notation));
  const options = idempotencyKey === undefined ? [] : [literal({ idempotencyKey }, notation)];
  const members = named.map(([name, value]) => notation.member(name, literal(value, notation)));
  const hasFields = operation.body !== undefined || members.length > 0;
  const before = `const ${target} = await ${path.join(".")}`;
  const fields = (line: string): string[] => (hasFields ? [bracketed(notation.object, members, notation, line)] : []);
  const args =
    options.length === 0
      ? `(${[...values, ...fields([before, ...values].join(", "))].join(", ")})`
      : bracketed(["(", ")"], [...values, ...fields(""), ...options], notation, before);
  return `${before}${args};\n${printed}`;
}

function rawLines({ method, path, query, headers, body }: RawCall): string {
  const options = [
    ...(query.length === 0 ? [] : [`query: ${literal(Object.fromEntries(query), notation)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(headers), notation)}`]),
    ...(body === undefined ? [] : [`body: ${literal(body, notation)}`]),
  ];
  const args = [jsonText(method), jsonText(path)];
  const before = `const answer = await client.request(${args.join(", ")}, );`;
  if (options.length > 0) args.push(bracketed(["{ ", " }"], options, notation, before));
  return `const answer = await client.request(${args.join(", ")});\nconsole.log(JSON.stringify(answer.body, null, 2));`;
}

/** A member's name. `__proto__` is a computed name, because the plain name would set the prototype. */
function memberName(name: string): string {
  if (name === "__proto__") return `["__proto__"]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : jsonText(name);
}
