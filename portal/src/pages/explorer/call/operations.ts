import { queryOptions } from "@tanstack/react-query";
import { ApiError, send } from "../../../api/client.ts";

/** A parameter or body field, as the form shows it. */
export interface Field {
  name: string;
  place: "path" | "query" | "header" | "body";
  isRequired: boolean;
  description: string;
  /** The type of one value. */
  kind: "integer" | "number" | "text" | "choice" | "boolean" | "object" | "date-time" | "musical-key";
  /** Whether the field accepts several values, separated by commas. */
  isList: boolean;
  /** Whether a musical key matches all keys that are compatible with it. */
  takesCompatibleKeys: boolean;
  /** The values of a choice; empty for other kinds. */
  choices: string[];
  /** Whether null is a valid value. */
  isNullable: boolean;
  defaultValue: string | undefined;
  example: string | undefined;
}

/** An operation of contract/openapi.json. */
export interface Operation {
  id: string;
  method: string;
  /** The path, with `{name}` for each path parameter. */
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** The permission; null if the operation needs no key, or any key of test mode (`isOfTestMode`). */
  permission: string | null;
  /** Whether the operation accepts only keys of test mode. */
  isOfTestMode: boolean;
  fields: Field[];
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  items?: Schema;
  /** Marks a musical key that also matches compatible keys. */
  "x-key-match"?: "compatible";
  default?: unknown;
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}
interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}
interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
  "x-permission"?: string;
  "x-test-mode"?: true;
  "x-codeSamples"?: object[];
}
interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** The operations of /openapi.json that a form can send, in the order of the document. */
export const operationsQuery = queryOptions({
  queryKey: ["openapi"],
  queryFn: async () => {
    const response = await send("/openapi.json");
    if (!response.ok)
      throw new ApiError(response.status, "No API description", "/openapi.json could not be loaded. Try again.", null);
    return readOperations((await response.json()) as ApiDocument);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * The operations of an OpenAPI document that a form can send, in the order of the document. The steps of tus are left
 * out, because they send a file's bytes. Only they have no code samples.
 */
export function readOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-codeSamples"] !== undefined)
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: (operation.description ?? "").replace(/\n+(?:Permission: |No API key|Any test key)[^\n]*$/, ""),
        tag: operation.tags[0] ?? "",
        permission: operation["x-permission"] ?? null,
        isOfTestMode: operation["x-test-mode"] === true,
        fields: [
          ...(operation.parameters ?? []).map((parameter) => parameterField(parameter)),
          ...bodyFields(operation, document),
        ],
      })),
  );
}

const parameterField = ({ name, in: place, required = false, description, schema, example }: Parameter): Field => ({
  ...kindOf(schema),
  name,
  place,
  isRequired: required,
  description: description ?? "",
  example: textOf(example),
});

function bodyFields({ requestBody }: DocumentedOperation, document: ApiDocument): Field[] {
  const content = requestBody?.content["application/json"];
  if (content === undefined) return [];
  const reference = /^#\/components\/schemas\/(.+)$/.exec(content.schema.$ref ?? "")?.[1];
  const schema = reference === undefined ? content.schema : document.components.schemas[reference];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    ...kindOf(property),
    name,
    place: "body",
    isRequired: schema?.required?.includes(name) ?? false,
    description: property.description ?? "",
    example: textOf(content.example?.[name]),
  }));
}

function kindOf(schema: Schema): Omit<Field, "name" | "place" | "isRequired" | "description" | "example"> {
  const items = [schema, ...(schema.anyOf ?? [])].find((each) => each.items !== undefined)?.items;
  const itemSchema = items ?? schema;
  const either = [itemSchema, ...(itemSchema.anyOf ?? [])];
  const formats = either.map(({ format }) => (format === "date-or-time" ? "date-time" : format));
  const types = either.flatMap(({ type }) => type ?? []);
  const nullable = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []).includes("null");
  return {
    kind:
      itemSchema.enum !== undefined
        ? "choice"
        : (kinds.find((kind) => types.includes(kind) || formats.includes(kind)) ?? "text"),
    isList: items !== undefined,
    takesCompatibleKeys: itemSchema["x-key-match"] === "compatible",
    choices: itemSchema.enum ?? [],
    isNullable: nullable,
    defaultValue: textOf(schema.default),
  };
}

/** The types and formats of JSON Schema that are kinds of fields. */
const kinds = ["integer", "number", "boolean", "object", "date-time", "musical-key"] as const;

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);
