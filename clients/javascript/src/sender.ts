import { headersOf, jsonOf, pathOf, textOf, waitMsOf, withExtra } from "./arguments.ts";
import type { CallOptions, CreateOptions, EditOptions, Query } from "./call-options.ts";
import { APIConnectionError, APIStatusError, APITimeoutError, BeatMarketError } from "./errors.ts";
import { type Operation, operations } from "./generated/operations.ts";
import { extraHeaders } from "./headers.ts";
import { observed } from "./hooks.ts";
import { bodyOf, reasonOf, resultOf, unexpected } from "./reading.ts";
import { type APIPromise, Head, promiseOf, type ResponseInfo } from "./response.ts";
import { Attempts, transferRetries } from "./retry.ts";
import { Deadline } from "./runtime/deadline.ts";
import type { WireRequest, WireResponse } from "./runtime/transport.ts";
import { checkNames, isConfidential, numberOf, type Settings } from "./settings.ts";

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
  /** The id of an operation without a method, for hooks. */
  operationId?: string | undefined;
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

/** The methods with an Idempotency-Key. Without one, a retry could buy twice, or find its own change and fail with 412. */
const keyed = new Set(["POST", "PATCH", "DELETE"]);

/** The options that calls accept. Others are refused: a call with a misspelt `idempotencyKey` could buy twice. */
const optionNames = [
  ...["timeoutMs", "maxRetries", "signal", "headers", "query", "body"],
  ...["idempotencyKey", "ifMatch", "onProgress", "partBytes"],
];

/** The request of an attempt; for hooks, also the operation and the number of the attempt. */
interface Attempt extends Omit<WireRequest, "deadline"> {
  /** The id of the operation, or the operation itself; null or undefined for any other request. */
  operation: Operation | string | null | undefined;
  number: number;
}

/** Sends requests with the API key, retries temporary failures, and throws error responses as errors. */
export class Sender {
  readonly #settings: Settings;
  readonly #headers: Readonly<Record<string, string>>;
  /** The client's own headers, and the additional ones of its option `headers`. */
  readonly #usual: Readonly<Record<string, string>>;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#headers = {
      authorization: `Bearer ${settings.apiKey}`,
      accept: "application/json",
      "user-agent": settings.userAgent,
    };
    this.#usual = { ...settings.headers, ...this.#headers };
  }

  /** Default number of retries of this client. */
  get maxRetries(): number {
    return this.#settings.maxRetries;
  }

  /** Calls an operation. Invalid arguments reject, too. */
  call<T>(operation: Operation, { ids, query, body, options }: Given): APIPromise<T> {
    return promiseOf(async (keep) => {
      const url = this.url(pathOf(operation, ids), query, options);
      const headers = headersOf(options);
      const extraMs = waitMsOf(query);
      const sent = { method: operation.method, url, headers, body, operation, extraMs, options };
      const { body: data, response } = await this.send(sent);
      keep(response);
      return data as T;
    });
  }

  /** The URL of a percent-encoded path below the base URL. Null and undefined query values are omitted. */
  url(path: string, query?: object | null, options?: CallOptions | null): URL {
    const { baseUrl } = this.#settings;
    if (typeof (query ?? {}) !== "object" || Array.isArray(query))
      throw new BeatMarketError(`The query is ${JSON.stringify(query)}; it takes an object such as { limit: 5 }.`);
    const url = new URL(`${baseUrl.origin}${baseUrl.pathname === "/" ? "" : baseUrl.pathname}${path}`);
    for (const [name, value] of Object.entries((withExtra("query", query, options?.query) ?? {}) as Query))
      if (value !== null && value !== undefined) url.searchParams.append(name, textOf(name, value));
    return url;
  }

  /** The URL of the next page. It must have the origin of the base URL, so that the key is sent nowhere else. */
  followingUrl(address: unknown, response: ResponseInfo): URL {
    const { origin } = this.#settings.baseUrl;
    const url =
      typeof address === "string" && address !== "" && URL.canParse(address, origin)
        ? new URL(address, origin)
        : undefined;
    if (url?.origin === origin) return url;
    throw unexpected(
      response,
      `The next page is at ${url?.origin ?? "no address"}, and the key goes to ${origin} only. Set baseUrl to the address that the service uses in its links.`,
    );
  }

  /** Creates the attempts of a call, or of the transfer of a file. */
  attempts(
    what: string,
    options?: CallOptions | null,
    { isTransfer = false, maxRetryAfterMs = -1 }: { isTransfer?: boolean; maxRetryAfterMs?: number } = {},
  ): Attempts {
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

  /**
   * Sends a request and reads its response. Rejects with an error of errors.ts, the error of a hook, or the reason of
   * the aborted signal.
   */
  async send(request: Request, attempts?: Attempts): Promise<ParsedResponse> {
    const { method, url, operation, options } = request;
    const body = withExtra("body", request.body, options?.body);
    const isBytes = body instanceof Uint8Array;
    const headers = { ...this.#ownHeaders(options) };
    if (body !== undefined && !isBytes) headers["content-type"] = "application/json";
    if (keyed.has(method)) headers["idempotency-key"] = crypto.randomUUID();
    Object.assign(headers, request.headers);
    const content = isBytes ? body : jsonOf(body);
    const named = request.operationId ?? operation;
    const timeoutMs = (request.extraMs ?? 0) + this.#timeoutMs(options);
    const repeated = attempts ?? this.attempts(`${method} ${url}`, options);
    const read: Read<ParsedResponse> = async (wire, response) => {
      const received = bodyOf(operation !== null && method !== "HEAD", wire.status, await wire.text(), response);
      return { body: operation ? resultOf(operation, received, response) : received, response };
    };
    for (let number = 1; ; number += 1) {
      try {
        const sent = { method, url, headers, body: content, operation: named, number };
        return await this.#attempt(sent, timeoutMs, options?.signal, read);
      } catch (failure) {
        if (failure instanceof APIStatusError || failure instanceof APIConnectionError)
          failure.idempotencyKey = headers["idempotency-key"] ?? null;
        await repeated.after(failure);
      }
    }
  }

  /** Opens a response to read its bytes, in one attempt. The option `timeoutMs` limits each wait for the next bytes. */
  async open(
    url: URL,
    more: Record<string, string>,
    options: CallOptions | null | undefined,
    operation: string,
    number: number,
  ): Promise<OpenResponse> {
    withExtra("body", undefined, options?.body);
    const headers = { ...this.#ownHeaders(options), accept: "*/*", ...more };
    return this.#open({ url, headers, operation, number }, options);
  }

  /**
   * Opens a link in the same way, without the API key: neither the link's host nor a host that it redirects to gets the
   * key.
   */
  async openLink(
    link: string,
    more: Record<string, string>,
    options: CallOptions | null | undefined,
    number: number,
  ): Promise<OpenResponse> {
    const { authorization: _, ...headers } = this.#headers;
    let url = URL.canParse(link) ? new URL(link) : undefined;
    if (url === undefined || !isConfidential(url))
      throw new BeatMarketError("The link of the file takes an https: address: is PUBLIC_URL of the service right?");
    for (let redirects = 0; ; redirects += 1) {
      const sent = { url, headers: { ...headers, accept: "*/*", ...more }, operation: null, number };
      const opened = await this.#open(sent, options, redirects < mostRedirects);
      const next = redirectOf(opened, url);
      if (next === undefined) return opened;
      url = next;
    }
  }

  async #open(
    given: Pick<Attempt, "url" | "headers" | "operation" | "number">,
    options: CallOptions | null | undefined,
    mayRedirect = false,
  ): Promise<OpenResponse> {
    const sent = { method: "GET", body: undefined, ...given };
    const { url } = given;
    const timeoutMs = this.#timeoutMs(options);
    return this.#attempt(sent, timeoutMs, options?.signal, async (wire, info, bytes) => {
      if (wire.status === 200 || wire.status === 206) return { ...wire, info, bytes };
      const text = await wire.text();
      if (!mayRedirect || redirectOf(wire, url) === undefined) bodyOf(false, wire.status, text, info);
      return { ...wire, info };
    });
  }

  /** The headers of each request to the API. */
  #ownHeaders(options: CallOptions | null | undefined): Record<string, string> {
    if (options?.headers === undefined) return this.#usual;
    return { ...this.#usual, ...extraHeaders(options.headers), ...this.#headers };
  }

  #timeoutMs(options: CallOptions | null | undefined): number {
    return numberOf("timeoutMs", options?.timeoutMs ?? this.#settings.timeoutMs, 1);
  }

  /** Makes an attempt, between the hooks if there are any. */
  #attempt<T>(sent: Attempt, timeoutMs: number, signal: AbortSignal | undefined, read: Read<T>): Promise<T> {
    const { hooks, logLevel } = this.#settings;
    if (hooks.onRequest === undefined && hooks.onResponse === undefined && logLevel === undefined)
      return this.#exchange(sent, timeoutMs, signal, read);
    const { method, url, headers, operation, number } = sent;
    const facts = { method, path: url.pathname, operation: idOf(operation), attempt: number, requestHeaders: headers };
    return observed(hooks, logLevel, facts, (onHead) => {
      const noticing: Read<T> = (wire, response, bytes) => {
        onHead(response);
        return read(wire, response, bytes);
      };
      return this.#exchange(sent, timeoutMs, signal, noticing);
    });
  }

  /** Sends a request, and reads from the response with `read`, within the time-out. */
  async #exchange<T>(sent: Attempt, timeoutMs: number, signal: AbortSignal | undefined, read: Read<T>): Promise<T> {
    const { method, url, headers, body } = sent;
    signal?.throwIfAborted();
    const deadline = new Deadline(timeoutMs, signal);
    const startMs = performance.now();
    let response: Head | undefined;
    deadline.start();
    try {
      const wire = await this.#settings.transport({ method, url, headers, body, deadline });
      response = new Head(wire);
      const result = await read(wire, response, () => readWithin(wire, sent, timeoutMs, deadline));
      this.#log(sent, response, startMs);
      return result;
    } catch (cause) {
      if (response !== undefined && cause instanceof APIStatusError) this.#log(sent, response, startMs);
      throw failureOf(cause, sent, timeoutMs, deadline);
    } finally {
      deadline.pause();
    }
  }

  #log(sent: Attempt, { status, requestId }: ResponseInfo, startMs: number): void {
    const { logger } = this.#settings;
    if (logger === undefined) return;
    const ms = Math.round(performance.now() - startMs);
    logger.debug(`beatmarket: ${requestLine(sent)}: ${status} in ${ms} ms, request id ${requestId ?? "none"}`);
  }
}

/** Reads a response. */
type Read<T> = (wire: WireResponse, response: ResponseInfo, bytes: () => AsyncIterable<Uint8Array>) => Promise<T>;

/** The query of a link contains its signature, which is enough to download the file, so logs and messages omit it. */
const requestLine = ({ method, url, headers }: Attempt): string =>
  `${method} ${"authorization" in headers ? url : url.origin + url.pathname}`;

/** The error of a call after an error of the transport. */
function failureOf(cause: unknown, sent: Attempt, timeoutMs: number, { signal, hasPassed }: Deadline): unknown {
  if (cause instanceof BeatMarketError) return cause;
  if (signal?.aborted) return signal.reason;
  if (hasPassed)
    return new APITimeoutError(`${requestLine(sent)} got no complete response within ${timeoutMs} ms.`, { cause });
  return new APIConnectionError(`${requestLine(sent)} got no response: ${reasonOf(cause)}.`, { cause });
}

/** The id of an operation; null for a request without one. */
const idOf = (operation: Attempt["operation"]): string | null =>
  typeof operation === "string"
    ? operation
    : (Object.entries(operations).find(([, each]) => each === operation)?.[0] ?? null);

/** The bytes of a response, with the time-out for each part of them. */
async function* readWithin(
  wire: WireResponse,
  sent: Attempt,
  timeoutMs: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = wire.bytes()[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    deadline.start();
    try {
      return await chunks.next();
    } catch (cause) {
      throw failureOf(cause, sent, timeoutMs, deadline);
    } finally {
      deadline.pause();
    }
  };
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Returns the target of a redirect; undefined for any other response, or if the target is not confidential. */
function redirectOf({ status, header }: WireResponse, from: URL): URL | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? header("location") : null;
  const url = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  return url !== undefined && isConfidential(url) ? url : undefined;
}
