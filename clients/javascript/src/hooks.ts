import { APIStatusError, BeatMarketError } from "./errors.ts";
import { masked } from "./headers.ts";
import type { ResponseInfo } from "./response.ts";

/** A request that is about to be sent: one attempt of a call. */
export interface RequestFacts {
  method: string;
  /** The path of the URL, without its query. */
  path: string;
  /** The id of the operation, such as `listBeats`; null for `client.request` and for links of files. */
  operation: string | null;
  /** The number of the attempt in its call, from 1. */
  attempt: number;
  /** The headers with names in lower case. Only the last characters of the key are shown. */
  requestHeaders: Readonly<Record<string, string>>;
}

/** The end of one attempt of a call. */
export interface ResponseFacts extends RequestFacts {
  /** The HTTP status; null if there was no response. */
  status: number | null;
  durationMs: number;
  requestId: string | null;
  /** The error of the attempt; null after a success. */
  error: unknown;
}

export interface Hooks {
  /** Called before each attempt. If it throws or rejects, the call ends with that error. */
  onRequest?: ((request: RequestFacts) => unknown) | undefined;
  /** Called after each attempt, with or without a response. If it throws or rejects, the call ends with that error. */
  onResponse?: ((response: ResponseFacts) => unknown) | undefined;
}

/** The levels that BEATMARKET_LOG selects. */
export type LogLevel = "info" | "debug";

/** Errors that hooks threw: a call that fails with one is not repeated. */
const ofHooks = new WeakSet<object>();

export const isOfHook = (error: unknown): boolean => ofHooks.has(Object(error));

let hasWarned = false;

/** The level that the environment asks for. Warns once about a value that is not a level. */
export function logLevelOf(value: string | undefined): LogLevel | undefined {
  if (value === "info" || value === "debug") return value;
  if (value !== undefined && !hasWarned) {
    hasWarned = true;
    console.error(`beatmarket: BEATMARKET_LOG is ${JSON.stringify(value)}; it takes info or debug.`);
  }
  return undefined;
}

/** Throws a BeatMarketError for a hook that is not a function. */
export function hooksOf({ onRequest, onResponse }: Hooks): Hooks {
  for (const [name, hook] of Object.entries({ onRequest, onResponse }))
    if (hook !== undefined && hook !== null && typeof hook !== "function")
      throw new BeatMarketError(`${name} takes a function.`);
  return { onRequest: onRequest ?? undefined, onResponse: onResponse ?? undefined };
}

/** Runs an attempt between the hooks, and logs it. `run` calls `onHead` when the response's headers have arrived. */
export async function observed<T>(
  { onRequest, onResponse }: Hooks,
  level: LogLevel | undefined,
  { requestHeaders, ...facts }: RequestFacts,
  run: (onHead: (response: ResponseInfo) => void) => Promise<T>,
): Promise<T> {
  const request = { ...facts, requestHeaders: masked(requestHeaders) };
  await called(onRequest, request);
  const startMs = performance.now();
  let head: ResponseInfo | undefined;
  const end = async (error: unknown): Promise<void> => {
    const { status, requestId } = head ?? (error instanceof APIStatusError ? error : { status: null, requestId: null });
    const response = { ...request, status, durationMs: performance.now() - startMs, requestId, error };
    if (level !== undefined) console.error(linesOf(response, level === "debug" ? head?.headers : null));
    await called(onResponse, response);
  };
  let result: T;
  try {
    result = await run((response) => {
      head = response;
    });
  } catch (error) {
    await end(error);
    throw error;
  }
  await end(null);
  return result;
}

async function called<Facts>(hook: ((facts: Facts) => unknown) | undefined, facts: Facts): Promise<void> {
  try {
    await hook?.(facts);
  } catch (error) {
    ofHooks.add(Object(error));
    throw error;
  }
}

/**
 * The line of an attempt. Unless `headers` is null, a line for each header of the request and the response comes before
 * it. `headers` is undefined if there was no response.
 */
function linesOf(attempt: ResponseFacts, headers: Headers | null | undefined): string {
  const { method, path, status, durationMs, requestId, error, requestHeaders } = attempt;
  const outcome = status ?? (error instanceof Error ? error.name : "aborted");
  const time = `${Math.round(durationMs)} ms`;
  const line = `beatmarket ${method} ${path} ${outcome} ${time} ${requestId ?? "-"} attempt ${attempt.attempt}`;
  if (headers === null) return line;
  const written = (sign: string, all: Readonly<Record<string, string>>): string[] =>
    Object.entries(all).map(([name, value]) => `beatmarket ${sign} ${name}: ${value}`);
  const received = headers === undefined ? {} : masked(Object.fromEntries(headers));
  return [...written(">", requestHeaders), ...written("<", received), line].join("\n");
}
