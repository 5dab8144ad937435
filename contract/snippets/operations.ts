import table from "./operations.json" with { type: "json" };

/** What a parameter or body field takes. Enums are open, so they are text, and so are times; of a list also one value. */
export type Kind = PlainKind | `${PlainKind}-or-null`;

/** `fields` is an object, `items` a list of objects. */
type PlainKind =
  | "integer"
  | "number"
  | "boolean"
  | "text"
  | "integer-or-text"
  | "integers"
  | "texts"
  | "fields"
  | "items";

/** An operation as the client libraries offer it: everything in wire names. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` where a path parameter stands. */
  path: string;
  /** The client's part, null for a method of the client itself. */
  resource: string | null;
  verb: string;
  /** What comes first and without a name: path parameters, and what is searched for. */
  positional: Record<string, Kind>;
  /** Named, and null when left out: query parameters. */
  query: Record<string, Kind>;
  /** Undefined when there is no body. */
  body?: Record<string, Kind>;
  /** Body fields that have to be there. */
  required?: string[];
  idempotent?: true;
  /**
   * What a snippet prints of the result: a field of one resource, or of each in an array, in the `data` of a page, or in the
   * member of a result that has other members; or of a download into the file that `resource` names.
   */
  shows: { as: "one" | "array" | "page" | "member" | "file"; resource: string; field: string; isResumable?: true };
}

/**
 * The operations of contract/openapi.json by their id, as methods of the client libraries. `npm run contract` makes
 * operations.json from the operation table.
 */
export const operations = table as unknown as Record<string, Operation>;
