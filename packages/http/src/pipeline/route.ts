import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { TObject } from "typebox";
import type { Access, Account, Caller, ReadServer } from "../application.ts";
import type { Content, HttpResponse } from "../http-response.ts";
import type { RequestContext } from "../request-context.ts";
import type { BodyLimits } from "../transport/request-bytes.ts";
import type { Deprecations } from "./deprecation.ts";
import type { InnerRequest, Method } from "./inner-request.ts";

/** The arguments of every handler: validated input, database and account. */
export interface Call<Params, Query, Body> {
  db: ReadServer["query"];
  /** The database server of `db`. For a cached route, it is a replica if a replica can be read. */
  server: ReadServer;
  clock: Clock;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  /** Identifies one execution under an Idempotency-Key, across retries; null without the header. */
  idempotencyRun: string | null;
  context: RequestContext;
  /** Runs work under a permit. For routes with `waits` or `streamsBody`: the handlers of other routes hold a permit. */
  underPermit<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Aborts when the client closes its connection, or when the key or session is refused meanwhile. Only for routes with
   * `waits` or `streamsBody`.
   */
  closed: AbortSignal;
  /** The request's body as it arrives, with the errors of `streamBody`. Only for routes with `streamsBody`. */
  streamBody(): Readable;
  /** Authenticates and authorizes the call again. Rejects if the call would be refused now. */
  readmit(): Promise<void>;
  /**
   * Sends a request to this server for the same caller. The request has its own authorization, validation, permit and
   * log entry, but does not count towards the rate limit. Returns a refusal as a response. Only for routes with
   * `streamsBody`, which hold no permit.
   */
  request(inner: InnerRequest): Promise<Content>;
}

/** The call of a route with access by key. */
export interface KeyCall<Params, Query, Body> extends Call<Params, Query, Body> {
  caller: Caller;
}

/** The call of any route. */
export interface HandlerCall extends Call<object, object, object> {
  caller: Caller | null;
  account: Account | null;
}

/** A stored success that can be replayed: the bodies of both forms, and the created resource's URL. */
export interface RenderedForms {
  reference: string;
  console: string;
  /** Relative to the base address. */
  location: string | null;
  /** For a resource that its creator may change. Absent in results that earlier releases stored. */
  editVersion?: number | null;
  /** The date of the version whose shape the bodies have. Absent in results that earlier releases stored. */
  version?: string;
}

/** Both functions are pure. */
export interface Replay {
  render(value: unknown, context: RequestContext): RenderedForms;
  respond(rendered: RenderedForms, context: RequestContext): HttpResponse;
}

/** One row of a route table, as the pipeline uses it. */
export interface Route {
  /** The operation's name in OpenAPI; null for undocumented routes: pages, files, unknown paths. */
  operationId: string | null;
  method: Method;
  /** Relative to the area's prefix: `/articles/:id`. */
  path: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  access: Access;
  /** Sent with every response of the route, errors included. */
  headers?: Readonly<Record<string, string>>;
  /** The deprecated parts; absent if there are none. */
  deprecations?: Deprecations;
  /** Whether the response has two wire forms, chosen by Accept. */
  hasForms?: boolean;
  /**
   * Whether the response depends only on the shared content and the URL, so that it may be cached until the content
   * changes.
   */
  cached?: boolean;
  /** Callers who may get a personal response, which bypasses the cache. */
  isPersonalFor?(caller: Caller): boolean;
  /** Stores and replays a success. Absent: the route does not support Idempotency-Key. */
  replay?: Replay;
  /** Whether the call changed the shared content; absent for routes that never do. */
  changesContent?(value: unknown): boolean;
  /** Exempt from load shedding (health checks). */
  isVital?: boolean;
  /** Whether the handler may wait long. It runs without a permit, and takes one for each read (`underPermit`). */
  waits?: boolean;
  /**
   * Whether the handler reads the body while it arrives, which may take long. Like `waits`, it runs without a permit.
   * An unread rest of the body is discarded.
   */
  streamsBody?: boolean;
  /** Whether `X-HTTP-Method-Override` sets the method of requests to its path, as tus 1.0 requires. */
  takesMethodOverride?: boolean;
  /** Absent: `defaultBodyLimits`. */
  bodyLimits?: Partial<BodyLimits>;
  /** Responds instead of `handle` and `respond` if Accept prefers an event stream. */
  stream?(call: HandlerCall): Promise<HttpResponse>;
  handle(call: HandlerCall): unknown;
  /** Builds the response from the result of `handle`. Pure. */
  respond(value: unknown, context: RequestContext): Content;
}

/** A group of routes under common prefixes. */
export interface Area {
  /** The routes are served under each prefix. */
  prefixes: readonly string[];
  routes: readonly Route[];
  /** The access and the error of unknown paths and methods. */
  fallback: Pick<Route, "access" | "headers"> & { notFound(path: string): string };
}
