import type { TObject, TSchema } from "typebox";
import { visibleLine, visibleText } from "../input/text-patterns.ts";
import type { Deprecation } from "../pipeline/deprecation.ts";
import { hoistSchemas, type JsonObject } from "./schemas.ts";

/** The parts of a route that the OpenAPI document describes. */
export interface DocumentedRoute {
  operationId: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  deprecation?: Deprecation;
  /** An example of a successful request: parameters by name, and the body. */
  examples?: { success: { parameters?: Record<string, unknown>; body?: unknown } };
}

/** Moves a schema with an `$id` into the document's components, and returns a reference to it. */
export type Hoist = (schema: TSchema) => JsonObject;

/**
 * Creates the OpenAPI operations of a route table, and the schemas that they reference. `describe` returns the parts
 * that are specific to one table, `headers` the header parameters of a route.
 */
export function operationsOf<Route extends DocumentedRoute>(
  routes: readonly Route[],
  describe: (route: Route, hoist: Hoist) => JsonObject,
  headers: (route: Route) => readonly JsonObject[] = () => [],
): { paths: Record<string, JsonObject>; schemas: Record<string, JsonObject> } {
  const schemas: Record<string, JsonObject> = {};
  const paths: Record<string, JsonObject> = {};
  const hoist: Hoist = (schema) => hoistSchemas(schema, schemas);
  for (const route of routes) {
    const { operationId, tag, summary, params, query, body, examples, deprecation } = route;
    const success = examples?.success ?? {};
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      operationId,
      tags: [tag],
      summary,
      ...(deprecation !== undefined && { deprecated: true, "x-sunset": deprecation.sunset }),
      parameters: [
        ...parameters("path", params, hoist, success.parameters),
        ...parameters("query", query, hoist, success.parameters),
        ...headers(route),
      ],
      ...(body !== undefined && { requestBody: requestBody(body, hoist, success.body) }),
      ...describe(route, hoist),
    };
  }
  return { paths, schemas };
}

function parameters(
  place: "path" | "query",
  schema: TObject | undefined,
  hoist: Hoist,
  examples: Record<string, unknown> = {},
): JsonObject[] {
  if (schema === undefined) return [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, deprecated, "x-sunset": sunset, ...parameterSchema } = withoutWidth(place, hoist(property));
    return {
      name,
      in: place,
      required: place === "path" || (schema.required?.includes(name) === true && parameterSchema.default === undefined),
      ...(description !== undefined && { description }),
      ...(deprecated === true && { deprecated, "x-sunset": sunset }),
      // Commas separate the values; no value contains a comma.
      ...(parameterSchema.type === "array" && { style: "form", explode: false }),
      schema: parameterSchema,
      ...(examples[name] !== undefined && { example: exampleOf(parameterSchema, examples[name]) }),
    };
  });
}

/** Converts an example of a list to an array. */
function exampleOf({ type, items }: JsonObject, example: unknown): unknown {
  if (type !== "array") return example;
  const values = String(example).split(",");
  return (items as JsonObject).type === "integer" ? values.map(Number) : values;
}

/**
 * Removes the integer format of an id in a filter: a filter accepts ids of any length, and an id beyond the maximum
 * matches nothing.
 */
function withoutWidth(place: "path" | "query", schema: JsonObject): JsonObject {
  if (schema.type === "array") return { ...schema, items: withoutWidth(place, schema.items as JsonObject) };
  const { format, ...anyLength } = schema;
  return place === "query" && format === "int64" && schema.maximum === undefined ? anyLength : schema;
}

function requestBody(body: TObject, hoist: Hoist, example: unknown): JsonObject {
  const properties = Object.fromEntries(
    Object.entries(body.properties).map(([name, field]) => [
      name,
      withTextPattern(withDefaultInWords(field as JsonObject)),
    ]),
  );
  const required = (body.required ?? []).filter((name) => !("default" in (body.properties[name] ?? {})));
  const schema = hoist({ ...body, properties, required, additionalProperties: false } as unknown as TSchema);
  return {
    required: true,
    content: { "application/json": { schema, ...(example !== undefined && { example }) } },
  };
}

/**
 * Moves a default value into the description. A field with a default is optional, but generators of clients would make
 * it required.
 */
function withDefaultInWords({ default: value, ...field }: JsonObject): JsonObject {
  if (value === undefined) return field;
  const inWords = value === "" ? "an empty text" : value;
  return { ...field, description: `${field.description ?? ""} Default: ${inWords}.`.trim() };
}

/**
 * Adds the pattern of a text that must not be empty: it must have a visible character (`readText` in
 * input/validate.ts).
 */
function withTextPattern(field: JsonObject): JsonObject {
  if (Array.isArray(field.anyOf)) return { ...field, anyOf: field.anyOf.map(withTextPattern) };
  const isText = field.type === "string" && Number(field.minLength) > 0 && field["x-verbatim"] !== true;
  if (!isText || field.format !== undefined || field.pattern !== undefined) return field;
  return { ...field, pattern: field["x-multiline"] === true ? visibleText : visibleLine };
}

const errorCode: JsonObject = {
  type: "string",
  enum: ["invalid_request", "unauthorized", "forbidden", "not_found", "rate_limit_exceeded", "server_error"],
};

/** The body of every error. */
export const errorSchema: JsonObject = {
  type: "object",
  required: ["status", "error"],
  properties: {
    status: { type: "string", const: "error" },
    error: {
      type: "object",
      required: ["code", "message", "details"],
      properties: {
        code: errorCode,
        message: { type: "string", description: "A short text." },
        details: { type: "string", description: "The exact problem, and what to do." },
      },
    },
  },
};

/** An error as problem details (RFC 9457), for requests that accept `application/problem+json`. */
export const problemSchema: JsonObject = {
  type: "object",
  description: "An error as problem details (RFC 9457).",
  required: ["type", "title", "status", "detail", "code", "request_id"],
  properties: {
    type: { type: "string", format: "uri", description: "The documentation of the status." },
    title: { type: "string", description: "A short text." },
    status: { type: "integer", format: "int32", description: "The status of the response." },
    detail: { type: "string", description: "The exact problem, and what to do." },
    code: errorCode,
    request_id: { type: "string", description: "The X-Request-Id of the response." },
  },
};
