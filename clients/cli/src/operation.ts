import table from "./generated/operations.json" with { type: "json" };

/** A parameter or a field of a body, as a flag takes it. */
export interface Value {
  /** As on the wire: `beat_id`. */
  name: string;
  /** A word is a number where it looks like one, else a text: an id or a name. */
  type: "integer" | "number" | "boolean" | "string" | "word" | "json";
  isList?: boolean;
  /** Known values, to which the API may add. */
  values?: string[];
  isRequired: boolean;
  isNullable?: boolean;
  /** Sentences. */
  description: string;
  default?: string;
}

/** An operation of the API, and its command. */
export interface Operation {
  id: string;
  /** `["beats", "list"]` */
  command: string[];
  method: string;
  /** Below the base URL, with ids in braces. */
  path: string;
  summary: string;
  description: string;
  permission: string | null;
  /** Whether it takes keys of test mode only. */
  isOfTestMode?: true;
  ids: Value[];
  query: Value[];
  body: Value[];
  isIdempotent: boolean;
  isConditional: boolean;
  /** Where the result is in `data` of a response: under the first key, or for "data" the whole. */
  result: { kind: "object" | "data" | "array" | "pages" | "positions" | "file" | "none"; keys: string[] };
}

export const operations = table.operations as Operation[];
export const resources: readonly { name: string; description: string }[] = table.resources;
export const eventTypes: readonly { type: string; description: string }[] = table.eventTypes;
