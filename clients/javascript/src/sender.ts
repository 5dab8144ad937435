import {
  APIConnectionError,
  APIStatusError,
  APITimeoutError,
  BeatMarketError,
  foreignReason,
  innermost,
  isOfCertificate,
  statusError,
} from "./errors.ts";
import type { Operation } from "./generated/operations.ts";
import { APIPromise, type ResponseInfo, responseInfo } from "./response.ts";
import { Attempts, retryAfterSeconds, transferRetries } from "./retry.ts";
import type { WireRequest, WireResponse } from "./runtime/transport.ts";
import { checkNames, isConfidential, numberOf, runtimeName, type Settings } from "./settings.ts";
import { version } from "./version.ts";

/** Options of one call, which override the client's. */
export interface CallOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Aborts the call with all its attempts and waits; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. To repeat a call safely across restarts, choose and store your own. Default:
   * random.
   */
  idempotencyKey?: string | undefined;
}

/** Options of a call that changes something. */
export interface EditOptions extends CallOptions {
  /**
   * The `etag` of a response with the beat: the change is made only if the beat is unchanged since. Null:
   * unconditionally.
   */
  ifMatch?: string | null | undefined;
}

/** A value of a query. A Date is sent in ISO 8601, a list as values separated by commas. */
export type QueryValue = string | number | boolean | Date | null | undefined;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** The arguments of an operation. */
export interface Given {
  ids?: Readonly<Record<string, unknown>>;
  query?: object | null | undefined;
  body?: object | undefined;
  options?: (CreateOptions & EditOptions) | null | undefined;
}

export interface Request {
  method: string;
  url: URL;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON unless undefined; bytes are sent unchanged. */
  body?: unknown;
  /** The operation whose result is read from the response; absent: the whole body; null: only the headers. */
  operation?: Operation | null;
  /** Additional time that the service may take; extends the time-out. */
  extraMs?: number;
  options?: CallOptions | null | undefined;
}

/** A successful response with the result of its operation, or with its parsed body (null if it has none). */
export interface ParsedResponse {
  body: unknown;
  response: ResponseInfo;
}

/** A successful response whose body has not been read yet. */
export interface OpenResponse extends WireResponse {
  info: ResponseInfo;
}

const mostRedirects = 5;

/** The options of all calls. A misspelt one would be ignored, and could for example create an order twice. */
const optionNames = ["timeoutMs", "maxRetries", "signal", "idempotencyKey", "ifMatch", "onProgress", "partBytes"];

/** Sends requests with the API key, retries temporary failures, and throws error responses as errors. */
export class Sender {
  readonly #settings: Settings;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#headers = {
      authorization: `Bearer ${settings.apiKey}`,
      accept: "application/json",
      "user-agent": `beatmarket-javascript/${version} ${runtimeName()}`,
    };
  }

  /** Default number of retries of this client. */
  get maxRetries(): number {
    return this.#settings.maxRetries;
  }

  /** Calls an operation. Invalid arguments reject, too. */
  call<T>(operation: Operation, { ids, query, body, options }: Given): APIPromise<T> {
    return new APIPromise(async () => {
      const url = this.url(pathOf(operation, ids), query);
      const headers = headersOf(options);
      const extraMs = waitMsOf(query);
      const sent = { method: operation.method, url, headers, body, operation, extraMs, options };
      const { body: data, response } = await this.send(sent);
      return { data: data as T, response };
    });
  }

  /** The URL of a percent-encoded path below the base URL. Null and undefined query values are omitted. */
  url(path: string, query?: object | null): URL {
    const { baseUrl } = this.#settings;
    if (typeof (query ?? {}) !== "object" || Array.isArray(query))
      throw new BeatMarketError(`The query is ${JSON.stringify(query)}; it takes an object such as { limit: 5 }.`);
    const url = new URL(`${baseUrl.origin}${baseUrl.pathname === "/" ? "" : baseUrl.pathname}${path}`);
    for (const [name, value] of Object.entries((query ?? {}) as Query))
      if (value !== null && value !== undefined) url.searchParams.append(name, textOf(name, value));
    return url;
  }

  /** The URL of the next page. It must have the same origin, so that the key is sent nowhere else. */
  followingUrl(address: unknown, response: ResponseInfo): URL {
    const { origin } = this.#settings.baseUrl;
    const url =
      typeof address === "string" && address !== "" && URL.canParse(address, origin)
        ? new URL(address, origin)
        : undefined;
    if (url?.origin === origin) return url;
    throw unexpected(
      response,
      `The next page is at ${url?.origin ?? "no address"}, and the key goes to ${origin} only. Set the base address to the one that the service has for itself.`,
    );
  }

  /** Creates the attempts of a call, or of the transfer of a file. */
  attempts(what: string, options?: CallOptions | null, { isTransfer = false, maxRetryAfterMs = -1 } = {}): Attempts {
    checkNames(options ?? {}, optionNames);
    const { maxRetries: usual, maxRetryAfterMs: longest, logger } = this.#settings;
    const maxRetries = numberOf("maxRetries", options?.maxRetries ?? usual, 0);
    return new Attempts({
      what,
      maxRetries: isTransfer ? transferRetries(maxRetries) : maxRetries,
      maxRetryAfterMs: maxRetryAfterMs < 0 ? longest : maxRetryAfterMs,
      signal: options?.signal,
      logger,
    });
  }

  /** Sends a request and reads its response. Rejects with an error of errors.ts, or with the aborted signal's reason. */
  async send(request: Request, attempts?: Attempts): Promise<ParsedResponse> {
    const { method, url, body, operation, options } = request;
    const isBytes = body instanceof Uint8Array;
    const headers: Record<string, string> = {
      ...this.#headers,
      ...(body !== undefined && !isBytes && { "content-type": "application/json" }),
      ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
      ...request.headers,
    };
    const sent = { method, url, headers, body: isBytes ? (body as Uint8Array<ArrayBuffer>) : jsonOf(body) };
    const timeoutMs = (request.extraMs ?? 0) + this.#timeoutMs(options);
    const repeated = attempts ?? this.attempts(`${method} ${url}`, options);
    for (;;) {
      try {
        return await this.#attempt(sent, timeoutMs, options?.signal, async (wire, response) => {
          const text = await wire.text();
          return () => {
            const content = bodyOf(operation !== null && method !== "HEAD", wire.status, text, response);
            return { body: operation ? resultOf(operation, content, response) : content, response };
          };
        });
      } catch (failure) {
        if (failure instanceof APIStatusError || failure instanceof APIConnectionError)
          failure.idempotencyKey = headers["idempotency-key"] ?? null;
        await repeated.after(failure);
      }
    }
  }

  /** Opens a response to read its bytes, in one attempt; `timeoutMs` is the time limit for the next bytes. */
  async open(url: URL, more: Record<string, string>, options?: CallOptions | null): Promise<OpenResponse> {
    return this.#open(url, { ...this.#headers, accept: "*/*", ...more }, options);
  }

  /**
   * Opens a link in the same way, without the API key: neither the link's host nor a host that it redirects to gets the
   * key.
   */
  async openLink(link: string, more: Record<string, string>, options?: CallOptions | null): Promise<OpenResponse> {
    const { authorization: _, ...headers } = this.#headers;
    let url = URL.canParse(link) ? new URL(link) : undefined;
    if (url === undefined || !isConfidential(url))
      throw new BeatMarketError("The link of the file takes an https: address: is PUBLIC_URL of the service right?");
    for (let redirects = 0; ; redirects += 1) {
      const opened = await this.#open(url, { ...headers, accept: "*/*", ...more }, options, redirects < mostRedirects);
      const next = redirectOf(opened, url);
      if (next === undefined) return opened;
      url = next;
    }
  }

  async #open(
    url: URL,
    headers: Record<string, string>,
    options: CallOptions | null | undefined,
    mayRedirect = false,
  ): Promise<OpenResponse> {
    const sent = { method: "GET", url, headers, body: undefined };
    const timeoutMs = this.#timeoutMs(options);
    return this.#attempt(sent, timeoutMs, options?.signal, async (wire, info, bytes) => {
      if (wire.status === 200 || wire.status === 206) return () => ({ ...wire, info, bytes });
      const text = await wire.text();
      return () => {
        if (!mayRedirect || redirectOf(wire, url) === undefined) bodyOf(false, wire.status, text, info);
        return { ...wire, info };
      };
    });
  }

  #timeoutMs(options: CallOptions | null | undefined): number {
    return numberOf("timeoutMs", options?.timeoutMs ?? this.#settings.timeoutMs, 1);
  }

  /**
   * Sends a request, and reads with `read` from the response within the time-out; the function that `read` returns may
   * throw.
   */
  async #attempt<T>(
    sent: Omit<WireRequest, "signal">,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    read: (wire: WireResponse, response: ResponseInfo, bytes: () => AsyncIterable<Uint8Array>) => Promise<() => T>,
  ): Promise<T> {
    const { transport, logger } = this.#settings;
    // The query of a link contains its signature, which is enough to download the file, so the log omits it.
    const shown = `${sent.method} ${"authorization" in sent.headers ? sent.url : sent.url.origin + sent.url.pathname}`;
    signal?.throwIfAborted();
    const deadline = new AbortController();
    const both = !signal ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    const within = async <R>(work: () => Promise<R>): Promise<R> => {
      const timer = setTimeout(() => deadline.abort(), timeoutMs);
      try {
        return await work();
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof BeatMarketError) throw cause;
        if (deadline.signal.aborted)
          throw new APITimeoutError(`${shown} got no complete response within ${timeoutMs} ms.`, { cause });
        throw new APIConnectionError(`${shown} got no response: ${reasonOf(cause)}.`, { cause });
      } finally {
        clearTimeout(timer);
      }
    };
    const startMs = performance.now();
    const finish = await within(async () => {
      const wire = await transport({ ...sent, signal: both });
      const response = responseInfo(wire);
      const result = await read(wire, response, () => readWithin(wire, within));
      const ms = Math.round(performance.now() - startMs);
      logger?.debug(`beatmarket: ${shown}: ${wire.status} in ${ms} ms, request id ${response.requestId ?? "none"}`);
      return result;
    });
    return finish();
  }
}

async function* readWithin(
  wire: WireResponse,
  within: <R>(work: () => Promise<R>) => Promise<R>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = wire.bytes()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await within(() => chunks.next());
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Percent-encodes the ids in a path. Throws a BeatMarketError for one that would change the path. */
export function pathOf({ path }: Pick<Operation, "path">, ids: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
    // URL parsing resolves dot segments, encoded or not.
    if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text.toWellFormed());
    const what = name.replace("_", " ");
    throw new BeatMarketError(`The ${what} is ${text === "" ? "missing" : `"${text}"`}; it takes the id of one.`);
  });
}

/** The time for which the service may wait for news, if the query has `wait`. */
export const waitMsOf = (query: object | null | undefined): number =>
  (Number((query as { wait?: unknown } | null | undefined)?.wait) || 0) * 1_000;

function headersOf(options: Given["options"]): Record<string, string> {
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

function textOf(name: string, value: QueryValue | readonly QueryValue[]): string {
  if (Array.isArray(value)) {
    const texts = value.map((one) => textOf(name, one));
    const divided = texts.find((text) => text.includes(","));
    if (divided !== undefined)
      throw new BeatMarketError(`A value of ${name} has a comma, which divides values: ${JSON.stringify(divided)}.`);
    return texts.join(",");
  }
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) throw new BeatMarketError(`The ${name} is an invalid Date.`);
  return value.toISOString();
}

/** Throws a BeatMarketError for values that JSON does not support; undefined means no body. */
function jsonOf(body: unknown): string | undefined {
  if (typeof body === "function" || typeof body === "symbol")
    throw new BeatMarketError(`The body is a ${typeof body}; it takes what JSON has.`);
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new BeatMarketError(`The body cannot be sent as JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Returns the redirect's target; undefined if there is none, or if it is not confidential. */
function redirectOf({ status, header }: WireResponse, from: URL): URL | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? header("location") : null;
  const url = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  return url !== undefined && isConfidential(url) ? url : undefined;
}

function reasonOf(error: unknown): string {
  const { message, code, name } = innermost(error);
  const reason = String(message || code || name || "unknown");
  if (!isOfCertificate(error)) return reason;
  return `the certificate of the server is not trusted (${reason}); set caFile or BEATMARKET_CA_FILE to a PEM file of the authority that signed it`;
}

/** Returns the parsed body of a successful response. Throws an APIStatusError for any other response. */
function bodyOf(hasBody: boolean, status: number, text: string, response: ResponseInfo): unknown {
  const body = parsed(text);
  if (status >= 200 && status <= 299) {
    if (!hasBody || status === 204) return null;
    if (!isObject(body)) throw unexpected(response, foreignReason(response.headers.get("content-type"), text));
    if (body.status !== "error") return body;
  }
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const field = (name: string): string | null => (typeof error[name] === "string" ? error[name] : null);
  const isRedirect = status >= 300 && status <= 399 && response.headers.has("location");
  throw statusError({
    ...fieldsOf(response),
    code: field("code"),
    reason:
      field("message") ??
      (isRedirect
        ? `The response has status ${status}, a redirect, which is not followed: is the base URL right?`
        : foreignReason(response.headers.get("content-type"), text)),
    details: field("details"),
  });
}

/**
 * Returns the result of an operation, with its content unchanged. Throws an APIStatusError if there is none. After a
 * change the service has already done its work, which an error would hide: then returns an empty object instead.
 */
function resultOf({ kind, keys, method }: Operation, body: unknown, response: ResponseInfo): unknown {
  if (kind === "none") return undefined;
  const { status, data } = isObject(body) ? body : {};
  if (status !== "success" || !isObject(data)) throw unexpected(response, "The response has an unknown form.");
  for (const key of keys) {
    if (kind === "object" ? isObject(data[key]) : Array.isArray(data[key])) continue;
    if (method !== "GET") return {};
    throw unexpected(response, `The response has an unknown form: it has no ${key}.`);
  }
  return kind === "object" || kind === "array" ? data[keys[0] ?? ""] : data;
}

/** The error for a response of an unknown form. */
export const unexpected = (response: ResponseInfo, reason: string): APIStatusError =>
  new APIStatusError({ ...fieldsOf(response), code: null, reason, details: null });

const fieldsOf = ({ status, headers, requestId, rateLimit }: ResponseInfo) => ({
  status,
  requestId,
  rateLimit,
  retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
