import { APIConnectionError, APIStatusError, APITimeoutError, BeatMarketError, statusError } from "./errors.ts";
import { type ResponseInfo, responseInfo } from "./response.ts";
import { pause, retryAfterSeconds, retryWaitMs } from "./retry.ts";
import { isConfidential, numberOf, runtimeName, type Settings } from "./settings.ts";
import type { WireRequest, WireResponse } from "./transport/transport.ts";
import { version } from "./version.ts";

/** Options of one call, which override the client's. */
export interface CallOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Aborts the call with all its attempts and waits; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A value of a query. A Date is sent in ISO 8601, and a list with commas between its values. */
export type QueryValue = string | number | boolean | Date | null | undefined;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

export interface Request {
  method: string;
  url: URL;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON unless undefined. */
  body?: unknown;
  /** A body of bytes, instead of `body`. */
  content?: Uint8Array<ArrayBuffer> | undefined;
  /** False for a response of tus, which is headers alone. */
  hasEnvelope?: boolean | undefined;
  /** How long the service may wait for news before it responds; extends the time-out. */
  waitMs?: number | undefined;
  /** Takes the body of a successful response, so that none is returned. */
  download?: Download | undefined;
  /** Replaces the client's. */
  maxRetryAfterMs?: number | undefined;
  options: CallOptions;
}

/** Takes the body of a response over several attempts. */
export interface Download {
  /** The headers of the next attempt. */
  headers(): Record<string, string>;
  receive: NonNullable<WireRequest["receive"]>;
  /** Whether something came since the last call: then the attempts are counted anew. */
  hasAdvanced(): boolean;
}

/** A successful response with its parsed body. */
export interface ParsedResponse {
  body: unknown;
  response: ResponseInfo;
}

/** How an attempt is repeated. */
interface Repetition {
  /** What is tried, for the log. */
  what: string;
  maxRetries: number;
  /** Replaces the client's. */
  maxRetryAfterMs?: number | undefined;
  signal: AbortSignal | undefined;
  /** Whether something came of the attempts since the last call: then they are counted anew. */
  hasAdvanced?: (() => boolean) | undefined;
}

interface Try {
  method: string;
  url: URL;
  /** The URL in logs and messages. */
  shown: string;
  headers: Record<string, string>;
  body: WireRequest["body"];
  /** Of the whole attempt; of a download, until the next chunk. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  download: Download | undefined;
}

interface LinkRequest {
  url: string;
  download: Download;
  options: CallOptions;
}

/** A response, of which `download` may have taken the body. */
interface Received {
  wire: WireResponse;
  response: ResponseInfo;
  isDownloaded: boolean;
}

const mostRedirects = 5;

/** Sends requests with the API key, retries temporary failures, and turns error responses into errors. */
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

  /** The client's attempts after the first. */
  get maxRetries(): number {
    return this.#settings.maxRetries;
  }

  /** The URL of a percent-encoded path below the base URL. Null and undefined query values are omitted. */
  url(path: string, query: Query = {}): URL {
    const { baseUrl } = this.#settings;
    const url = new URL(`${baseUrl.origin}${baseUrl.pathname === "/" ? "" : baseUrl.pathname}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== null && value !== undefined) url.searchParams.append(name, textOf(value));
    return url;
  }

  /** The URL of the next page. It must have the same origin, so that the key is sent nowhere else. */
  followingUrl(address: string, response: ResponseInfo): URL {
    const { origin } = this.#settings.baseUrl;
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
    if (url?.origin === origin) return url;
    throw unexpected(
      response,
      `The next page is at ${url?.origin ?? "no address"}, and the key goes to ${origin} only. Set the base address to the one that the service has for itself.`,
    );
  }

  /** Rejects with an error of errors.ts, or with the aborted signal's reason. */
  async send({
    method,
    url,
    headers,
    body,
    content,
    hasEnvelope = true,
    waitMs = 0,
    maxRetryAfterMs,
    download,
    options,
  }: Request): Promise<ParsedResponse> {
    const settings = this.#settings;
    const its: Try = {
      method,
      url,
      shown: `${url}`,
      headers: {
        ...this.#headers,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
        ...headers,
      },
      body: body === undefined ? content : JSON.stringify(body),
      timeoutMs: waitMs + this.#timeoutMs(options),
      signal: options.signal,
      download,
    };
    const maxRetries =
      options.maxRetries === undefined ? settings.maxRetries : numberOf("maxRetries", options.maxRetries, 0);
    const attempt = async (): Promise<ParsedResponse> => {
      const { wire, response, isDownloaded } = await this.#try(its);
      return { body: isDownloaded ? null : bodyOf(hasEnvelope && method !== "HEAD", wire, response), response };
    };
    return this.retry(attempt, {
      what: `${method} ${url}`,
      maxRetries,
      maxRetryAfterMs,
      signal: options.signal,
      hasAdvanced: download && (() => download.hasAdvanced()),
    });
  }

  /**
   * Downloads by a link, in one attempt and without the API key, which neither its host gets nor one that it redirects to.
   * Rejects as `send` does.
   */
  async sendWithoutKey({ url: link, download, options }: LinkRequest): Promise<void> {
    const { authorization: _, ...headers } = this.#headers;
    const its = URL.canParse(link) ? new URL(link) : undefined;
    if (its === undefined || !isConfidential(its))
      throw new BeatMarketError("The link of the file takes an https: address: is PUBLIC_URL of the service right?");
    let url: URL = its;
    for (let redirects = 0; ; redirects += 1) {
      const { wire, response, isDownloaded } = await this.#try({
        method: "GET",
        url,
        // What follows the path signs the link: whoever reads it could download the file.
        shown: url.origin + url.pathname,
        headers: { ...headers, accept: "*/*" },
        body: undefined,
        timeoutMs: this.#timeoutMs(options),
        signal: options.signal,
        download,
      });
      if (isDownloaded) return;
      const next: URL | undefined = redirects < mostRedirects ? redirectOf(wire, url) : undefined;
      if (next === undefined) {
        bodyOf(false, wire, response);
        throw unexpected(response, "The response has no file.");
      }
      url = next;
    }
  }

  /** Repeats an attempt that fails for a time. Rejects with its last error. */
  async retry<T>(
    attempt: () => Promise<T>,
    { what, maxRetries, maxRetryAfterMs, signal, hasAdvanced }: Repetition,
  ): Promise<T> {
    const settings = this.#settings;
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (failure) {
        if (!(failure instanceof APIConnectionError || failure instanceof APIStatusError)) throw failure;
        if (hasAdvanced?.() === true) tries = 1;
        const waitMs =
          tries > maxRetries ? null : retryWaitMs(failure, tries, maxRetryAfterMs ?? settings.maxRetryAfterMs);
        if (waitMs === null) throw failure;
        settings.logger?.warn(
          `beatmarket: ${what} failed (${failure.message}); trying again in ${Math.round(waitMs)} ms (${tries} of ${maxRetries})`,
        );
        await pause(waitMs, signal);
      }
    }
  }

  #timeoutMs({ timeoutMs }: CallOptions): number {
    return timeoutMs === undefined ? this.#settings.timeoutMs : numberOf("timeoutMs", timeoutMs, 1);
  }

  async #try({ method, url, shown, headers, body, timeoutMs, signal, download }: Try): Promise<Received> {
    const { transport, logger } = this.#settings;
    signal?.throwIfAborted();
    const deadline = new AbortController();
    const limit = () => setTimeout(() => deadline.abort(), timeoutMs);
    let timer = limit();
    let isDownloaded = false;
    const receive: WireRequest["receive"] =
      download &&
      ((head) => {
        const write = download.receive(head);
        isDownloaded = write !== undefined;
        return (
          write &&
          (async (chunk) => {
            clearTimeout(timer);
            await write(chunk);
            timer = limit();
          })
        );
      });
    const both = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    const startMs = performance.now();
    let wire: WireResponse;
    try {
      const sent = { ...headers, ...download?.headers() };
      wire = await transport({ method, url, headers: sent, body, signal: both, receive });
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof BeatMarketError) throw cause;
      if (deadline.signal.aborted)
        throw new APITimeoutError(`${method} ${shown} got no complete response within ${timeoutMs} ms.`, { cause });
      throw new APIConnectionError(`${method} ${shown} got no response: ${reasonOf(cause)}.`, { cause });
    } finally {
      clearTimeout(timer);
    }
    const response = responseInfo(wire);
    logger?.debug(
      `beatmarket: ${method} ${shown}: ${wire.status} in ${Math.round(performance.now() - startMs)} ms, request id ${response.requestId ?? "none"}`,
    );
    return { wire, response, isDownloaded };
  }
}

const textOf = (value: QueryValue | readonly QueryValue[]): string =>
  Array.isArray(value) ? value.map(textOf).join(",") : value instanceof Date ? value.toISOString() : String(value);

/** Where a response leads to; undefined if it leads nowhere, or where others could read along. */
function redirectOf({ status, header }: WireResponse, from: URL): URL | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? header("location") : null;
  const url = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  return url !== undefined && isConfidential(url) ? url : undefined;
}

/** fetch rejects with "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner.message || String((inner as { code?: unknown }).code ?? inner.name) : "unknown";
}

/** The parsed body of a successful response. Throws an APIStatusError for any other. */
function bodyOf(hasBody: boolean, { status, text }: WireResponse, response: ResponseInfo): unknown {
  const body = parsed(text);
  if (status >= 200 && status <= 299) {
    if (!hasBody) return null;
    if (!isObject(body)) throw unexpected(response, "The response has an unknown form.");
    if (body.status !== "error") return body;
  }
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const field = (name: string): string | null => (typeof error[name] === "string" ? error[name] : null);
  const location = status >= 300 && status <= 399 ? response.headers.get("location") : null;
  throw statusError({
    ...fieldsOf(response),
    code: field("code"),
    message:
      field("message") ??
      `The response has status ${status}${location === null ? "" : ", a redirect, which is not followed: is the base URL right?"}`,
    details: field("details"),
  });
}

/** The error for a response of an unknown form. */
export const unexpected = (response: ResponseInfo, message: string): APIStatusError =>
  new APIStatusError({ ...fieldsOf(response), code: null, message, details: null });

const fieldsOf = ({ status, headers, requestId, rateLimit }: ResponseInfo) => ({
  status,
  requestId,
  rateLimit,
  retryAfterSeconds: retryAfterSeconds(headers.get("retry-after"), Date.now()),
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
