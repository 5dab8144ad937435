import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type ApiDocument, nameOf, resolved, type Schema } from "./document.ts";

/** Converts the Markdown of descriptions: paragraphs, `code` and **emphasis**. */
export const prose = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join("\n");

/** Converts `code` and **emphasis** within a paragraph. */
export const inline = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 2
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part).replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>"),
    )
    .join("");

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  /** Replaces the description of the schema. */
  description?: string | undefined;
  deprecated?: boolean | undefined;
}

/** The maximum depth of nested fields, so that a schema that contains itself ends. No other schema is as deep. */
const maxDepth = 8;

/** The fields of an object. The fields of nested objects are in a `details` element. */
export function fieldsOf(document: ApiDocument, schema: Schema, depth = 0): string {
  const { properties = {}, required = [] } = objectOf(document, schema) ?? {};
  const fields = Object.entries(properties).map(([name, value]) => ({
    name,
    schema: value,
    isRequired: required.includes(name),
  }));
  return fieldList(document, fields, depth);
}

/** A list of fields or parameters: name, type, limits, and what each means. */
export const fieldList = (document: ApiDocument, fields: readonly Field[], depth = 0): string =>
  fields.length === 0
    ? ""
    : `<ul class="fields">\n${fields.map((field) => fieldItem(document, field, depth)).join("\n")}\n</ul>`;

function fieldItem(document: ApiDocument, field: Field, depth: number): string {
  const { name, schema, isRequired } = field;
  const description = field.description ?? schema.description ?? resolvedOrSame(document, schema).description;
  const isDeprecated = field.deprecated ?? schema.deprecated ?? false;
  const limits = limitsOf(resolvedOrSame(document, schema));
  return `<li><div class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeOf(document, schema))}</span>${
    isRequired ? ` <span class="required">required</span>` : ""
  }${isDeprecated ? ` <span class="deprecated">deprecated</span>` : ""}</div>${
    description === undefined ? "" : `\n<p>${inline(description)}</p>`
  }${limits.length === 0 ? "" : `\n<p class="limits">${limits.join(" · ")}</p>`}${nestedFields(document, field, depth)}</li>`;
}

function nestedFields(document: ApiDocument, { name, schema }: Field, depth: number): string {
  const inner = depth >= maxDepth ? null : objectOf(document, schema);
  if (inner === null || Object.keys(inner.properties ?? {}).length === 0) return "";
  return `\n<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>\n${fieldsOf(document, inner, depth + 1)}\n</details>`;
}

/** The schema of an object or of the objects in a list. Alternative objects are merged. Null for any other schema. */
function objectOf(document: ApiDocument, schema: Schema): Schema | null {
  const resolved = resolvedOrSame(document, schema);
  if (resolved.properties !== undefined) return resolved;
  if (resolved.items !== undefined) return objectOf(document, resolved.items);
  const objects = (resolved.anyOf ?? resolved.oneOf ?? [])
    .map((alternative) => objectOf(document, alternative))
    .filter((objectSchema) => objectSchema !== null);
  if (objects.length <= 1) return objects[0] ?? null;
  const properties = Object.assign({}, ...objects.map((objectSchema) => objectSchema.properties));
  // A field is required only if every alternative requires it.
  const required = Object.keys(properties).filter((name) =>
    objects.every((objectSchema) => objectSchema.required?.includes(name)),
  );
  return { type: "object", properties, required };
}

const resolvedOrSame = (document: ApiDocument, schema: Schema): Schema => resolved<Schema>(document, schema);

/** The type in words: "integer", "string or null", "list of Beat". */
export function typeOf(document: ApiDocument, schema: Schema): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined)
    return [...new Set(alternatives.map((alternative) => typeOf(document, alternative)))].join(" or ");
  if (schema.items !== undefined) return `list of ${typeOf(document, schema.items)}`;
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  const types = [schema.type ?? (schema.enum === undefined ? "any" : "string")].flat().join(" or ");
  return schema.format === undefined || /^(int32|int64|double)$/.test(schema.format)
    ? types
    : `${types} (${schema.format})`;
}

/** Allowed values, limits and the default, as HTML. */
function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  const values = schema.enum ?? schema.items?.enum;
  return [
    ...(values === undefined
      ? []
      : [values.map((value) => `<code>${escapeHtml(JSON.stringify(value).replace(/^"|"$/g, ""))}</code>`).join(", ")]),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${number(exclusiveMinimum)}`]),
    // The maximum of int32 only repeats the format.
    ...span(minimum, maximum === 2_147_483_647 ? undefined : maximum, ""),
    ...span(minLength, maxLength, " characters"),
    ...span(minItems, maxItems, " items"),
    ...(schema.default === undefined ? [] : [`default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`]),
  ];
}

function span(min: number | undefined, max: number | undefined, unit: string): string[] {
  if (min === undefined && max === undefined) return [];
  if (max === undefined) return min === 0 && unit === "" ? [] : [`at least ${number(min)}${unit}`];
  return [min === undefined ? `up to ${number(max)}${unit}` : `${number(min)} to ${number(max)}${unit}`];
}

const number = (value = 0): string => value.toLocaleString("en");
