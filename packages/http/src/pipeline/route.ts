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
  /** The database of `db`: for a cached route a replica, if one is readable. */
  server: ReadServer;
  clock: Clock;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  /** Identifies one execution under an Idempotency-Key, across retries; null without one. */
  idempotencyRun: string | null;
  context: RequestContext;
  /** Runs work under a permit of its lane. For routes that `waits` or `streamsBody`; all others run under one already. */
  underPermit<T>(work: () => Promise<T>): Promise<T>;
  /** Aborts when the client closes its connection. Only for routes that `waits`; never aborts for others. */
  closed: AbortSignal;
  /** The request's body as it arrives, with the failures of `streamBody`. Only for routes that `streamsBody`. */
  streamBody(): Readable;
  /** Checks the key or session, and its permission, again; rejects when it would be refused now. */
  readmit(): Promise<void>;
  /**
   * Makes a request of this server for the same caller, whose permission, validation, permit and line in the log are those of any other
   * request; it does not count towards the limit a second time. A refusal is its response. Only for routes that `streamsBody`,
   * which hold no permit.
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
  /** Of a resource that its creator may change; absent in what earlier releases stored. */
  editVersion?: number | null;
}

/** Both are pure. */
export interface Replay {
  render(value: unknown, context: RequestContext): RenderedForms;
  respond(rendered: RenderedForms, context: RequestContext): HttpResponse;
}

/** One row of a route table, as the pipeline reads it. */
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
  /** What of it is deprecated; absent for nothing. */
  deprecations?: Deprecations;
  /** The response has two wire forms, chosen by Accept. */
  hasForms?: boolean;
  /** The response depends on the shared content and the URL alone, so it may be cached until the content changes. */
  cached?: boolean;
  /** Callers whose response may be their own: it is neither found in the cache nor put there. */
  isPersonalFor?(caller: Caller): boolean;
  /** Supports Idempotency-Key: how a success is stored and replayed. */
  replay?: Replay;
  /** Whether the call changed the shared content; absent for routes that never do. */
  changesContent?(value: unknown): boolean;
  /** Exempt from load shedding (health checks). */
  isVital?: boolean;
  /** May wait for long, so it holds no permit in the meantime: the handler takes one for what it reads. */
  waits?: boolean;
  /**
   * The handler reads the body while it arrives, however long that takes, so like one that `waits` it holds no permit
   * in the meantime. What it does not read is discarded.
   */
  streamsBody?: boolean;
  /** `X-HTTP-Method-Override` names the method of requests to its path, as tus 1.0 demands. */
  takesMethodOverride?: boolean;
  /** Where they are not `defaultBodyLimits`. */
  bodyLimits?: Partial<BodyLimits>;
  /** Responds instead of `handle` and `respond` where Accept prefers an event stream. */
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
  /** The access that unknown paths and methods require, and their error. */
  fallback: Pick<Route, "access" | "headers"> & { notFound(path: string): string };
}
