import { type Comparison, isPastSunset, narrowed } from "./narrowed-schema.ts";
import type { Node } from "./schema-walk.ts";

/** The parts of an OpenAPI document that clients rely on. */
export interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Node & { schemas: Record<string, Node>; responses: Record<string, Response>; pathItems: PathItems };
}
type PathItems = Record<string, Record<string, Operation>>;

interface Operation extends Node {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}

interface Parameter extends Node {
  name: string;
  in: string;
  required?: boolean;
  schema: Node;
}

type Content = Record<string, { schema: Node }>;

interface Response extends Node {
  headers?: Node;
  content?: Content;
}

/**
 * The parts of the released document that the current document removes or narrows (docs/api/versioning.md, Incompatible
 * changes), as sentences. An empty list means that every client of the released document keeps working. A deprecated
 * part may be missing from the day of its sunset on, compared with `today`, an ISO 8601 date.
 */
export function takenAway(released: Document, current: Document, today: string): string[] {
  const documents = { released: released.components, current: current.components, today };
  const request: Comparison = { ...documents, use: "request" };
  const response: Comparison = { ...documents, use: "response" };

  const operation = (before: Operation, after: Operation | undefined, at: string): string[] => {
    if (after === undefined) return isPastSunset(before, today) ? [] : [`${at} is gone`];
    return [
      ...changed("the operation id", before.operationId, after.operationId, at),
      ...changed("the permission", before["x-permission"], after["x-permission"], at),
      ...parameters(before.parameters, after.parameters, at),
      ...body(before, after, at),
      ...Object.entries(before.responses).flatMap(([status, value]) =>
        responses(resolve(value, released), resolve(after.responses[status], current), `${at} ${status}`),
      ),
    ];
  };

  const parameters = (before: Parameter[], after: Parameter[], at: string): string[] => {
    const findParameter = (list: Parameter[], { name, in: place }: Parameter) =>
      list.find((candidate) => candidate.name === name && candidate.in === place);
    return [
      ...before.flatMap((parameter) => {
        const next = findParameter(after, parameter);
        if (next !== undefined)
          return narrowed(parameter.schema, schemaOfOne(next, parameter), `${at} ${parameter.name}`, request);
        return isPastSunset(parameter, today) ? [] : [`${at} ${parameter.name} is gone`];
      }),
      ...after
        .filter((parameter) => parameter.required === true && findParameter(before, parameter)?.required !== true)
        .map(({ name }) => `${at} ${name} is newly required`),
    ];
  };

  const body = (before: Operation, after: Operation, at: string): string[] => {
    if (before.requestBody === undefined) return after.requestBody === undefined ? [] : [`${at} needs a body now`];
    return contents(before.requestBody.content, after.requestBody?.content, `${at} body`, request);
  };

  const responses = (before: Response, after: Response | undefined, at: string): string[] => {
    if (after === undefined) return [`${at} is gone`];
    return [
      ...Object.keys(before.headers ?? {})
        .filter((name) => after.headers?.[name] === undefined)
        .map((name) => `${at} lost the header ${name}`),
      ...contents(before.content ?? {}, after.content, at, response),
    ];
  };

  const contents = (before: Content, after: Content = {}, at: string, comparison: Comparison): string[] =>
    Object.entries(before).flatMap(([type, { schema }]) => {
      const next = after[type];
      return next === undefined ? [`${at} lost ${type}`] : narrowed(schema, next.schema, at, comparison);
    });

  const event = (before: Operation, after: Operation | undefined, type: string): string[] => {
    if (after === undefined) return [`the event ${type} is gone`];
    return [
      ...before.parameters
        .filter(({ name, required }) => {
          const next = after.parameters.find((candidate) => candidate.name === name);
          return next === undefined || (required === true && next.required !== true);
        })
        .map(({ name }) => `the event ${type} lost the header ${name}`),
      ...contents(before.requestBody?.content ?? {}, after.requestBody?.content, `the event ${type}`, response),
    ];
  };

  return [
    ...released.servers
      .filter(({ url }) => !current.servers.some((server) => server.url === url))
      .map(({ url }) => `the server ${url} is gone`),
    ...changed("the way to authenticate", schemes(released), schemes(current), "the API"),
    ...Object.entries(released.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, value]) =>
        operation(value, current.paths[path]?.[method], `${method.toUpperCase()} ${path}`),
      ),
    ),
    ...Object.entries(released.components.pathItems).flatMap(([type, { post }]) =>
      event(post as Operation, current.components.pathItems[type]?.post, type),
    ),
    ...changed("the error codes", errorCodes(released), errorCodes(current), "the API"),
  ];
}

/**
 * The schema of a single value, for a parameter that is now a list. A comma-separated list still accepts a single
 * value.
 */
const schemaOfOne = ({ schema, style, explode }: Parameter, before: Parameter): Node =>
  schema.type === "array" && before.schema.type !== "array" && style === "form" && explode === false
    ? (schema.items as Node)
    : schema;

const changed = (label: string, before: unknown, after: unknown, at: string): string[] =>
  before === after ? [] : [`${at} has ${label} ${after} instead of ${before}`];

/** Clients have a class for each error code, so none may be removed or added. */
function errorCodes({ components: { schemas } }: Document): string {
  const error = (schemas.ErrorResponse as { properties: { error: { properties: { code: { enum: string[] } } } } })
    .properties.error;
  return error.properties.code.enum.toSorted().join(", ");
}

const schemes = ({ components: { securitySchemes } }: Document): string =>
  Object.values(securitySchemes as Record<string, { type: string; scheme: string }>)
    .map(({ type, scheme }) => `${type} ${scheme}`)
    .join(", ");

function resolve(response: Response | undefined, { components }: Document): Response {
  const name = /^#\/components\/responses\/(.+)$/.exec(String(response?.$ref ?? ""))?.[1];
  return (name === undefined ? response : components.responses[name]) as Response;
}
