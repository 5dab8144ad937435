import type { TSchema } from "typebox";
import type { Deprecation } from "../pipeline/deprecation.ts";

export type JsonObject = Record<string, unknown>;

/**
 * Moves every schema with an `$id` into `components`, and replaces it by a reference. Adds keywords that generators of
 * clients need: the `type` of an `enum` or `const` (otherwise an untyped value), and the width of numbers (otherwise 32
 * bits in Go). Replaces `x-deprecation` by `deprecated`, `x-sunset` and a sentence in the description.
 */
export function hoistSchemas(schema: TSchema, components: Record<string, JsonObject>): JsonObject {
  return hoist(schema as JsonObject, components) as JsonObject;
}

function hoist(value: unknown, components: Record<string, JsonObject>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  if (typeof value !== "object" || value === null) return value;
  const { $id, ...rest } = value as JsonObject & { $id?: string };
  const plain = Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, hoist(item, components)]));
  const published = withDeprecation(withWidth(withType(plain)));
  if ($id === undefined) return published;
  components[$id] = published;
  return { $ref: `#/components/schemas/${$id}` };
}

/** A sentence for the description of a deprecated operation, parameter or field. */
export const deprecationInWords = ({ since, sunset }: Deprecation): string =>
  `Deprecated since ${since}; it works until ${sunset} at least.`;

function withDeprecation({ "x-deprecation": deprecation, ...schema }: JsonObject): JsonObject {
  if (deprecation === undefined) return schema;
  const description = [schema.description, deprecationInWords(deprecation as Deprecation)].filter(Boolean).join(" ");
  return { ...schema, description, deprecated: true, "x-sunset": (deprecation as Deprecation).sunset };
}

function withType(schema: JsonObject): JsonObject {
  const values = "const" in schema ? [schema.const] : schema.enum;
  return Array.isArray(values) && schema.type === undefined ? { type: typeOf(values), ...schema } : schema;
}

function withWidth(schema: JsonObject): JsonObject {
  if (schema.type === "number") return { type: "number", format: "double", ...schema };
  if (schema.type !== "integer") return schema;
  const isInt32 = typeof schema.maximum === "number" && schema.maximum <= maxInt32;
  return { type: "integer", format: isInt32 ? "int32" : "int64", ...schema };
}

const maxInt32 = 2_147_483_647;

/** The JSON type that all values share. */
function typeOf(values: readonly unknown[]): string {
  if (values.every(Number.isInteger)) return "integer";
  const [type = "", ...others] = new Set(values.map((value) => typeof value));
  if (others.length > 0) throw new Error(`The values ${JSON.stringify(values)} have no type in common.`);
  return type;
}

/** The schema of a success in its envelope (docs/api/conventions.md, Response forms). */
export function envelope(form: "reference" | "console", data: JsonObject, meta: JsonObject | null): JsonObject {
  const properties: JsonObject =
    form === "reference"
      ? { status: { type: "string", const: "success" }, data }
      : { success: { type: "boolean", const: true }, data, ...(meta !== null && { meta }) };
  return { type: "object", required: Object.keys(properties), properties };
}
