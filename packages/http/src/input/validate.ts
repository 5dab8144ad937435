import { invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { hasCardNumber, quoted } from "@beatmarket/foundation/text/secrets.ts";
import { hasBidiControl, isVisible } from "@beatmarket/foundation/text/visible-text.ts";
import type { TObject, TSchema } from "typebox";
import { unknownName } from "./names.ts";
import { readWebAddress } from "./web-address.ts";

/** The source of a value: a path or query parameter (text), or a field of a JSON body. */
export type Noun = "parameter" | "field";

/** The keywords of JSON Schema that inputs use. */
interface ValueSchema {
  type?: string;
  anyOf?: ValueSchema[];
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  default?: unknown;
  items?: ValueSchema;
  properties?: Record<string, ValueSchema>;
  required?: readonly string[];
  minItems?: number;
  maxItems?: number;
  /** Allows line breaks. No other control character is ever allowed. */
  "x-multiline"?: boolean;
  /** The value is not trimmed: a password. */
  "x-verbatim"?: boolean;
  /** A value that is a card number is refused. */
  "x-no-card-number"?: boolean;
}

/**
 * Validates named values strictly against a schema. Throws 400, with the name in the details, for an unknown, repeated
 * or missing value, a wrong type, and a value out of range (docs/api/conventions.md, Requests). Fills in defaults. An
 * integer without a range is an id. An id beyond the maximum of a database key gets 404 in a field; in a parameter it
 * is read as 0, an id that no row has.
 */
export function readValues(noun: Noun, schema: TObject, entries: Iterable<[string, unknown]>): Record<string, unknown> {
  const properties = schema.properties as Record<string, TSchema & ValueSchema>;
  const values: Record<string, unknown> = {};
  const entryList = [...entries];
  for (const [name, value] of entryList) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) throw unknownName(noun, name, Object.keys(properties));
    if (Object.hasOwn(values, name)) throw invalidRequest(`The ${name} ${noun} was given more than once.`, name);
    values[name] =
      noun === "parameter" ? readParameter(name, String(value), property) : readField(name, value, property);
  }
  const missing: string[] = [];
  for (const name in properties) {
    if (values[name] !== undefined) continue;
    if (properties[name]?.default !== undefined) values[name] = properties[name].default;
    else if (schema.required?.includes(name)) missing.push(name);
  }
  if (missing.length > 0) throw required(noun, missing);
  if (noun === "field") requirePossibleIds(properties, entryList);
  return values;
}

/** Reads path parameters. Throws 404 for an id beyond the maximum of a database key, and names the id. */
export function readPathParameters(schema: TObject, entries: [string, string][]): Record<string, unknown> {
  const values = readParameters(schema, entries);
  requirePossibleIds(schema.properties as Record<string, ValueSchema>, entries);
  return values;
}

/** Throws 404 for an id beyond the maximum of a database key, also within objects and lists of objects. */
function requirePossibleIds(schemas: Record<string, ValueSchema>, entries: [string, unknown][]): void {
  for (const [name, value] of entries) {
    const { type, minimum, maximum, properties, items } = schemas[name] ?? {};
    const innerSchemas = properties ?? items?.properties;
    if (innerSchemas !== undefined && value !== null)
      for (const object of [value].flat()) requirePossibleIds(innerSchemas, Object.entries(object as object));
    const isId = type === "integer" && minimum === undefined && maximum === undefined;
    if (!isId || Number.isSafeInteger(Number(value))) continue;
    // Does not quote a number of JSON: rounding may have changed it.
    const id = typeof value === "string" ? `${name} ${quoted(value)}` : `given ${name}`;
    throw notFound(`The ${id} does not exist; ids go up to ${maxId}.`);
  }
}

const maxId = Number.MAX_SAFE_INTEGER.toLocaleString("en");

export const readParameters = (schema: TObject, entries: Iterable<[string, string]>): Record<string, unknown> =>
  readValues("parameter", schema, entries);

function readParameter(name: string, text: string, schema: ValueSchema): unknown {
  if (schema.enum !== undefined) return readEnum("parameter", name, text, schema.enum);
  if (schema.type === "array") return readItems(name, text, schema);
  if (schema.type === "integer") return readInteger(name, text, schema);
  if (schema.type === "number") return readNumber(name, text, schema);
  if (schema.type === "boolean") return readEnum("parameter", name, text, ["true", "false"]) === "true";
  if (schema.minLength !== undefined && text.trim().length < schema.minLength)
    throw invalidRequest(`The ${name} parameter must not be empty.`, name);
  requireLength("parameter", name, [...text].length, schema.maxLength);
  return text;
}

/** Reads a list separated by commas. Validates each item against the item schema, and refuses duplicates. */
function readItems(name: string, text: string, { items = {}, ...schema }: ValueSchema): unknown[] {
  const texts = text.split(",");
  if (texts.length > 1 && texts.some((item) => item.trim() === ""))
    throw invalidRequest(`The ${name} parameter has an empty item; put single commas between its items.`, name);
  requireCount("parameter", name, texts.length, schema);
  const values = texts.map((item) => readParameter(name, items.type === "string" ? item.trim() : item, items));
  return requireDistinct("parameter", name, values);
}

/** Reads decimal notation without an exponent. */
const readNumber = (name: string, text: string, schema: ValueSchema): number =>
  requireInRange("parameter", name, /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN, printable(text), schema);

/** `written`: the value as the caller wrote it. The only `multipleOf` is 0.01: at most two decimals. */
function requireInRange(
  noun: Noun,
  name: string,
  value: number,
  written: string,
  { minimum = 0, maximum = 0, multipleOf }: ValueSchema,
): number {
  const steps = multipleOf === undefined ? 0 : value / multipleOf;
  if (value >= minimum && value <= maximum && Math.abs(steps - Math.round(steps)) < 1e-6) return value;
  throw invalidRequest(
    `The ${name} ${noun} must be a number from ${formatNumber(minimum)} to ${formatNumber(maximum)}${
      multipleOf === undefined ? "" : " with at most two decimals"
    }. Given: ${written}.`,
    name,
  );
}

const formatNumber = (number: number): string => number.toLocaleString("en", { maximumFractionDigits: 2 });

function readInteger(name: string, text: string, { minimum, maximum }: ValueSchema): number {
  if (!/^-?\d+$/.test(text))
    throw invalidRequest(`The ${name} parameter must be a valid integer. Given: ${printable(text)}.`, name);
  const value = Number(text);
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum))
    throw invalidRequest(
      `The ${name} parameter must be an integer from ${minimum?.toLocaleString("en")} to ${maximum?.toLocaleString("en")}. Given: ${printable(text)}.`,
      name,
    );
  return Number.isSafeInteger(value) ? value : 0;
}

/** Reads an integer of a body. An integer without a maximum is an id: if no row has it, the handler says so. */
function readIntegerField(name: string, value: unknown, { minimum = 0, maximum }: ValueSchema): number {
  if (!Number.isInteger(value))
    throw invalidRequest(`The ${name} field must be an integer. Given: ${printable(value)}.`, name);
  const integer = value as number;
  if (maximum !== undefined && (integer < minimum || integer > maximum))
    throw invalidRequest(
      `The ${name} field must be from ${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")}.`,
      name,
    );
  return Number.isSafeInteger(integer) ? integer : 0;
}

function readField(name: string, value: unknown, schema: ValueSchema): unknown {
  if (schema.anyOf !== undefined) {
    const kinds = schema.anyOf.filter(({ type }) => type !== "null");
    const isNullable = kinds.length < schema.anyOf.length;
    if (value === null && isNullable) return null;
    if (value === "" && isNullable) throw invalidRequest(`The ${name} field must not be empty; null clears it.`, name);
    const isOf = ({ type }: ValueSchema) => typeof value === (type === "integer" ? "number" : type);
    return readField(name, value, kinds.find(isOf) ?? kinds[0] ?? {});
  }
  if (schema.enum !== undefined) return readEnum("field", name, value, schema.enum);
  if (schema.type === "integer") return readIntegerField(name, value, schema);
  if (schema.type === "boolean") {
    if (typeof value !== "boolean")
      throw invalidRequest(`The ${name} field must be true or false. Given: ${printable(value)}.`, name);
    return value;
  }
  if (schema.type === "number") {
    if (typeof value !== "number")
      throw invalidRequest(`The ${name} field must be a number. Given: ${printable(value)}.`, name);
    return requireInRange("field", name, value, printable(value), schema);
  }
  if (schema.type === "array") return readList(name, value, schema);
  if (schema.type === "object") return readMembers(name, value, schema);
  if (typeof value !== "string")
    throw invalidRequest(`The ${name} field must be a string. Given: ${printable(value)}.`, name);
  return readText(name, value, schema);
}

/** Validates each member of an object against its own schema. */
function readMembers(
  name: string,
  value: unknown,
  { properties = {}, required: requiredMembers = [] }: ValueSchema,
): Record<string, unknown> {
  if (kindOf(value) !== "an object")
    throw invalidRequest(`The ${name} field must be an object. Given: ${printable(value)}.`, name);
  const names = Object.keys(properties);
  const unknown = Object.keys(value as object).find((member) => !names.includes(member));
  if (unknown !== undefined)
    throw unknownName(
      "field",
      `${name}.${unknown}`,
      names.map((each) => `${name}.${each}`),
    );
  const missing = requiredMembers.filter((member) => !Object.hasOwn(value as object, member));
  if (missing.length > 0)
    throw required(
      "field",
      missing.map((each) => `${name}.${each}`),
    );
  // Uses the order of the schema, so that equal objects have equal JSON.
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([member]) => Object.hasOwn(value as object, member))
      .map(([member, entry]) => [
        member,
        readField(`${name}.${member}`, (value as Record<string, unknown>)[member], entry),
      ]),
  );
}

/** Validates each item against the item schema, and refuses duplicates. */
function readList(name: string, value: unknown, schema: ValueSchema): unknown[] {
  if (!Array.isArray(value))
    throw invalidRequest(`The ${name} field must be an array. Given: ${printable(value)}.`, name);
  const { items = {} } = schema;
  requireCount("field", name, value.length, schema);
  return requireDistinct(
    "field",
    name,
    value.map((item) => readField(name, item, items)),
  );
}

function requireCount(noun: Noun, name: string, count: number, { minItems = 0, maxItems }: ValueSchema): void {
  if (count < minItems)
    throw invalidRequest(`The ${name} ${noun} must have at least ${counted(minItems, "item")}.`, name);
  if (maxItems !== undefined && count > maxItems)
    throw invalidRequest(`The ${name} ${noun} may name at most ${maxItems}; it names ${count}.`, name);
}

function requireDistinct(noun: Noun, name: string, items: unknown[]): unknown[] {
  const repeated = items.find((item, index) => items.indexOf(item) !== index);
  if (repeated !== undefined)
    throw invalidRequest(`The ${name} ${noun} names ${printable(repeated)} more than once.`, name);
  return items;
}

function readText(name: string, text: string, schema: ValueSchema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const length = [...text].length;
  if (minLength > 0 && text.trim() === "") throw invalidRequest(`The ${name} field must not be empty.`, name);
  requireLength("field", name, length, maxLength);
  const controls = schema["x-multiline"] === true ? /(?!\r?\n)\p{Cc}/u : /\p{Cc}/u;
  if (controls.test(text)) throw invalidRequest(`The ${name} field must not contain control characters.`, name);
  if (!text.isWellFormed())
    throw invalidRequest(`The ${name} field has half of a surrogate pair, which is not a character.`, name);
  if (schema["x-no-card-number"] === true && hasCardNumber(text))
    throw invalidRequest(
      `The ${name} field has a card number. Never send one here: give your payment provider's identifier, such as pm_card_visa.`,
      name,
    );
  if (schema["x-verbatim"] === true) {
    if (length < minLength)
      throw invalidRequest(`The ${name} field must have at least ${minLength} characters; it has ${length}.`, name);
    return text;
  }
  if (hasBidiControl(text))
    throw invalidRequest(
      `The ${name} field must not have characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069); leave them out.`,
      name,
    );
  if (text.trim() !== "" && !isVisible(text))
    throw invalidRequest(`The ${name} field has no visible character; write at least one letter, digit or sign.`, name);
  return schema.format === "uri" ? readWebAddress(name, text, maxLength) : text.trim();
}

function readEnum(noun: Noun, name: string, value: unknown, values: readonly string[]): unknown {
  if (values.includes(value as string)) return value;
  throw invalidRequest(`The ${name} ${noun} must be one of ${values.join(", ")}. Given: ${printable(value)}.`, name);
}

function requireLength(noun: Noun, name: string, length: number, maxLength = Number.POSITIVE_INFINITY): void {
  if (length <= maxLength) return;
  throw invalidRequest(`The ${name} ${noun} may have at most ${maxLength} characters; it has ${length}.`, name);
}

function required(noun: Noun, names: string[]): Error {
  const [first = ""] = names;
  return names.length === 1
    ? invalidRequest(`The ${first} ${noun} is required.`, first)
    : invalidRequest(`The ${noun}s ${names.slice(0, -1).join(", ")} and ${names.at(-1)} are required.`, first);
}

/** Names the type of a JSON value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A value for a message: a text is clipped; an object or array is only named. */
const printable = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(quoted(value));
  return typeof value === "object" ? kindOf(value) : String(value);
};
