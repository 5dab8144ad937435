import type { TSchema } from "typebox";

export type JsonObject = Record<string, unknown>;

/** Moves every schema that has an `$id` into `components`, leaving a reference in its place. */
export function hoistSchemas(schema: TSchema, components: Record<string, JsonObject>): JsonObject {
  return hoist(schema as JsonObject, components) as JsonObject;
}

function hoist(value: unknown, components: Record<string, JsonObject>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  if (typeof value !== "object" || value === null) return value;
  const { $id, ...rest } = value as JsonObject & { $id?: string };
  const plain = Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, hoist(item, components)]));
  if ($id === undefined) return plain;
  components[$id] = plain;
  return { $ref: `#/components/schemas/${$id}` };
}

/** The schema of a success in its envelope (docs/api/conventions.md, Response forms). */
export function envelope(form: "reference" | "console", data: JsonObject, meta: JsonObject | null): JsonObject {
  const properties: JsonObject =
    form === "reference"
      ? { status: { const: "success" }, data }
      : { success: { const: true }, data, ...(meta !== null && { meta }) };
  return { type: "object", required: Object.keys(properties), properties, additionalProperties: false };
}
