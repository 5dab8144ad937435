import type { TObject, TSchema } from "typebox";
import { ApiError, invalidRequest } from "../../errors.ts";
import { unknownName } from "./parameters.ts";

/** The parts of a JSON Schema that a body field uses. */
interface FieldSchema {
  type?: string;
  anyOf?: FieldSchema[];
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  format?: string;
  default?: unknown;
  items?: FieldSchema;
  minItems?: number;
  maxItems?: number;
  /** Line breaks are welcome; no other control character ever is. */
  "x-multiline"?: boolean;
  /** Kept as it is, spaces at its ends included: a password. */
  "x-verbatim"?: boolean;
}

/**
 * Reads a JSON body against its schema, strictly: 415 for what is not declared as JSON; 400 for what is no JSON object,
 * a repeated, unknown or missing field, a wrong type, a value out of range. Details name the field. Defaults are filled
 * in. An integer is an id, as in `readParameters`: one beyond what a database key can be reads as 0, which nobody has.
 */
export function readBody(
  schema: TObject,
  contentType: string | undefined,
  bytes: Buffer | undefined,
): Record<string, unknown> {
  const given = parseObject(contentType, bytes);
  const known = schema.properties as Record<string, TSchema & FieldSchema>;
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(known, name) ? known[name] : undefined;
    if (property === undefined) throw unknownName("field", name, Object.keys(known));
    values[name] = readField(name, value, property);
  }
  const missing = Object.keys(known).filter((name) => values[name] === undefined && schema.required?.includes(name));
  const withoutDefault = missing.filter((name) => known[name]?.default === undefined);
  if (withoutDefault.length > 0) throw requiredFields(withoutDefault);
  for (const name of missing) values[name] = known[name]?.default;
  return values;
}

function parseObject(contentType: string | undefined, bytes: Buffer | undefined): object {
  if (bytes === undefined || bytes.length === 0)
    throw invalidRequest("The body is empty; a JSON object is expected, with Content-Type: application/json.");
  if (!/^application\/json *(;|$)/i.test(contentType ?? ""))
    throw new ApiError(
      415,
      "invalid_request",
      "Unsupported media type",
      "Send the body as JSON with Content-Type: application/json.",
    );
  const text = decodeUtf8(bytes);
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRequest(`The body must be a JSON object; it is ${kindOf(value)}.`);
  const repeated = repeatedField(text);
  if (repeated !== null)
    throw invalidRequest(`The ${clipped(repeated)} field was given more than once.`, clipped(repeated));
  return value;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest("The body is not valid UTF-8, which JSON must be.");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidRequest(`The body is not valid JSON: ${(error as Error).message}.`);
  }
}

/** The first name that stands twice in the object that `json`, which is valid, consists of. */
function repeatedField(json: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  for (const { 0: token, groups } of json.matchAll(/(?<name>"(?:[^"\\]|\\.)*")(?=(?<colon>\s*:)?)|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && groups?.colon !== undefined) {
      const name = JSON.parse(token) as string;
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return null;
}

function readField(name: string, value: unknown, schema: FieldSchema): unknown {
  if (schema.anyOf !== undefined) {
    if (value === null) return null;
    if (value === "") throw invalidRequest(`The ${name} field must not be empty; null clears it.`, name);
    return readField(name, value, schema.anyOf.find(({ type }) => type !== "null") ?? {});
  }
  if (schema.enum !== undefined) {
    if (!schema.enum.includes(value as string))
      throw invalidRequest(`The ${name} field must be one of ${schema.enum.join(", ")}. Given: ${shown(value)}.`, name);
    return value;
  }
  if (schema.type === "integer") {
    if (!Number.isInteger(value))
      throw invalidRequest(`The ${name} field must be an integer. Given: ${shown(value)}.`, name);
    return Number.isSafeInteger(value) ? value : 0;
  }
  if (schema.type === "boolean") {
    if (typeof value !== "boolean")
      throw invalidRequest(`The ${name} field must be true or false. Given: ${shown(value)}.`, name);
    return value;
  }
  if (schema.type === "array") return readList(name, value, schema);
  if (typeof value !== "string")
    throw invalidRequest(`The ${name} field must be a string. Given: ${shown(value)}.`, name);
  return readText(name, value, schema);
}

/** Each item by its own schema, none twice. */
function readList(name: string, value: unknown, schema: FieldSchema): unknown[] {
  if (!Array.isArray(value)) throw invalidRequest(`The ${name} field must be an array. Given: ${shown(value)}.`, name);
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length < minItems) throw invalidRequest(`The ${name} field must name at least ${minItems}.`, name);
  if (value.length > maxItems)
    throw invalidRequest(`The ${name} field may name at most ${maxItems}; it names ${value.length}.`, name);
  const read = value.map((item) => readField(name, item, items));
  const repeated = read.find((item, index) => read.indexOf(item) !== index);
  if (repeated !== undefined) throw invalidRequest(`The ${name} field names ${shown(repeated)} more than once.`, name);
  return read;
}

function readText(name: string, text: string, schema: FieldSchema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const length = [...text].length;
  if (minLength > 0 && text.trim() === "") throw invalidRequest(`The ${name} field must not be empty.`, name);
  if (length > maxLength)
    throw invalidRequest(`The ${name} field may have at most ${maxLength} characters; it has ${length}.`, name);
  const controls = schema["x-multiline"] === true ? /(?!\r?\n)\p{Cc}/u : /\p{Cc}/u;
  if (controls.test(text)) throw invalidRequest(`The ${name} field must not contain control characters.`, name);
  if (!text.isWellFormed())
    throw invalidRequest(`The ${name} field has half of a surrogate pair, which is no character.`, name);
  if (schema["x-verbatim"] === true) {
    if (length < minLength)
      throw invalidRequest(`The ${name} field must have at least ${minLength} characters; it has ${length}.`, name);
    return text;
  }
  return schema.format === "uri" ? readWebAddress(name, text, maxLength) : text.trim();
}

/** As it was sent where that is a URI (RFC 3986), else with what is not allowed in one encoded. */
function readWebAddress(name: string, text: string, maxLength: number): string {
  const url = /^https?:\/\/[^/?#\s\\]/i.test(text) ? URL.parse(text) : null;
  if (url === null)
    throw invalidRequest(`The ${name} field must be an http or https URL such as https://example.com.`, name);
  if (asUri(text) === text) return text;
  const uri = asUri(url.href);
  if (uri.length > maxLength)
    throw invalidRequest(
      `The ${name} field may have at most ${maxLength} characters; encoded as a URI it has ${uri.length}.`,
      name,
    );
  return uri;
}

/** Browsers' URLs are laxer than URIs: they leave brackets, stray percent signs and a second # as they are. */
function asUri(address: string): string {
  const [, authority = "", rest = ""] = /^([^/]*\/\/[^/?#]*)(.*)$/s.exec(address) ?? [];
  const [place = "", ...fragment] = rest.split("#");
  return (
    authority.replace(notInAuthority, encodeURIComponent) +
    place.replace(notInPlace, encodeURIComponent) +
    (fragment.length === 0 ? "" : `#${fragment.join("%23").replace(notInPlace, encodeURIComponent)}`)
  );
}

const notInPlace = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_!$%&'()*+,./:;=?@~-]/gu;
const notInAuthority = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_!$%&'()*+,./:;=@~[\]-]/gu;

function requiredFields(names: string[]): Error {
  const [first = ""] = names;
  return names.length === 1
    ? invalidRequest(`The ${first} field is required.`, first)
    : invalidRequest(`The fields ${names.slice(0, -1).join(", ")} and ${names.at(-1)} are required.`, first);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A value as its sender will recognise it, however large or deep it is. */
const shown = (value: unknown): string => {
  if (typeof value === "string") return clipped(JSON.stringify(value));
  return typeof value === "object" ? kindOf(value) : String(value);
};

const clipped = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
