import { randomUUIDv7 } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Access, Account, Caller, LapsedKey } from "./application.ts";
import { Proxies } from "./forwarded.ts";
import type { Form } from "./negotiation/forms.ts";
import type { InnerRequest } from "./pipeline/inner-request.ts";

/** The parts of Node's request that the pipeline reads. */
export type IncomingRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & {
  socket: Pick<IncomingMessage["socket"], "remoteAddress">;
};

export interface RequestContextOptions {
  /** Headers of every response. */
  fixedHeaders?: Readonly<Record<string, string>>;
  /** The proxies in front; none unless given. */
  proxies?: Proxies;
  /** The origin that absolute URLs are built on, without a trailing slash. */
  publicUrl?: string;
}

const noProxies = new Proxies({ endTls: false, trusted: null });

/** The state of one request. The request log and the metrics are written from it. */
export class RequestContext {
  /** Begins with the time, so the request log finds a call without a separate index. */
  readonly requestId: string = randomUUIDv7();
  readonly startedMs: number = performance.now();
  /**
   * The request timeout counts from here: the start, later by the time spent waiting for the body. A slow body has a
   * timeout of its own (server.ts).
   */
  receivedMs: number = this.startedMs;
  /**
   * The part of the time since the start in which the client asked to wait for news, or the body of a refused request
   * arrived after its response: no part of the duration.
   */
  waitedMs = 0;
  /** As sent, or as `X-HTTP-Method-Override` says where the path's routes take that. */
  method: string;
  /** As sent. The pipeline normalizes it to origin form, `/path?query`. */
  url: string;
  readonly requestHeaders: IncomingHttpHeaders;
  /** The socket's address. */
  readonly remoteAddress: string;
  readonly #proxies: Proxies;
  readonly publicUrl: string;
  /** Null until the router has matched. */
  route: { operationId: string | null; path?: string; access: Access; streamsBody?: boolean } | null = null;
  /** The prefix of the route's area that was called. */
  prefix = "";
  /** Path parameters by name, as sent. */
  params: Readonly<Record<string, string>> = {};
  /** Null until the API key is authenticated. */
  caller: Caller | null = null;
  /** Set instead when the key was revoked or has expired. */
  lapsedKey: LapsedKey | null = null;
  /** When the caller's rate limit admitted the request: Unix milliseconds. Null before, and for callers without a limit. */
  admittedMs: number | null = null;
  /** The account of the session. */
  account: Account | null = null;
  /** The wire form of the response; errors have only one. */
  form: Form = "reference";
  /** Whether the response is an event stream, which has neither form. */
  isStream = false;
  /** The request's body, once read; the beginning of a refused one; undefined without one. */
  body: Buffer | undefined = undefined;
  /** Set when the request was refused or failed. */
  error: ApiError | null = null;
  /** The status that was sent; 0 before. */
  status = 0;
  /** Headers of the response, errors included. */
  readonly headers: Record<string, string | string[]>;
  #webHeaders: Headers | null = null;

  constructor(
    { method = "GET", url = "/", headers, socket }: IncomingRequest,
    { fixedHeaders = {}, proxies = noProxies, publicUrl = "" }: RequestContextOptions = {},
  ) {
    this.method = method;
    this.url = url;
    this.requestHeaders = headers;
    this.remoteAddress = socket.remoteAddress ?? "";
    this.#proxies = proxies;
    this.publicUrl = publicUrl;
    this.headers = { ...fixedHeaders, "x-request-id": this.requestId };
  }

  /** The context of a request that the handler of this one makes of the server, for the same caller. */
  inner({ method, url, headers, body }: InnerRequest): RequestContext {
    const { "user-agent": agent, authorization: _, cookie: _cookie, ...others } = this.requestHeaders;
    const forwarded = Object.entries(others).filter(([name]) => /^(forwarded$|x-forwarded-|x-real-ip$)/.test(name));
    const context = new RequestContext(
      {
        method,
        url,
        headers: {
          ...Object.fromEntries(forwarded),
          ...(agent !== undefined && { "user-agent": agent }),
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        socket: { remoteAddress: this.remoteAddress },
      },
      { proxies: this.#proxies, publicUrl: this.publicUrl },
    );
    context.caller = this.caller;
    if (body !== undefined) context.body = Buffer.from(JSON.stringify(body));
    return context;
  }

  /** Whether the method is GET or HEAD. */
  get isRead(): boolean {
    return this.method === "GET" || this.method === "HEAD";
  }

  /** Whether no valid key or session came with the request. */
  get isAnonymous(): boolean {
    return this.caller === null && this.account === null;
  }

  /** The request's duration until now, without what it waited for news. */
  get durationMs(): number {
    return performance.now() - this.startedMs - this.waitedMs;
  }

  get path(): string {
    const mark = this.url.indexOf("?");
    return mark < 0 ? this.url : this.url.slice(0, mark);
  }

  /** Without the question mark. */
  get query(): string {
    const mark = this.url.indexOf("?");
    return mark < 0 ? "" : this.url.slice(mark + 1);
  }

  /** Whether no proxy is in between, so that the peer is the client. */
  get isDirect(): boolean {
    return !this.#proxies.endTls && !this.#proxies.trust(this.remoteAddress);
  }

  /** Whether the client called over HTTPS, itself or through proxies. */
  get isHttps(): boolean {
    return this.#proxies.isHttps(this.requestHeaders, this.remoteAddress);
  }

  /** The caller's address; behind proxies, the address that connected to the first of them. */
  get clientAddress(): string {
    return this.#proxies.clientAddress(this.requestHeaders, this.remoteAddress);
  }

  /** The request's headers as a web API reads them; converted once. */
  get webHeaders(): Headers {
    if (this.#webHeaders !== null) return this.#webHeaders;
    const copy = new Headers();
    for (const [name, value] of Object.entries(this.requestHeaders))
      for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) copy.append(name, each);
    this.#webHeaders = copy;
    return copy;
  }

  /** Adds Set-Cookie headers to the response. */
  setCookies(cookies: readonly string[]): void {
    if (cookies.length === 0) return;
    this.headers["set-cookie"] = [...((this.headers["set-cookie"] as string[] | undefined) ?? []), ...cookies];
  }
}

/** Records a finished API request. Never throws or blocks. */
export type RecordRequest = (context: RequestContext) => void;
