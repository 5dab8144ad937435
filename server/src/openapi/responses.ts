import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import type {
  ClientRoute,
  FileRoute,
  HeaderDescription,
  ProtocolRoute,
  ResourceRoute,
} from "@beatmarket/http/pipeline/api-route.ts";
import type { TSchema } from "typebox";

const ref = (name: string) => ({ $ref: `#/components/headers/${name}` });

const integerHeader = (description: string, minimum = 0): JsonObject => ({
  description,
  schema: { type: "integer", format: "int64", minimum },
});
const textHeader = (description: string): JsonObject => ({ description, schema: { type: "string" } });

/** The headers of responses, by name (docs/api/limits.md, Headers). */
export const headers: Record<string, JsonObject> = {
  "X-Request-Id": textHeader("Identifies this call in the request log; quote it when you report a problem."),
  "Beat-Version": textHeader("The date of the version of the API in which the response was written."),
  "X-RateLimit-Limit": integerHeader("The limit of the window with the fewest requests left."),
  "X-RateLimit-Remaining": integerHeader("The number of requests left in that window."),
  "X-RateLimit-Reset": integerHeader("The Unix time in seconds at which that window admits another request."),
  "RateLimit-Policy": textHeader("The windows of the key's plan (IETF draft-ietf-httpapi-ratelimit-headers)."),
  RateLimit: textHeader("The number of requests left in each window, and the seconds until it admits another one."),
  "X-Webhook-Notice": textHeader(
    "Only while a webhook endpoint of the key's account fails or is disabled: `failing; endpoint=12` or `disabled; endpoint=12`. Several are separated by commas.",
  ),
  "Retry-After": integerHeader("The number of whole seconds until a request will be admitted.", 1),
  ETag: textHeader(
    "The entity tag of the response. A request with this value in `If-None-Match` gets 304 without a body while the response has not changed.",
  ),
  "WWW-Authenticate": textHeader("The scheme of authentication: Bearer."),
  Deprecation: textHeader(
    "Only if the operation, or a parameter or field of the request, is deprecated. The time since when, as `@` and Unix seconds (RFC 9745). `Link` with `rel=deprecation` leads to the documentation.",
  ),
  Sunset: textHeader("Only with Deprecation: the earliest time of the removal, an HTTP date (RFC 8594)."),
  Allow: textHeader("The methods of this path, separated by commas."),
  Location: { description: "The address of the created resource.", schema: { type: "string", format: "uri" } },
  "Idempotent-Replayed": textHeader(
    "The value `true` if this is the response to an earlier request with the same Idempotency-Key.",
  ),
};

const limitHeaders: JsonObject = Object.fromEntries(
  [
    "X-Request-Id",
    "Beat-Version",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "RateLimit-Policy",
    "RateLimit",
    "X-Webhook-Notice",
  ].map((name) => [name, ref(name)]),
);

/** The headers of responses of operations that do not count towards the limits of the key's plan. */
const withoutLimits: JsonObject = {
  "X-Request-Id": ref("X-Request-Id"),
  "Beat-Version": ref("Beat-Version"),
  "X-Webhook-Notice": ref("X-Webhook-Notice"),
};

const waitHeaders: JsonObject = { ...limitHeaders, "Retry-After": ref("Retry-After") };
const successHeaders: JsonObject = { ...limitHeaders, Deprecation: ref("Deprecation"), Sunset: ref("Sunset") };
const readHeaders: JsonObject = { ...successHeaders, ETag: ref("ETag") };

export const successHeadersOf = ({ method, location, idempotent, editVersion }: ResourceRoute): JsonObject =>
  method === "GET"
    ? readHeaders
    : {
        ...successHeaders,
        ...(location !== undefined && { Location: ref("Location") }),
        ...(editVersion !== undefined && { ETag: ref("ETag") }),
        ...(idempotent === true && { "Idempotent-Replayed": ref("Idempotent-Replayed") }),
      };

const errorContent = (example: unknown): JsonObject => ({
  "application/json": {
    schema: { $ref: "#/components/schemas/ErrorResponse" },
    ...(example !== undefined && { example }),
  },
  "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
});

const invalid = {
  parameters: "A parameter is unknown, repeated, of the wrong type or out of range.",
  body: "A parameter or body field is missing, unknown, repeated, of the wrong type or out of range.",
};

interface SharedResponse {
  name: string;
  description: string;
  headers: JsonObject;
  /** Only for operations with a body. */
  ofBodies?: true;
}

const shared: Record<string, SharedResponse> = {
  "401": {
    name: "Unauthorized",
    description: "The API key is missing or invalid.",
    headers: { "X-Request-Id": ref("X-Request-Id"), "WWW-Authenticate": ref("WWW-Authenticate") },
  },
  "403": {
    name: "Forbidden",
    description: "The key lacks the permission, or the resource belongs to another account.",
    headers: limitHeaders,
  },
  "405": {
    name: "MethodNotAllowed",
    description: "The path does not support the method; `Allow` names the methods that it supports.",
    headers: { ...limitHeaders, Allow: ref("Allow") },
  },
  "406": { name: "NotAcceptable", description: "The Accept header excludes JSON.", headers: limitHeaders },
  "408": { name: "RequestTimeout", description: "The request arrived too slowly.", headers: {} },
  "413": {
    name: "PayloadTooLarge",
    description: "The body has more than 100 kB.",
    headers: limitHeaders,
    ofBodies: true,
  },
  "415": {
    name: "UnsupportedMediaType",
    description: "The operation does not take the Content-Type, charset or Content-Encoding of the body.",
    headers: limitHeaders,
    ofBodies: true,
  },
  "429": {
    name: "RateLimitExceeded",
    description: "A limit of the key's plan is exhausted. A refused request does not count.",
    headers: waitHeaders,
  },
  "431": { name: "HeadersTooLarge", description: "The headers have more than 16 kB.", headers: {} },
  "500": { name: "ServerError", description: "An unexpected error of the server.", headers: limitHeaders },
  "503": {
    name: "ServiceUnavailable",
    description: "The service is overloaded, or its database is unreachable.",
    headers: waitHeaders,
  },
};

/** The error responses that all operations share, by component name. */
export function sharedResponses(examples: Record<string, unknown>): Record<string, JsonObject> {
  const entries = Object.entries(shared).map(([status, { name, description, headers }]) => [
    name,
    { description, headers, content: errorContent(examples[status]) },
  ]);
  return {
    ...Object.fromEntries(entries),
    NotModified: { description: "The response has not changed since the ETag in If-None-Match.", headers: readHeaders },
  };
}

/** Every error response of an operation, and 304. */
export function errorResponses(route: ClientRoute, examples: Record<string, unknown>): JsonObject {
  const responses: JsonObject = {};
  if (route.method === "GET") responses["304"] = { $ref: "#/components/responses/NotModified" };
  const descriptions: Record<string, string | false> = {
    "400": route.body === undefined ? invalid.parameters : invalid.body,
    "404": route.examples.missing !== undefined && "The resource does not exist.",
    "409":
      route.conflict ??
      (route.examples.conflict !== undefined && "The request conflicts with the present state; `details` says how."),
    "410": route.gone ?? false,
    "412": route.examples.changed !== undefined && "The resource has changed since the state that If-Match names.",
  };
  for (const [status, description] of Object.entries(descriptions))
    if (description !== false)
      responses[status] = {
        description,
        headers: status === "409" && route.idempotent === true ? waitHeaders : limitHeaders,
        content: errorContent(examples[status]),
      };
  for (const [status, { name, ofBodies }] of Object.entries(shared))
    if (ofBodies !== true || route.body !== undefined) responses[status] = { $ref: `#/components/responses/${name}` };
  return responses;
}

/** The error responses of all protocol operations: 400, and the shared responses except 406, 413 and 415. */
const protocolErrors = (ownHeaders: JsonObject): JsonObject => ({
  "400": {
    description: "A header is missing or wrong; `details` names it.",
    headers: { ...limitHeaders, ...ownHeaders },
    content: errorContent(undefined),
  },
  ...Object.fromEntries(
    Object.entries(shared)
      .filter(([status, { ofBodies }]) => ofBodies !== true && status !== "406")
      .map(([status, { name, description, headers }]) => [
        status,
        // The server sends these before it has chosen the operation.
        ["405", "408", "431"].includes(status)
          ? { $ref: `#/components/responses/${name}` }
          : { description, headers: { ...headers, ...ownHeaders }, content: errorContent(undefined) },
      ]),
  ),
});

/** Every response of an operation that returns a file. Such an operation ignores the Accept header. */
export function fileResponses(route: FileRoute, examples: Record<string, unknown>): JsonObject {
  const { contentType, headers, isResumable } = route.file;
  const { "406": _, ...errors } = errorResponses(route, examples);
  const content = { [contentType]: { schema: { type: "string", format: "binary" } } };
  const ownHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, schema]) => {
      const { description, ...rest } = schema as JsonObject;
      return [name, { description, schema: rest }];
    }),
  );
  if (isResumable !== true)
    return {
      "200": {
        description: "The whole file. A file that is not finished yet has no Content-Length and no ETag.",
        headers: { ...successHeaders, ETag: ref("ETag"), ...ownHeaders },
        content,
      },
      ...errors,
      ...(route.method === "GET" && {
        "304": {
          description: "The file has not changed since the ETag in If-None-Match.",
          headers: { ...successHeaders, ETag: ref("ETag"), ...ownHeaders },
        },
      }),
    };
  const fileHeaders = {
    "X-Request-Id": ref("X-Request-Id"),
    "Beat-Version": ref("Beat-Version"),
    "X-Webhook-Notice": ref("X-Webhook-Notice"),
    ETag: ref("ETag"),
    ...ownHeaders,
  };
  const range = textHeader("The range of these bytes, and the size of the file.");
  return {
    "200": {
      description: "The whole file. An export that is not finished yet has no Content-Length, and ignores Range.",
      headers: fileHeaders,
      content,
    },
    "206": { description: "The requested range.", headers: { ...fileHeaders, "Content-Range": range }, content },
    ...errors,
    "304": { description: "The file has not changed since the ETag in If-None-Match.", headers: fileHeaders },
    "416": {
      description: "The range begins after the end of the file.",
      headers: { ...fileHeaders, "Content-Range": range },
      content: errorContent(undefined),
    },
    "429": {
      description: "The key has downloaded an export within the hour, or has too many downloads in progress.",
      headers: {
        "X-Request-Id": ref("X-Request-Id"),
        "Beat-Version": ref("Beat-Version"),
        "Retry-After": ref("Retry-After"),
      },
      content: errorContent(undefined),
    },
  };
}

const binary = { schema: { type: "string", format: "binary" } };

/** The header parameters of an operation that follows a protocol. */
export const protocolHeaders = ({ protocol }: ProtocolRoute): JsonObject[] =>
  Object.entries(protocol.requestHeaders).map(([name, { schema, required = false }]: [string, HeaderDescription]) => {
    const { description, ...rest } = schema as JsonObject;
    return { name, in: "header", required, ...(description !== undefined && { description }), schema: rest };
  });

/** The request body of an operation that reads it as a stream. */
export function protocolBody({ protocol }: ProtocolRoute): JsonObject {
  const { requestBody } = protocol;
  if (requestBody === undefined) return {};
  return { requestBody: { required: requestBody.required, content: { [requestBody.contentType]: binary } } };
}

/** Every response of an operation that follows a protocol. A successful response has no body. */
export function protocolResponses({ protocol, method, hasOwnLimit }: ProtocolRoute): JsonObject {
  const everywhere = headerObjects(protocol.responseHeaders);
  const withAll = (headers: JsonObject): JsonObject => ({
    ...(hasOwnLimit === true ? withoutLimits : limitHeaders),
    ...headers,
    ...everywhere,
  });
  const responses = Object.entries(protocol.responses).map(([status, { description, headers = {} }]) => [
    status,
    {
      description,
      headers: withAll(headerObjects(headers)),
      // RFC 9110 9.3.2: no response to HEAD has a body.
      ...(Number(status) >= 400 && method !== "HEAD" && { content: errorContent(undefined) }),
    },
  ]);
  return { ...protocolErrors(everywhere), ...Object.fromEntries(responses) };
}

const headerObjects = (headers: Readonly<Record<string, TSchema>>): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, schema]) => {
      const { description, ...rest } = schema as JsonObject;
      return [name, { ...(description !== undefined && { description }), schema: rest }];
    }),
  );
