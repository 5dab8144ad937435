import type { Static, TObject, TSchema } from "typebox";
import type { Clock } from "../../clock.ts";
import type { Queryable, ReadServer } from "../../database/connection/connect.ts";
import type { Caller } from "../admission/caller.ts";
import type { Permission } from "../admission/permissions.ts";

/** The same resources answer under both (DESIGN section 2). */
export const prefixes = ["/v1", "/api/v1"] as const;

/** What a handler gets: the caller, validated input, and what it may use. */
export interface Call<Params, Query, Body> {
  db: Queryable;
  /** What `db` is of; for a cached route a replica, if there is one that can be read. */
  server: ReadServer;
  clock: Clock;
  caller: Caller;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  /** What is executed under an Idempotency-Key, however often it is tried; null without one. */
  idempotencyRun: string | null;
}

/** What presenters need beside the value: the URL that was called. */
export interface PresenterContext {
  /** Origin, without a trailing slash. */
  publicUrl: string;
  /** Path as called, prefix included. */
  path: string;
  /** Query string as called, without the question mark. */
  query: string;
}

/** Console answers are `{success, data, meta?}` (contract 4.1): a presenter gives the last two. */
export interface ConsoleResponse {
  data: unknown;
  meta?: unknown;
}

export type Presenter<Value, Presented> = (value: Value, context: PresenterContext) => Presented;

/** A request of the documentation, run by a test against the demo catalogue. */
export interface Example {
  /** Path parameters, then query parameters, by name. */
  parameters?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Schemas of `data` in either form; `meta` says whether the console form has one. */
export interface ResponseSchemas {
  status: 200 | 201;
  reference: TSchema;
  console: TSchema;
  meta?: boolean;
}

interface Definition<Params extends TObject, Query extends TObject, Body extends TObject, Value> {
  /** Also the name of the operation in OpenAPI. */
  operationId: string;
  method: "GET" | "POST" | "PUT";
  /** Relative to the base address, Fastify's notation: `/beats/:beat_id`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  permission: Permission;
  params?: Params;
  query?: Query;
  body?: Body;
  response: ResponseSchemas;
  present: { reference: Presenter<Value, unknown>; console: Presenter<Value, ConsoleResponse> };
  /** The answer depends on the catalogue and the URL alone, so its bytes may be kept until the catalogue changes. */
  cached?: boolean;
  /** Whether what was done changed the catalogue; without this, every method but GET counts as doing so. */
  changesCatalogue?(value: Value): boolean;
  /** Honours Idempotency-Key (DESIGN section 2, POST /orders). */
  idempotent?: boolean;
  /** Where what was made is found, relative to the base address; sent as Location. */
  location?(value: Value): string;
  /** Examples for the documentation: one that succeeds, and one for each refusal that is this route's own. */
  examples: { success: Example; invalid?: Example; missing?: Example; conflict?: Example };
  handle(call: Call<Static<Params>, Static<Query>, Static<Body>>): Promise<Value>;
}

/** One row of the operation table: routing, permission, validation, presenters and documentation come from it. */
export type Route = Definition<TObject, TObject, TObject, unknown>;

/** Checks a definition's parts against each other; what it returns has their types erased. */
export function route<
  Value,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TObject = TObject<Record<never, never>>,
>(definition: Definition<Params, Query, Body, Value>): Route {
  return definition as unknown as Route;
}
