import { randomUUIDv7 } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Access, Account, Caller, FormerKey } from "./application.ts";
import { Proxies } from "./forwarded.ts";
import type { Form } from "./negotiation/forms.ts";
import type { InnerRequest } from "./pipeline/inner-request.ts";
import type { WireVersion } from "./pipeline/wire-version.ts";

/** The parts of Node's request that the pipeline reads. */
export type IncomingRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & {
  socket: Pick<IncomingMessage["socket"], "remoteAddress">;
};

export interface RequestContextOptions {
  /** Headers of every response. */
  fixedHeaders?: Readonly<Record<string, string>>;
  /** The trusted proxies; absent if no proxy is trusted. */
  proxies?: Proxies;
  /** The origin of absolute URLs, without a trailing slash. */
  publicUrl?: string;
}

const noProxies = new Proxies({ endTls: false, trusted: null });

/** The state of one request. The request log and the metrics read it. */
export class RequestContext {
  /** Begins with the time, so that the request log needs no separate index to look up a call. */
  readonly requestId: string = randomUUIDv7();
  readonly startedMs: number = performance.now();
  /**
   * The start of the request timeout: the start of the request plus the time spent waiting for the body. A slow body
   * has its own timeout (request-bytes.ts). Each later check of a long request (`readmit`) starts a new timeout.
   */
  receivedMs: number = this.startedMs;
  /**
   * Time that does not count towards the duration: the client waited for news, or the body of a refused request arrived
   * after its response.
   */
  waitedMs = 0;
  /** The method as sent, or from `X-HTTP-Method-Override` if the path's routes accept that header. */
  method: string;
  /** The target as sent. The pipeline normalizes it to origin form, `/path?query`. */
  url: string;
  readonly requestHeaders: IncomingHttpHeaders;
  /** The socket's remote address. */
  readonly remoteAddress: string;
  readonly #proxies: Proxies;
  readonly publicUrl: string;
  /** Null until the router has matched. */
  route: { operationId: string | null; path?: string; access: Access; streamsBody?: boolean } | null = null;
  /** The prefix of the route's area in the request's path. */
  prefix = "";
  /** Path parameters by name, as sent. */
  params: Readonly<Record<string, string>> = {};
  /** Null until the API key is authenticated. */
  caller: Caller | null = null;
  /** Set instead of `caller` if the key is revoked or expired. */
  formerKey: FormerKey | null = null;
  /** The time at which the rate limit admitted the request, in Unix milliseconds. Null before, and without a limit. */
  admittedMs: number | null = null;
  /** The account of the session. */
  account: Account | null = null;
  /** The wire form of the response; errors have only one. */
  form: Form = "reference";
  /** The API version of the response; null before it is chosen, and outside of the API. */
  version: WireVersion | null = null;
  /** Whether the response is an event stream. A stream has neither the reference form nor the console form. */
  isStream = false;
  /** The body after it was read. Of a refused request, only the beginning. Undefined without a body. */
  body: Buffer | undefined = undefined;
  /** Set if the request was refused or failed. */
  error: ApiError | null = null;
  /** The status of the response; 0 before it is sent. */
  status = 0;
  /** Headers of the response, also if it is an error. */
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

  /** Creates the context of a request that this request's handler sends to the server for the same caller. */
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

  /** Whether the request has no valid key or session. */
  get isAnonymous(): boolean {
    return this.caller === null && this.account === null;
  }

  /** The request's duration until now, without `waitedMs`. */
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

  /** Whether the client is connected directly, without a proxy. */
  get isDirect(): boolean {
    return !this.#proxies.endTls && !this.#proxies.trust(this.remoteAddress);
  }

  /** Whether the client used HTTPS, directly or through proxies. */
  get isHttps(): boolean {
    return this.#proxies.isHttps(this.requestHeaders, this.remoteAddress);
  }

  /** The client's IP address; with proxies, the address that connected to the first proxy. */
  get clientAddress(): string {
    return this.#proxies.clientAddress(this.requestHeaders, this.remoteAddress);
  }

  /** The request's headers as a Headers object of the Fetch API; converted once. */
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
