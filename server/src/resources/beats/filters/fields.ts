import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";

/** The names of the fields that objects are reduced to; undefined for all. */
export type Fields = ReadonlySet<string> | undefined;

/** The fields that a request names. Throws invalid_request, with the nearest name, for an unknown field. */
export function readFields(requested: readonly string[] | undefined, names: readonly string[]): Fields {
  for (const name of requested ?? []) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    const hint = near === undefined ? `The fields of this form are ${names.join(", ")}.` : `Did you mean ${near}?`;
    throw invalidRequest(
      `The fields parameter names ${JSON.stringify(quoted(name))}, which is no field. ${hint}`,
      "fields",
    );
  }
  return requested && new Set(requested);
}

/** An object with only these fields. */
export const reduced = (object: object, fields: Fields): object =>
  fields === undefined ? object : Object.fromEntries(Object.entries(object).filter(([name]) => fields.has(name)));
