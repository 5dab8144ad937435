import { type Kind, type Operation, operations } from "./operations.ts";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A value of a path or query, as a person types it or as the request contains it. */
export type Scalar = string | number | boolean;

/** A call of the API, in wire names. */
export interface Call {
  /** The id of an operation of contract/openapi.json. Absent: `method` and `path` define the call. */
  operationId?: string;
  method?: string;
  /** The path below the base address, with its values: `/beats/1`. */
  path?: string;
  /** Path parameters, for an operation. */
  parameters?: Record<string, Scalar>;
  /** Entries that are null or undefined are omitted. */
  query?: Record<string, Scalar | null | undefined>;
  body?: Json | undefined;
  idempotencyKey?: string | undefined;
  /** The date of the API version that the call requests. */
  version?: string | undefined;
  form?: "reference" | "console" | undefined;
}

/** The settings with which a snippet connects to the service. */
export interface Connection {
  /** Ends in `/v1`, without a trailing slash. */
  baseUrl: string;
  /** The environment variable that holds the API key. */
  keyVariable: string;
  /**
   * The certificate of the authority that signed the server's certificate, if the system does not trust the authority.
   */
  caFile?: string | undefined;
}

/** A call that a typed method of the clients makes. */
export interface TypedCall {
  operation: Operation;
  positional: Json[];
  /** Query parameters or body fields. */
  named: [name: string, value: Json][];
  idempotencyKey: string | undefined;
  /** The part of the result that the snippet prints. For example, a search for producers prints producers. */
  shows: Operation["shows"];
}

/** A call as a plain HTTP request. */
export interface RawCall {
  method: string;
  /** Percent-encoded, below the base address. */
  path: string;
  query: [name: string, value: Scalar][];
  headers: [name: string, value: string][];
  body: Json | undefined;
  /** The file for a response that is not JSON. */
  file: { name: string; isResumable: boolean } | undefined;
}

const consoleType = "application/vnd.beatmarket.console+json";

/** The typed method that makes a call; undefined if no typed method accepts every part of the call. */
export function typedCall(call: Call): TypedCall | undefined {
  const match = findOperation(call);
  if (match === undefined) return undefined;
  const { operation, parameters } = match;
  if (call.form === "console" && operation.shows.as !== "file") return undefined;
  if (call.version !== undefined) return undefined;
  if (call.idempotencyKey !== undefined && operation.idempotent !== true) return undefined;
  if (operation.body === undefined ? call.body !== undefined : !isFields(call.body)) return undefined;

  const query = withoutNull(call.query);
  const positional = Object.entries(operation.positional).map(([name, kind]) =>
    asType(parameters[name] ?? query[name], kind),
  );
  const queryEntries = Object.entries(query).filter(([name]) => !Object.hasOwn(operation.positional, name));
  const named = [
    ...queryEntries.map(([name, value]) => [name, asType(value, kindOf(operation.query, name))] as const),
    ...Object.entries((call.body ?? {}) as Record<string, Json>).map(
      ([name, value]) => [name, asType(value, kindOf(operation.body, name))] as const,
    ),
  ];
  const values = [...positional, ...named.map(([, value]) => value)];
  const isComplete = (operation.required ?? []).every((name) => named.some(([key]) => key === name));
  if (!isComplete || values.includes(undefined)) return undefined;
  const isOfProducers = operation === operations.search && query.type === "producers";
  return {
    operation,
    positional: positional as Json[],
    named: named as [string, Json][],
    idempotencyKey: call.idempotencyKey,
    shows: isOfProducers ? { as: "member", resource: "producer", field: "display_name" } : operation.shows,
  };
}

/**
 * A call as a plain HTTP request. Throws a RangeError for an unknown operation, and for a method or path that is absent
 * or malformed.
 */
export function rawCall(call: Call): RawCall {
  const operation = call.operationId === undefined ? undefined : operationOf(call.operationId);
  const method = (operation?.method ?? call.method ?? "").toUpperCase();
  const path = operation === undefined ? encodePath(call.path ?? "") : fillPath(operation.path, call.parameters ?? {});
  if (!/^[A-Z]+$/.test(method)) throw new RangeError(`"${method}" is not an HTTP method.`);
  if (!path.startsWith("/")) throw new RangeError(`The path "${path}" does not begin with a slash.`);
  const headers: [string, string][] = [];
  if (call.form === "console") headers.push(["Accept", consoleType]);
  if (call.idempotencyKey !== undefined) headers.push(["Idempotency-Key", call.idempotencyKey]);
  if (call.version !== undefined) headers.push(["Beat-Version", call.version]);
  const shows = findOperation(call)?.operation.shows;
  const file = shows?.as === "file" ? { name: shows.resource, isResumable: shows.isResumable === true } : undefined;
  return { method, path, query: Object.entries(withoutNull(call.query)), headers, body: call.body, file };
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/**
 * The query of a URL with its question mark; empty if there are no parameters. Commas are not encoded, so that lists
 * are readable.
 */
export const queryString = (query: RawCall["query"]): string =>
  query.length === 0
    ? ""
    : `?${query.map(([name, value]) => `${encode(name)}=${encode(String(value)).replaceAll("%2C", ",")}`).join("&")}`;

function operationOf(operationId: string): Operation {
  const operation = Object.hasOwn(operations, operationId) ? operations[operationId] : undefined;
  if (operation === undefined) throw new RangeError(`There is no operation "${operationId}".`);
  return operation;
}

function findOperation(call: Call): { operation: Operation; parameters: Record<string, Scalar> } | undefined {
  if (call.operationId !== undefined)
    return { operation: operationOf(call.operationId), parameters: call.parameters ?? {} };
  for (const operation of Object.values(operations)) {
    if (operation.method !== call.method?.toUpperCase()) continue;
    const pattern = operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(call.path ?? "");
    if (match !== null) return { operation, parameters: { ...match.groups } };
  }
  return undefined;
}

const fillPath = (path: string, parameters: Record<string, Scalar>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encode(String(parameters[name] ?? "")));

/** Encodes characters that a path may not contain. Existing percent-encoding stays as it is. */
const encodePath = (path: string): string =>
  path.toWellFormed().replace(/%(?![0-9a-f]{2})|[^\w\-.~$&+,;=:@/%]/giu, (sign) => encode(sign));

function withoutNull(query: Call["query"]): Record<string, Scalar> {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Record<string, Scalar>;
}

const isFields = (body: Json | undefined): boolean => typeof body === "object" && body !== null && !Array.isArray(body);

const kindOf = (fields: Record<string, Kind> | undefined, name: string): Kind | undefined =>
  fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;

/** A value in the type that a method takes; undefined if the value has another type. */
function asType(value: Json | undefined, kind: Kind | undefined): Json | undefined {
  if (kind === undefined) return undefined;
  if (kind.endsWith("-or-null") && value === null) return null;
  switch (kind.replace(/-or-null$/, "")) {
    case "integers":
      return asListType(value, "integer");
    case "texts":
      return asListType(value, "text");
    case "integer": {
      const number = typeof value === "string" && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case "number": {
      const number = typeof value === "string" && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
      return typeof number === "number" ? number : undefined;
    }
    case "boolean":
      if (value === "true" || value === "false") return value === "true";
      return typeof value === "boolean" ? value : undefined;
    case "integer-or-text":
      return typeof value === "number" ? asType(value, "integer") : asType(value, "text");
    case "fields":
      return isFields(value) ? value : undefined;
    case "items":
      return Array.isArray(value) && value.every(isFields) ? value : undefined;
    case "text":
      return typeof value === "string" ? value : undefined;
  }
}

/**
 * The array for a list that is an array or a text with commas. A single value stays a single value. Undefined for a
 * value of another type.
 */
function asListType(value: Json | undefined, kind: "integer" | "text"): Json | undefined {
  if (Array.isArray(value)) return value.every((item) => asType(item, kind) !== undefined) ? value : undefined;
  if (typeof value !== "string") return asType(value, kind);
  const values = value.split(",").map((item) => asType(item, kind));
  if (values.includes(undefined) || values.includes("")) return undefined;
  return values.length === 1 ? values[0] : (values as Json[]);
}
