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
  /** Which attempt of the call it is, from 1. */
  attempt: number;
  /** With names in lower case; of the key only the last characters are there. */
  requestHeaders: Readonly<Record<string, string>>;
}

/** How one attempt of a call ended. */
export interface ResponseFacts extends RequestFacts {
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  requestId: string | null;
  /** Null after a success. */
  error: unknown;
}

export interface Hooks {
  /** Called before each attempt. What it throws, or rejects with, is the error of the call. */
  onRequest?: ((request: RequestFacts) => unknown) | undefined;
  /** Called after each attempt, also one without a response. What it throws, or rejects with, is the error of the call. */
  onResponse?: ((response: ResponseFacts) => unknown) | undefined;
}

/** What BEATMARKET_LOG selects. */
export type LogLevel = "info" | "debug";

/** Errors that hooks threw: a call that fails with one is not repeated. */
const ofHooks = new WeakSet<object>();

export const isOfHook = (error: unknown): boolean => ofHooks.has(Object(error));

let hasWarned = false;

/** The level that the environment asks for. Warns once about any other value. */
export function logLevelOf(value: string | undefined): LogLevel | undefined {
  if (value === "info" || value === "debug") return value;
  if (value !== undefined && !hasWarned) {
    hasWarned = true;
    console.error(`beatmarket: BEATMARKET_LOG is ${JSON.stringify(value)}; it takes info or debug.`);
  }
  return undefined;
}

/** Throws a BeatMarketError for a hook that is no function. */
export function hooksOf({ onRequest, onResponse }: Hooks): Hooks {
  for (const [name, hook] of Object.entries({ onRequest, onResponse }))
    if (hook !== undefined && hook !== null && typeof hook !== "function")
      throw new BeatMarketError(`${name} takes a function.`);
  return { onRequest: onRequest ?? undefined, onResponse: onResponse ?? undefined };
}

/** Runs an attempt between the hooks, and logs it. `run` sets the response once its head is there. */
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

/** The line of an attempt; unless `headers` is null, lines of all headers, too. */
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
