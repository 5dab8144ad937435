import type { Call, Json } from "../../../../../contract/snippets/call.ts";
import { encode, queryString, rawCall } from "../../../../../contract/snippets/call.ts";
import type { Operation } from "./operations.ts";

/** docs/api/conventions.md, Response forms. */
export type ResponseForm = "console" | "reference";

/** The texts in an operation's form by field name. An empty text is not sent. */
export type FieldValues = Readonly<Record<string, string>>;

const mediaTypes: Record<ResponseForm, string> = {
  console: "application/vnd.beatmarket.console+json",
  reference: "application/json",
};

/** The initial texts of a form: the example of each required field. */
export const initialValues = ({ fields }: Operation): FieldValues =>
  Object.fromEntries(fields.filter(({ isRequired }) => isRequired).map(({ name, example = "" }) => [name, example]));

/** The call of a filled-in form, as the snippets need it. */
export function callOf(operation: Operation, values: FieldValues, form: ResponseForm): Call {
  const given = (place: string) =>
    operation.fields.filter((field) => field.place === place && (values[field.name] ?? "") !== "");
  const texts = (place: string) => Object.fromEntries(given(place).map(({ name }) => [name, values[name] ?? ""]));
  const body = given("body").map(({ name, kind, isNullable }) => [name, jsonOf(values[name] ?? "", kind, isNullable)]);
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

/** An integer field is sent as a number. An invalid number is sent as text, for the API to refuse. */
function jsonOf(text: string, kind: string, isNullable: boolean): Json {
  if (isNullable && text === "null") return null;
  return kind === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The HTTP request of a call. A file is asked for with HEAD: it may be too large for a page. */
export function requestOf(call: Call): { method: string; url: string; headers: Record<string, string>; body?: string } {
  const { method, path, query, headers, body, file } = rawCall(call);
  return {
    method: file === undefined ? method : "HEAD",
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

/** The name of an empty path parameter, which the URL needs; undefined without one. */
export const missingPathParameter = ({ fields }: Operation, values: FieldValues): string | undefined =>
  fields.find(({ place, name }) => place === "path" && (values[name] ?? "") === "")?.name;

/** The parts of a log entry that fill a form. */
export interface LoggedRequest {
  operation: string | null;
  method: string;
  path: string;
  query: string;
  headers: readonly { name: string; value: string }[];
  body: string | null;
}

/** The form with the values of a logged call; null if the call matches no operation. */
export function formOf(
  logged: LoggedRequest,
  operations: readonly Operation[],
): { operation: Operation; values: FieldValues; form: ResponseForm } | null {
  const operation = operations.find(({ id }) => id === logged.operation);
  if (operation === undefined) return null;
  const header = (name: string) => logged.headers.find((each) => each.name.toLowerCase() === name)?.value;
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

/** The path with the filled-in parameters; empty ones keep their placeholder. */
export const readablePath = (operation: Operation, values: FieldValues): string =>
  operation.path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    (values[name] ?? "") === "" ? placeholder : encode(values[name] ?? ""),
  );
