import { readFileSync } from "node:fs";

export interface Operation {
  method: string;
  path: string;
  body: unknown;
}
type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] };
type Documented = Record<string, Record<string, { requestBody?: { content?: Record<string, Content> } }>>;
type Content = { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> };

/** The operations of a document in `contract`, each with a valid body. */
export function documentedOperations(name: string): Operation[] {
  const document = JSON.parse(readFileSync(new URL(`../../../contract/${name}`, import.meta.url), "utf8"));
  const schemaOf = (schema: Schema): Schema =>
    typeof schema.$ref === "string" ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  /** A valid value for a schema, with only the required properties. */
  const sampleOf = (reference: Schema): unknown => {
    const schema = schemaOf(reference);
    if (Array.isArray(schema.anyOf)) return sampleOf(schema.anyOf[0]);
    if (Array.isArray(schema.enum)) return schema.enum[0];
    if (schema.type === "array") return [];
    if (schema.type === "boolean") return false;
    if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
    if (schema.type === "string") return "text";
    return Object.fromEntries(
      (schema.required ?? []).map((field) => [field, sampleOf(schema.properties?.[field] ?? {})]),
    );
  };
  const bodyOf = (content: Content | undefined): unknown =>
    content && (content.example ?? Object.values(content.examples ?? {})[0]?.value ?? sampleOf(content.schema ?? {}));
  return Object.entries(document.paths as Documented).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
      .map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        body: bodyOf(requestBody?.content?.["application/json"]),
      })),
  );
}
