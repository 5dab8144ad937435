import { type ApiRoute, type ClientRoute, isClientRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { TObject, TSchema } from "typebox";
import type { Kind, Operation } from "../../contract/snippets/operations.ts";

/** The fields that a snippet may print of a resource. It prints the first one that the resource has. */
const shownFields = [
  "title",
  "display_name",
  "name",
  "filename",
  "status",
  "type",
  "license_type",
  "beat_id",
  "user_id",
  "amount",
  "license_id",
  "now",
  "remaining",
];

/** The routes as methods of the client libraries, by operation id. */
export const clientOperations = (routes: readonly ApiRoute[]): Record<string, Operation> =>
  Object.fromEntries(routes.filter(isClientRoute).map((route) => [route.operationId, clientOperation(route)]));

function clientOperation(route: ClientRoute): Operation {
  const [resource, verb] = route.client.includes(".") ? route.client.split(".") : [null, route.client];
  const needed = namesNeeded(route.query);
  // Clients follow next_page_url instead of naming its token.
  const isPaged = route.file === undefined && "pagination" in (route.response.reference as TObject).properties;
  const query = Object.entries(kindsOf(route.query)).filter(([name]) => !(isPaged && name === "after"));
  const required = namesNeeded(route.body);
  return {
    method: route.method,
    path: route.path.replace(/:(\w+)/g, "{$1}"),
    resource: resource ?? null,
    verb: verb ?? "",
    positional: {
      ...kindsOf(route.params),
      ...Object.fromEntries(query.filter(([name]) => needed.includes(name))),
    },
    query: Object.fromEntries(query.filter(([name]) => !needed.includes(name))),
    ...(route.body !== undefined && { body: kindsOf(route.body) }),
    ...(required.length > 0 && { required }),
    ...(route.idempotent === true && { idempotent: true }),
    shows: shownOf(route),
  };
}

/** The required properties that have no default. */
const namesNeeded = (schema: TObject | undefined): string[] =>
  Object.entries(schema?.properties ?? {})
    .filter(([name, property]) => schema?.required?.includes(name as never) === true && !("default" in property))
    .map(([name]) => name);

const kindsOf = (schema: TObject | undefined): Record<string, Kind> =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, property]) => [name, kindOf(property)]));

function kindOf(schema: TSchema): Kind {
  const parts = schema as { type?: string; items?: TSchema; anyOf?: (TSchema & { type?: string })[]; enum?: unknown[] };
  const { type, items, anyOf, enum: values } = parts;
  if (type === "array" && items !== undefined) {
    const kind = kindOf(items);
    if (kind === "integer" || kind === "text") return `${kind}s`;
    if (kind === "fields") return "items";
  }
  if (type === "integer" || type === "number" || type === "boolean") return type;
  if (type === "object") return "fields";
  if (anyOf !== undefined) {
    const kinds = anyOf.filter((schemaOption) => schemaOption.type !== "null").map(kindOf);
    const mixedKind = kinds.toSorted().join() === "integer,text" ? "integer-or-text" : undefined;
    const kind = kinds.length === 1 ? kinds[0] : mixedKind;
    if (kind !== undefined && kinds.length < anyOf.length) return `${kind}-or-null` as Kind;
    if (kind !== undefined) return kind;
  }
  if (type === "string" || values?.every((value) => typeof value === "string") === true) return "text";
  throw new Error(`No snippet can write a parameter of ${JSON.stringify(schema)}.`);
}

/**
 * The resource that a snippet prints: the name of a file, or the first resource of a response in the reference form:
 * `{ beat }`, `{ beats }`, `{ beats, pagination }` or `{ changes, next }`. A property that may be absent is no
 * resource.
 */
function shownOf(route: ClientRoute): Operation["shows"] {
  if (route.file !== undefined) {
    const { name, shown, isResumable } = route.file;
    return { as: "file", resource: name, field: shown, ...(isResumable === true && { isResumable }) };
  }
  const { operationId, response } = route;
  const { pagination, ...resources } = (response.reference as TObject).properties;
  const always = namesNeeded(response.reference as TObject);
  const [first, ...otherResources] = Object.entries(resources as Record<string, { items?: TSchema }>).filter(([name]) =>
    always.includes(name),
  );
  if (first === undefined) throw new Error(`${operationId} returns no resource.`);
  const [name, schema] = first;
  const { items } = schema;
  const isArray = items !== undefined;
  const { properties } = (items ?? schema) as TObject;
  const field = shownFields.find((candidate) => candidate in properties);
  if (field === undefined) throw new Error(`A ${name} of ${operationId} has none of ${shownFields.join(", ")}.`);
  // On a page, only the list is a resource.
  const isPage =
    pagination !== undefined && otherResources.every(([, { items: moreItems }]) => moreItems === undefined);
  let as: "one" | "array" | "page" | "member" = "array";
  if (!isArray) as = "one";
  else if (isPage) as = "page";
  else if (otherResources.length > 0) as = "member";
  return { as, resource: isArray ? name.replace(/(?<=x)es$|s$/, "") : name, field };
}
