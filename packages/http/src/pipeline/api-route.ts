import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Caller, Permission } from "../application.ts";
import type { Content, HttpResponse } from "../http-response.ts";
import { contentTypes, type Form } from "../negotiation/forms.ts";
import { Representation } from "../negotiation/representation.ts";
import { type Deprecation, deprecationsOf } from "./deprecation.ts";
import type { HandlerCall, KeyCall, Replay, Route } from "./route.ts";

/** The called URL, for presenters. */
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

/** Schemas of `data` in either form; `meta` says whether the console form has one, and its schema if it is no page's. */
export interface ResponseSchemas {
  status: 200 | 201;
  reference: TSchema;
  console: TSchema;
  meta?: boolean | TSchema;
}

/** HEAD is GET without its body. */
export type ApiMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What every row of the operation table says. */
interface Operation<Params extends TObject, Query extends TObject> {
  /** Also the operation's name in OpenAPI. */
  operationId: string;
  /** The method of the client libraries, in snake case: `articles.list`, or `search` for a method of the client itself. */
  client: string;
  method: ApiMethod;
  /** Relative to the base address: `/articles/:id`. */
  path: string;
  params?: Params;
  query?: Query;
  tag: string;
  summary: string;
  description: string;
  /** Null: anyone may call it, with a key or without; the handler bounds calls without one. */
  permission: Permission | null;
  /** Of the whole operation. A parameter or field is marked in its schema: `"x-deprecation": {since, sunset}`. */
  deprecation?: Deprecation;
  /** What 410 means here, for the documentation. */
  gone?: string;
  /** Examples for the documentation: a success, and each refusal specific to this route; `changed` is 412. */
  examples: { success: Example; invalid?: Example; missing?: Example; conflict?: Example; changed?: Example };
}

interface Definition<Params extends TObject, Query extends TObject, Body extends TObject, Value>
  extends Operation<Params, Query> {
  body?: Body;
  response: ResponseSchemas;
  present: { reference: Presenter<Value, unknown>; console: Presenter<Value, ConsoleResponse> };
  cached?: boolean;
  /** Callers whose response may be their own: it is neither found in the cache nor put there. */
  isPersonalFor?(caller: Caller): boolean;
  /**
   * The edit version of a resource that the caller may change, null for others. The ETag begins with it (`"v7-…"`), and the
   * response is the caller's own.
   */
  editVersion?(value: Value): number | null;
  /** Honours If-Match against the edit version: 412. */
  conditional?: boolean;
  /** Whether the call changed the shared content. Default: true for every method but GET. */
  changesContent?(value: Value): boolean;
  idempotent?: boolean;
  waits?: boolean;
  /** The same as an event stream, for those whose Accept prefers it. */
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
  /** What the snippets save it as. */
  name: string;
  contentType: string;
  /** Schemas of the headers in addition to the common ones, by name. */
  headers: Readonly<Record<string, TSchema>>;
  /** What the snippets print of the download. */
  shown: "position" | "path";
  /** It has an ETag, honours Range, and is limited by the handler in place of the plan. */
  isResumable?: true;
}

interface FileDefinition<Params extends TObject, Query extends TObject> extends Operation<Params, Query> {
  method: "GET";
  file: FileDescription;
  handle(call: KeyCall<Static<Params>, Static<Query>, object>): Promise<Content>;
}

/** A row of the operation table whose response has the two wire forms. */
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

/** A header of a request or response, as the documentation describes it. */
export interface HeaderDescription {
  schema: TSchema;
  required?: boolean;
}

/** What an operation says in headers and bytes instead of the two wire forms. */
interface Protocol {
  /** By name. */
  requestHeaders: Readonly<Record<string, HeaderDescription>>;
  /** The type of its body, where it has one. */
  requestBody?: { contentType: string; required: boolean };
  /** Of every response, refusals included. */
  responseHeaders: Readonly<Record<string, TSchema>>;
  /** Successes and refusals of its own, by status. */
  responses: Readonly<Record<string, { description: string; headers?: Readonly<Record<string, TSchema>> }>>;
}

interface ProtocolDefinition<Params extends TObject>
  extends Omit<Operation<Params, Empty>, "method" | "client" | "query" | "examples"> {
  method: "HEAD" | "POST" | "PATCH" | "DELETE";
  /** For a step that the client libraries offer by itself. */
  client?: string;
  protocol: Protocol;
  hasOwnLimit?: true;
  handle(call: HandlerCall & { params: Static<Params> }): Promise<HttpResponse>;
}

/** A row of the operation table that follows a published protocol, whose clients call it. */
export interface ProtocolRoute extends Route, Omit<ProtocolDefinition<TObject>, keyof Route> {
  operationId: string;
  method: "HEAD" | "POST" | "PATCH" | "DELETE";
  idempotent?: undefined;
  file?: undefined;
}

/** One row of the operation table, the source of routing, permission, validation, presenters and documentation. */
export type ApiRoute = ResourceRoute | FileRoute | ProtocolRoute;

/** Those that the client libraries have a method for. */
export type ClientRoute = Exclude<ApiRoute, ProtocolRoute>;

export const isClientRoute = (route: ApiRoute): route is ClientRoute => route.protocol === undefined;

type Empty = TObject<Record<never, never>>;

/** Makes a row of the operation table. The compiler checks its parts against each other. */
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
      ...(definition.permission === null && { isOptional: true as const }),
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

/** Makes a row of the operation table for a file. It reads and streams what it sends without a permit. */
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

/** Makes a row of the operation table for a protocol. It reads its body while it arrives, and so holds no permit. */
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
  takesMethodOverride: true,
  respond: (response) => response as HttpResponse,
});

/** The same resources are served under both. */
export const apiPrefixes = ["/v1", "/api/v1"] as const;

/** Sent with every response of the API. */
export const apiHeaders = { "cache-control": "private, no-cache", vary: "Accept, Accept-Encoding" };

/** The body of a success: the presenter's output in the envelope of its form. */
const present = (row: ResourceRoute, form: Form, value: unknown, context: PresenterContext): string =>
  JSON.stringify(
    form === "reference"
      ? { status: "success", data: row.present.reference(value, context) }
      : { success: true, ...row.present.console(value, context) },
  );
