import type { Call, Json } from "../../../../contract/snippets/call.ts";
import { encode, queryString, rawCall } from "../../../../contract/snippets/call.ts";
import type { Operation } from "./operations.ts";

export type Form = "console" | "reference";

/** What is typed into the form of an operation, by the fields' names; empty texts are left out. */
export type Values = Readonly<Record<string, string>>;

const mediaTypes: Record<Form, string> = {
  console: "application/vnd.beatmarket.console+json",
  reference: "application/json",
};

/** What a form begins with: an example of everything that has to be there. */
export const firstValues = ({ fields }: Operation): Values =>
  Object.fromEntries(fields.filter(({ isRequired }) => isRequired).map(({ name, example = "" }) => [name, example]));

/** The call that the form describes, as snippets are written from it. */
export function callOf(operation: Operation, values: Values, form: Form): Call {
  const given = (place: string) =>
    operation.fields.filter((field) => field.place === place && (values[field.name] ?? "") !== "");
  const texts = (place: string) => Object.fromEntries(given(place).map(({ name }) => [name, values[name] ?? ""]));
  const body = given("body").map(({ name, kind, takesNull }) => [name, jsonOf(values[name] ?? "", kind, takesNull)]);
  const takesBody = operation.fields.some(({ place }) => place === "body");
  return {
    operationId: operation.id,
    parameters: texts("path"),
    query: texts("query"),
    ...(takesBody && { body: Object.fromEntries(body) as Json }),
    idempotencyKey: values["Idempotency-Key"] || undefined,
    form,
  };
}

/** Numbers as numbers; what is none is sent as typed, for the service to refuse. `null` clears what can be cleared. */
function jsonOf(text: string, kind: string, takesNull: boolean): Json {
  if (takesNull && text === "null") return null;
  return kind === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The address of a call and what goes with it. */
export function requestOf(call: Call): { method: string; url: string; headers: Record<string, string>; body?: string } {
  const { method, path, query, headers, body } = rawCall(call);
  return {
    method,
    url: `/v1${path}${queryString(query)}`,
    headers: {
      accept: mediaTypes[call.form ?? "reference"],
      ...Object.fromEntries(
        headers.filter(([name]) => name !== "Accept").map(([name, value]) => [name.toLowerCase(), value]),
      ),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Which field of the path is missing, if any: without it there is no address. */
export const missingInPath = ({ fields }: Operation, values: Values): string | undefined =>
  fields.find(({ place, name }) => place === "path" && (values[name] ?? "") === "")?.name;

/** What the log keeps of a call, as far as a form can be filled from it. */
export interface LoggedCall {
  operation: string | null;
  method: string;
  path: string;
  query: string;
  headers: readonly { name: string; value: string }[];
  body: string | null;
}

/** The form filled in as a logged call was made; null for one that was none of an operation. */
export function formOf(
  logged: LoggedCall,
  operations: readonly Operation[],
): { operation: Operation; values: Values; form: Form } | null {
  const operation = operations.find(({ id }) => id === logged.operation);
  if (operation === undefined) return null;
  const header = (name: string) => logged.headers.find((its) => its.name.toLowerCase() === name)?.value;
  const pattern = operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const inPath = new RegExp(`^(?:/api)?/v1${pattern}$`).exec(logged.path)?.groups ?? {};
  const idempotencyKey = header("idempotency-key");
  const known = new Set(operation.fields.map(({ name }) => name));
  const entries = [
    ...Object.entries(inPath).map(([name, value]) => [name, decoded(value)] as const),
    ...new URLSearchParams(logged.query),
    ...bodyValues(logged.body),
    ...(idempotencyKey === undefined ? [] : [["Idempotency-Key", idempotencyKey] as const]),
  ];
  return {
    operation,
    values: Object.fromEntries(entries.filter(([name]) => known.has(name))),
    form: header("accept")?.includes("vnd.beatmarket.console") === true ? "console" : "reference",
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bodyValues(body: string | null): [string, string][] {
  try {
    const fields: unknown = JSON.parse(body ?? "{}");
    if (typeof fields !== "object" || fields === null) return [];
    return Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
  } catch {
    return [];
  }
}

/** The address below which a call goes, for people to read: parameters filled in where they are known. */
export const readablePath = (operation: Operation, values: Values): string =>
  operation.path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    (values[name] ?? "") === "" ? placeholder : encode(values[name] ?? ""),
  );
