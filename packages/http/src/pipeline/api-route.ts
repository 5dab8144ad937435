import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Caller, Permission } from "../application.ts";
import type { Content, HttpResponse } from "../http-response.ts";
import { contentTypes, type Form } from "../negotiation/forms.ts";
import { Representation } from "../negotiation/representation.ts";
import type { RequestContext } from "../request-context.ts";
import { type Deprecation, deprecationsOf } from "./deprecation.ts";
import type { HandlerCall, KeyCall, Replay, Route } from "./route.ts";

/** The URL of the call, for presenters. */
export interface PresenterContext {
  /** Origin, without a trailing slash. */
  publicUrl: string;
  /** Path as called, prefix included. */
  path: string;
  /** Query string as called, without the question mark. */
  query: string;
}

/** A console response is `{success, data, meta?}`; presenters return `data` and `meta`. */
export interface ConsoleResponse {
  data: unknown;
  meta?: unknown;
}

export type Presenter<Value, Presented> = (value: Value, context: PresenterContext) => Presented;

/** An example request for the documentation. A test sends it to the demo catalogue. */
export interface Example {
  /** Path parameters, then query parameters, by name. */
  parameters?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Schemas of `data` in both forms. `meta`: true if the console form has the `meta` of a page; a schema if its `meta`
 * has other fields.
 */
export interface ResponseSchemas {
  status: 200 | 201;
  reference: TSchema;
  console: TSchema;
  meta?: boolean | TSchema;
}

/** HEAD is handled as GET without the body. */
export type ApiMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The properties of every row of the operation table. */
interface Operation<Params extends TObject, Query extends TObject> {
  /** The operation's name, also in OpenAPI. */
  operationId: string;
  /**
   * The method of the client libraries, in snake case: `articles.list`, or `search` for a method of the client itself.
   */
  client: string;
  method: ApiMethod;
  /** Relative to the base address: `/articles/:id`. */
  path: string;
  params?: Params;
  query?: Query;
  tag: string;
  summary: string;
  description: string;
  /**
   * Null: the key is optional, and the handler limits calls without a key. With `ofTestMode`, any test key suffices.
   */
  permission: Permission | null;
  /** The operation exists in test mode only. */
  ofTestMode?: true;
  /**
   * Deprecates the whole operation. A parameter or field is marked in its schema: `"x-deprecation": {since, sunset}`.
   */
  deprecation?: Deprecation;
  /** The meaning of 409 for this operation, if no single request can be its example. */
  conflict?: string;
  /** The meaning of 410 for this operation, for the documentation. */
  gone?: string;
  /** Examples for the documentation: a success, and the refusals specific to this route. `changed`: for 412. */
  examples: { success: Example; invalid?: Example; missing?: Example; conflict?: Example; changed?: Example };
}

interface Definition<Params extends TObject, Query extends TObject, Body extends TObject, Value>
  extends Operation<Params, Query> {
  body?: Body;
  response: ResponseSchemas;
  present: { reference: Presenter<Value, unknown>; console: Presenter<Value, ConsoleResponse> };
  cached?: boolean;
  /** Callers who may get a personal response, which bypasses the cache. */
  isPersonalFor?(caller: Caller): boolean;
  /**
   * The edit version of a resource that the caller may change, with which the ETag begins (`"v7-…"`); the response is
   * then personal. Null if the caller may not change the resource.
   */
  editVersion?(value: Value): number | null;
  /** Whether If-Match is compared with the edit version; a mismatch gets 412. */
  conditional?: boolean;
  /** Whether the call changed the shared content. Default: true for every method but GET. */
  changesContent?(value: Value): boolean;
  idempotent?: boolean;
  waits?: boolean;
  /** The event stream of the operation, for callers whose Accept prefers it. */
  eventStream?: {
    description: string;
    example: string;
    open(call: KeyCall<Static<Params>, Static<Query>, Static<Body>>): Promise<HttpResponse>;
  };
  /** The URL of the created resource, relative to the base address; sent as Location. */
  location?(value: Value): string;
  handle(call: KeyCall<Static<Params>, Static<Query>, Static<Body>>): Promise<Value>;
}

/** A file as the documentation describes it. */
interface FileDescription {
  /** The name under which the snippets save the file. */
  name: string;
  contentType: string;
  /** Schemas, by name, of the headers in addition to the common headers. */
  headers: Readonly<Record<string, TSchema>>;
  /** What the snippets print after the download: the position in the change stream, or the path of the saved file. */
  shown: "position" | "path";
  /** Whether the file has an ETag and supports Range. The handler then limits the requests, instead of the plan. */
  isResumable?: true;
}

interface FileDefinition<Params extends TObject, Query extends TObject> extends Operation<Params, Query> {
  method: "GET";
  file: FileDescription;
  handle(call: KeyCall<Static<Params>, Static<Query>, object>): Promise<Content>;
}

/** A row of the operation table whose response has both wire forms. */
export interface ResourceRoute extends Route, Omit<Definition<TObject, TObject, TObject, unknown>, keyof Route> {
  operationId: string;
  method: ApiMethod;
  file?: undefined;
  protocol?: undefined;
}

/** A row of the operation table whose response is a file, whole or in part. */
export interface FileRoute extends Route, Omit<FileDefinition<TObject, TObject>, keyof Route> {
  operationId: string;
  method: "GET";
  idempotent?: undefined;
  protocol?: undefined;
}

/** A header of a request or response, for the documentation. */
export interface HeaderDescription {
  schema: TSchema;
  required?: boolean;
}

/** The headers and bodies of an operation that has no wire forms. */
interface Protocol {
  /** Headers by name. */
  requestHeaders: Readonly<Record<string, HeaderDescription>>;
  /** The type of the request body, if there is one. */
  requestBody?: { contentType: string; required: boolean };
  /** Headers of every response, including errors. */
  responseHeaders: Readonly<Record<string, TSchema>>;
  /** Successes and errors specific to the protocol, by status. */
  responses: Readonly<Record<string, { description: string; headers?: Readonly<Record<string, TSchema>> }>>;
}

interface ProtocolDefinition<Params extends TObject>
  extends Omit<Operation<Params, Empty>, "method" | "client" | "query" | "examples"> {
  /** False if `X-HTTP-Method-Override` is ignored. Absent: it sets the method, as tus requires. */
  takesMethodOverride?: false;
  method: "HEAD" | "POST" | "PATCH" | "DELETE";
  /** The method of the client libraries, if this operation has one. */
  client?: string;
  protocol: Protocol;
  hasOwnLimit?: true;
  handle(call: HandlerCall & { params: Static<Params> }): Promise<HttpResponse>;
}

/** A row of the operation table that implements a published protocol, for clients of that protocol. */
export interface ProtocolRoute extends Route, Omit<ProtocolDefinition<TObject>, keyof Route> {
  operationId: string;
  method: "HEAD" | "POST" | "PATCH" | "DELETE";
  idempotent?: undefined;
  file?: undefined;
}

/** One row of the operation table, the source of routing, permission, validation, presenters and documentation. */
export type ApiRoute = ResourceRoute | FileRoute | ProtocolRoute;

/** Operations that have a method in the client libraries. */
export type ClientRoute = Exclude<ApiRoute, ProtocolRoute>;

export const isClientRoute = (route: ApiRoute): route is ClientRoute => route.protocol === undefined;

type Empty = TObject<Record<never, never>>;

/** Makes a row of the operation table. The type parameters bind handler, presenters and schemas together. */
export function route<
  Value,
  Params extends TObject = Empty,
  Query extends TObject = Empty,
  Body extends TObject = Empty,
>(definition: Definition<Params, Query, Body, Value>): ResourceRoute {
  const replay: Replay = {
    render: (value, context) => ({
      reference: present(row, "reference", value, context),
      console: present(row, "console", value, context),
      location: row.location?.(value) ?? null,
      editVersion: row.editVersion?.(value) ?? null,
      ...(context.version !== null && { version: context.version.date }),
    }),
    respond: (rendered, { form, publicUrl, prefix }) => ({
      status: row.response.status,
      headers: {
        "content-type": contentTypes[form],
        ...(typeof rendered.editVersion === "number" && {
          etag: new Representation(rendered[form], contentTypes[form], rendered.editVersion).etag,
        }),
        ...(rendered.location !== null && { location: `${publicUrl}${prefix}${rendered.location}` }),
      },
      body: rendered[form],
    }),
  };
  const deprecations = deprecationsOf(definition);
  const row: ResourceRoute = {
    ...(definition as unknown as Definition<TObject, TObject, TObject, unknown> & Pick<Route, "handle">),
    access: {
      by: "key",
      permission: definition.permission,
      ...(definition.ofTestMode === true && { ofTestMode: true as const }),
      ...(definition.ofTestMode !== true && definition.permission === null && { isOptional: true as const }),
    },
    headers: apiHeaders,
    hasForms: true,
    query: definition.query ?? Type.Object({}),
    respond: (value, context) =>
      definition.method === "GET"
        ? new Representation(
            present(row, context.form, value, context),
            contentTypes[context.form],
            row.editVersion?.(value) ?? null,
          )
        : replay.respond(replay.render(value, context), context),
    ...(definition.method !== "GET" && { changesContent: definition.changesContent ?? (() => true) }),
    ...(definition.idempotent === true && { replay }),
    ...(deprecations !== undefined && { deprecations }),
    ...(definition.eventStream !== undefined && {
      stream: definition.eventStream.open as unknown as NonNullable<Route["stream"]>,
    }),
  };
  return row;
}

/** Makes a row of the operation table for a file. The handler reads and streams the file without a permit. */
export const fileRoute = <Params extends TObject = Empty, Query extends TObject = Empty>(
  definition: FileDefinition<Params, Query>,
): FileRoute => ({
  ...(definition as unknown as FileDefinition<TObject, TObject> & Pick<Route, "handle">),
  access: {
    by: "key",
    permission: definition.permission,
    ...(definition.file.isResumable === true && { hasOwnLimit: true }),
  },
  headers: apiHeaders,
  query: definition.query ?? Type.Object({}),
  waits: true,
  respond: (response) => response as Content,
});

/** Makes a row of the operation table for a protocol. The handler reads the body while it arrives, without a permit. */
export const protocolRoute = <Params extends TObject = Empty>(
  definition: ProtocolDefinition<Params>,
): ProtocolRoute => ({
  ...(definition as unknown as ProtocolDefinition<TObject> & Pick<Route, "handle">),
  access: {
    by: "key",
    permission: definition.permission,
    ...(definition.hasOwnLimit === true && { hasOwnLimit: true }),
  },
  headers: apiHeaders,
  query: Type.Object({}),
  streamsBody: true,
  takesMethodOverride: definition.takesMethodOverride ?? true,
  respond: (response) => response as HttpResponse,
});

/** The same resources are served under both prefixes. */
export const apiPrefixes = ["/v1", "/api/v1"] as const;

/** Headers of every response of the API. */
export const apiHeaders = { "cache-control": "private, no-cache", vary: "Accept, Accept-Encoding, Beat-Version" };

/** Renders a success: the presenter's output in the envelope of the form, in the shape of the call's version. */
function present(row: ResourceRoute, form: Form, value: unknown, context: RequestContext): string {
  const newest =
    form === "reference"
      ? { status: "success", data: row.present.reference(value, context) }
      : { success: true, ...row.present.console(value, context) };
  const reshape = context.version?.reshapeOf(row.operationId);
  return JSON.stringify(reshape === undefined ? newest : reshape(newest, form));
}
