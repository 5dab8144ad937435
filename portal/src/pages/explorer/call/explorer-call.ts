import type { Call, Json } from "../../../../../contract/snippets/call.ts";
import { encode, queryString, rawCall } from "../../../../../contract/snippets/call.ts";
import type { Field, Operation } from "./operations.ts";
import { listOf, valuesOf } from "./value-list.ts";

/** The response form (docs/api/conventions.md, Response forms). */
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
  const filledFields = (place: string) =>
    operation.fields.filter((field) => field.place === place && (values[field.name] ?? "") !== "");
  const texts = (place: string) =>
    Object.fromEntries(filledFields(place).map(({ name }) => [name, values[name] ?? ""]));
  const body = filledFields("body").map((field) => [field.name, jsonOf(values[field.name] ?? "", field)]);
  const takesBody = operation.fields.some(({ place }) => place === "body");
  return {
    operationId: operation.id,
    parameters: texts("path"),
    query: texts("query"),
    ...(takesBody && { body: Object.fromEntries(body) as Json }),
    idempotencyKey: values["Idempotency-Key"] || undefined,
    version: values["Beat-Version"] || undefined,
    form,
  };
}

/** The value of a body field. A text of another type is sent unchanged, so that the API refuses it. */
function jsonOf(text: string, { kind, isList, isNullable }: Field): Json {
  if (isNullable && text === "null") return null;
  return isList ? valuesOf(text).map((item) => oneOf(item, kind)) : oneOf(text, kind);
}

function oneOf(text: string, kind: Field["kind"]): Json {
  if (kind === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (kind === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (kind === "boolean" || kind === "object") return (parseJson(text) as Json | undefined) ?? text;
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The HTTP request of a call. A file is requested with HEAD: it may be too large for a page. */
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

/** The name of a path parameter that has no value, although the URL needs it; undefined if all have values. */
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

/** The form as a logged call fills it. */
export interface FilledForm {
  operation: Operation;
  values: FieldValues;
  form: ResponseForm;
  /**
   * Whether the call had a body that cannot fill the form: it is not a JSON object, or the log has only its beginning.
   */
  isBodyLost: boolean;
}

/** The form with the values of a logged call; null if the call matches no operation. */
export function formOf(logged: LoggedRequest, operations: readonly Operation[]): FilledForm | null {
  const operation = operations.find(({ id }) => id === logged.operation);
  if (operation === undefined) return null;
  const header = (name: string) => logged.headers.find((each) => each.name.toLowerCase() === name)?.value;
  const pattern = operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const inPath = new RegExp(`^(?:/api)?/v1${pattern}$`).exec(logged.path)?.groups ?? {};
  const idempotencyKey = header("idempotency-key");
  const version = header("beat-version");
  const fields = fieldsOf(logged.body);
  const names = new Set(operation.fields.map(({ name }) => name));
  const entries = [
    ...Object.entries(inPath).map(([name, value]) => [name, decodeText(value)] as const),
    ...new URLSearchParams(logged.query),
    ...Object.entries(fields ?? {}).map(([name, value]) => [name, textOf(value)] as const),
    ...(idempotencyKey === undefined ? [] : [["Idempotency-Key", idempotencyKey] as const]),
    ...(version === undefined ? [] : [["Beat-Version", version] as const]),
  ];
  return {
    operation,
    values: Object.fromEntries(entries.filter(([name]) => names.has(name))),
    form: header("accept")?.includes("vnd.beatmarket.console") === true ? "console" : "reference",
    isBodyLost: fields === null,
  };
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fields of a logged body; null if it is not a JSON object. */
function fieldsOf(body: string | null): Record<string, Json> | null {
  if (body === null) return {};
  const fields = parseJson(body);
  return typeof fields === "object" && fields !== null && !Array.isArray(fields)
    ? (fields as Record<string, Json>)
    : null;
}

function textOf(value: Json): string {
  if (Array.isArray(value)) return listOf(value.map(textOf));
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The path with the filled-in parameters. Empty parameters keep their placeholders. */
export const readablePath = (operation: Operation, values: FieldValues): string =>
  operation.path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    (values[name] ?? "") === "" ? placeholder : encode(values[name] ?? ""),
  );
