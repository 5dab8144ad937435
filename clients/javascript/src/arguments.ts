import type { CreateOptions, EditOptions, Query, QueryValue } from "./call-options.ts";
import { BeatMarketError } from "./errors.ts";
import type { Operation } from "./generated/operations.ts";
import { isObject } from "./reading.ts";

/** The options that become headers. Calls that create or change something have them. */
type WithHeaders = (CreateOptions & EditOptions) | null | undefined;

/** Percent-encodes the ids in a path. Throws a BeatMarketError for an id that is missing or would change the path. */
export function pathOf({ path }: Pick<Operation, "path">, ids: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
    // URL parsing resolves dot segments, encoded or not.
    if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text.toWellFormed());
    const what = name.replace("_", " ");
    throw new BeatMarketError(`The ${what} is ${text === "" ? "missing" : `"${text}"`}; pass a valid id.`);
  });
}

/** The time that the service may hold the request: `wait` of the query is in seconds. 0 without `wait`. */
export const waitMsOf = (query: object | null | undefined): number =>
  (Number((query as { wait?: unknown } | null | undefined)?.wait) || 0) * 1_000;

export function headersOf(options: WithHeaders): Record<string, string> {
  const { idempotencyKey = null, ifMatch = null } = options ?? {};
  if (idempotencyKey !== null && !(typeof idempotencyKey === "string" && /^[\x21-\x7e]{1,255}$/.test(idempotencyKey)))
    throw new BeatMarketError("The idempotencyKey takes 1 to 255 visible ASCII characters.");
  if (ifMatch !== null && !(typeof ifMatch === "string" && /^[\x21-\x7e]+$/.test(ifMatch)))
    throw new BeatMarketError('The ifMatch takes the etag of a response, such as "v7-0a1b2c".');
  return {
    ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
    ...(ifMatch !== null && { "if-match": ifMatch }),
  };
}

/** The text of a query value. Throws a BeatMarketError for an invalid Date, and for a comma in a value of a list. */
export function textOf(name: string, value: QueryValue | readonly QueryValue[]): string {
  if (Array.isArray(value)) {
    const texts = value.map((one) => textOf(name, one));
    const divided = texts.find((text) => text.includes(","));
    if (divided !== undefined)
      throw new BeatMarketError(`A value of ${name} has a comma, which separates values: ${JSON.stringify(divided)}.`);
    return texts.join(",");
  }
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) throw new BeatMarketError(`The ${name} is an invalid Date.`);
  return value.toISOString();
}

/** Throws a BeatMarketError for values that JSON does not support; undefined means no body. */
export function jsonOf(body: unknown): string | undefined {
  if (typeof body === "function" || typeof body === "symbol")
    throw new BeatMarketError(`The body is a ${typeof body}; JSON has no such value.`);
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new BeatMarketError(`The body cannot be sent as JSON: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Adds `extra` to a method's own fields. Throws a BeatMarketError for a field that the method sends itself, and for a
 * body if the method sends none.
 */
export function withExtra(what: "query" | "body", own: unknown, extra: object | null | undefined): object | undefined {
  const ownOptions = own as Record<string, unknown> | undefined;
  if (extra === undefined || extra === null) return ownOptions;
  if (!isObject(extra))
    throw new BeatMarketError(`The ${what} of the options is ${JSON.stringify(extra)}; it takes an object.`);
  if (what === "body" && !isObject(ownOptions))
    throw new BeatMarketError("The call sends no JSON body: remove body from its options.");
  // Null is sent in a body, and omitted from a query.
  const isSent = (value: unknown): boolean => value !== undefined && (what === "body" || value !== null);
  const double = Object.keys(extra).find((name) => isSent(extra[name]) && isSent(ownOptions?.[name]));
  if (double === undefined) return { ...ownOptions, ...extra };
  throw new BeatMarketError(
    `The ${what} has ${double} twice: the method sends it already. Leave it out of the options.`,
  );
}

/** Adds to the address of a next page those fields of `extra` that it lacks. */
export function withMissing(url: URL, extra: Query | null | undefined): URL {
  for (const [name, value] of Object.entries(extra ?? {}))
    if (value !== null && value !== undefined && !url.searchParams.has(name))
      url.searchParams.append(name, textOf(name, value));
  return url;
}
