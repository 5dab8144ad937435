/** The parts of an OpenAPI 3.1 document that the API reference shows. */
export interface ApiDocument {
  info: { title: string; description?: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Reference | Record<string, Operation>>;
  components?: {
    schemas?: Record<string, Schema>;
    headers?: Record<string, Header>;
    responses?: Record<string, OperationResponse>;
    pathItems?: Record<string, Record<string, Operation>>;
  };
}

export interface Reference {
  $ref: string;
}

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, OperationResponse | Reference>;
  "x-permission"?: string;
  "x-codeSamples"?: { lang: string; label: string; source: string; "x-install"?: string }[];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema: Schema;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface OperationResponse {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, Media>;
}

export interface Header {
  description?: string;
  schema?: Schema;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  deprecated?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** An operation with its method and path. */
export interface PlacedOperation extends Operation {
  method: string;
  path: string;
}

/** The content of one page: the operations of a tag, or the webhooks. */
export interface Group {
  /** The last part of the page's address, `/explorer/{slug}`. */
  slug: string;
  name: string;
  description: string;
  /** For a webhook, the "path" is the event type, and the receiver sends the response. */
  kind: "operations" | "webhooks";
  operations: PlacedOperation[];
}

/** The pages of a document: one for each tag with operations, in the order of the tags, then the webhooks. */
export function groupsOf(document: ApiDocument): Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const webhooks = Object.entries(document.webhooks ?? {}).flatMap(([type, item]) =>
    Object.values(resolved(document, item)).map((operation) => ({ ...operation, method: "POST", path: type })),
  );
  return [
    ...document.tags.map(({ name, description = "" }) => ({
      slug: name.toLowerCase(),
      name,
      description,
      kind: "operations" as const,
      operations: operations.filter(({ tags }) => tags?.[0] === name),
    })),
    {
      slug: "webhooks",
      name: "Webhooks",
      description: "What the service sends to your endpoints.",
      kind: "webhooks" as const,
      operations: webhooks,
    },
  ].filter((group) => group.operations.length > 0);
}

/** The object that a `$ref` within the document names, or the value itself. */
export function resolved<Value extends object>(document: ApiDocument, value: Value | Reference): Value {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  let target: unknown = document;
  for (const part of value.$ref.replace(/^#\//, "").split("/")) target = (target as Record<string, unknown>)[part];
  if (target === undefined) throw new Error(`The document has nothing at ${value.$ref}.`);
  return resolved(document, target as Value);
}

/** The name of the schema that a reference leads to; null if the schema is not a reference. */
export const nameOf = ({ $ref }: Schema): string | null => $ref?.split("/").at(-1) ?? null;
