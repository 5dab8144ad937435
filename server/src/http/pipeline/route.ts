import type { TObject } from "typebox";
import type { Clock } from "../../clock.ts";
import type { Queryable, ReadServer } from "../../database/connection/connect.ts";
import type { Access } from "../admission/access.ts";
import type { Account } from "../admission/account.ts";
import type { Caller } from "../admission/caller.ts";
import type { Content, HttpResponse } from "./http-response.ts";
import type { RequestContext } from "./request-context.ts";

/** What every handler gets: validated input, and what it may use. */
export interface Call<Params, Query, Body> {
  db: Queryable;
  /** What `db` belongs to; for a cached route a replica, if one can be read. */
  server: ReadServer;
  clock: Clock;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  /** Identifies one execution under an Idempotency-Key, however often it is retried; null without one. */
  idempotencyRun: string | null;
  context: RequestContext;
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

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The success of a write as it can be sent again: the bodies of both forms, and where the created resource is. */
export interface RenderedForms {
  reference: string;
  console: string;
  /** Relative to the base address. */
  location: string | null;
}

/** Both are pure. */
export interface Replay {
  render(value: unknown, context: RequestContext): RenderedForms;
  respond(rendered: RenderedForms, context: RequestContext): HttpResponse;
}

/** One row of a route table, as the pipeline reads it. */
export interface Route {
  /** The operation's name in OpenAPI; null where no document lists it: pages, files, unknown paths. */
  operationId: string | null;
  method: Method;
  /** Relative to the area's prefix: `/beats/:beat_id`. */
  path: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  access: Access;
  /** Sent with every response of the route, errors included. */
  headers?: Readonly<Record<string, string>>;
  /** The response has two wire forms, chosen by Accept. */
  hasForms?: boolean;
  /** The response depends on the catalogue and the URL alone, so it may be cached until the catalogue changes. */
  cached?: boolean;
  /** Honours Idempotency-Key: how a success is stored, and sent again. */
  replay?: Replay;
  /** Whether the call changed the catalogue; absent for routes that never do. */
  changesCatalogue?(value: unknown): boolean;
  /** Exempt from load shedding, as health checks must be. */
  isVital?: boolean;
  /** 100 kB unless set. */
  maxBodyBytes?: number;
  handle(call: HandlerCall): unknown;
  /** Makes the response of what `handle` returned. Pure. */
  respond(value: unknown, context: RequestContext): Content;
}

/** A part of the address space. */
export interface Area {
  /** Its routes are served under each of them. */
  prefixes: readonly string[];
  routes: readonly Route[];
  /** What a path or method that no route has asks for, and says. */
  fallback: Pick<Route, "access" | "headers"> & { notFound(path: string): string };
}
