import table from "./generated/operations.json" with { type: "json" };

/** A parameter or a field of a body, which is a flag of the command. */
export interface Value {
  /** The name on the wire: `beat_id`. */
  name: string;
  /** A "word" is an id or a name: a number if it looks like one, else a text. */
  type: "integer" | "number" | "boolean" | "string" | "word" | "json";
  isList?: boolean;
  /** Known values. The API may add others. */
  values?: string[];
  isRequired: boolean;
  isNullable?: boolean;
  /** One or more sentences. */
  description: string;
  default?: string;
}

/** An operation of the API, and its command. */
export interface Operation {
  id: string;
  /** `["beats", "list"]` */
  command: string[];
  method: string;
  /** The path below the base URL, with ids in braces. */
  path: string;
  summary: string;
  description: string;
  permission: string | null;
  /** Whether the operation accepts only keys of test mode. */
  isOfTestMode?: true;
  ids: Value[];
  query: Value[];
  body: Value[];
  /** Whether the request takes an Idempotency-Key. */
  isIdempotent: boolean;
  /** Whether the request takes If-Match. */
  isConditional: boolean;
  /** The fields of `data` that hold the result. No fields: all of `data`, a file or nothing. */
  result: { kind: "object" | "data" | "array" | "pages" | "positions" | "file" | "none"; keys: string[] };
}

export const operations = table.operations as Operation[];
export const resources: readonly { name: string; description: string }[] = table.resources;
export const eventTypes: readonly { type: string; description: string }[] = table.eventTypes;
