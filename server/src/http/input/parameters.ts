import { distance } from "fastest-levenshtein";
import type { TObject, TSchema } from "typebox";
import { invalidRequest } from "../../errors.ts";

/** The parts of a JSON Schema that a path or query parameter uses. */
interface ParameterSchema {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
}

/**
 * Reads query or path parameters against their schema, strictly: a wrong type, a value out of range, a repeated or an
 * unknown parameter is a 400 whose details name it (DESIGN section 2). Defaults are filled in. An integer without a
 * range is an id: one beyond what a database key can be reads as 0, which nobody has.
 */
export function readParameters(schema: TObject, given: Iterable<[string, string]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const known = schema.properties as Record<string, TSchema & ParameterSchema>;
  for (const [name, text] of given) {
    const property = Object.hasOwn(known, name) ? known[name] : undefined;
    if (property === undefined) throw unknownName("parameter", name, Object.keys(known));
    if (Object.hasOwn(values, name)) throw invalidRequest(`The ${name} parameter was given more than once.`, name);
    values[name] = readValue(name, text, property);
  }
  for (const name of Object.keys(known)) {
    if (values[name] !== undefined) continue;
    const property = known[name] as ParameterSchema;
    if (property.default !== undefined) values[name] = property.default;
    else if (schema.required?.includes(name)) throw invalidRequest(`The ${name} parameter is required.`, name);
  }
  return values;
}

/** 400 for a name nobody knows, with the nearest known one. `noun` is "parameter" or "field". */
export function unknownName(noun: string, name: string, known: readonly string[]): Error {
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const near = nearestName(name, known);
  const hint =
    near !== undefined
      ? ` Did you mean ${near}?`
      : known.length === 0
        ? ` This endpoint takes no ${noun}s.`
        : ` Known ${noun}s: ${known.join(", ")}.`;
  return invalidRequest(`Unknown ${noun} ${JSON.stringify(shown)}.${hint}`, shown);
}

/** The known name that a misspelt one was probably meant to be; undefined when none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const typed = name.slice(0, 60).toLowerCase();
  return known
    .map((candidate) => ({ candidate, edits: distance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

function readValue(name: string, text: string, schema: ParameterSchema): unknown {
  if (schema.enum !== undefined) {
    if (!schema.enum.includes(text))
      throw invalidRequest(`The ${name} parameter must be one of ${schema.enum.join(", ")}.${given(text)}`, name);
    return text;
  }
  if (schema.type === "integer") return readInteger(name, text, schema);
  const length = [...text].length;
  if (schema.minLength !== undefined && text.trim().length < schema.minLength)
    throw invalidRequest(`The ${name} parameter must not be empty.`, name);
  if (schema.maxLength !== undefined && length > schema.maxLength)
    throw invalidRequest(
      `The ${name} parameter may have at most ${schema.maxLength} characters; it has ${length}.`,
      name,
    );
  return text;
}

function readInteger(name: string, text: string, { minimum, maximum }: ParameterSchema): number {
  if (!/^-?\d+$/.test(text)) throw invalidRequest(`The ${name} parameter must be a valid integer.${given(text)}`, name);
  const value = Number(text);
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum))
    throw invalidRequest(
      `The ${name} parameter must be an integer from ${minimum?.toLocaleString("en")} to ${maximum?.toLocaleString("en")}.${given(text)}`,
      name,
    );
  return Number.isSafeInteger(value) ? value : 0;
}

const given = (text: string): string => ` Given: ${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)}.`;
