import table from "./operations.json" with { type: "json" };

/**
 * The type of a parameter or body field. Enums are open, so they are text. Times are text, too. A list may also be a
 * single value.
 */
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

/** An operation as a method of the client libraries, in wire names. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, with `{name}` for each path parameter. */
  path: string;
  /** The part of the client that has the method; null for a method of the client itself. */
  resource: string | null;
  verb: string;
  /** The arguments that come first and have no name: path parameters, and the search term. */
  positional: Record<string, Kind>;
  /** The query parameters, which are named arguments: null if omitted. */
  query: Record<string, Kind>;
  /** The body's fields; undefined if there is no body. */
  body?: Record<string, Kind>;
  /** Body fields that are required. */
  required?: string[];
  idempotent?: true;
  /**
   * The part of the result that a snippet prints: a field of one resource, of each resource in an array or in the
   * `data` of a page, or of the resources in one member of a result that has several. A download is saved in the file
   * that `resource` names.
   */
  shows: { as: "one" | "array" | "page" | "member" | "file"; resource: string; field: string; isResumable?: true };
}

/**
 * The operations of contract/openapi.json by their id, as methods of the client libraries. `npm run contract` writes
 * operations.json from the operation table.
 */
export const operations = table as unknown as Record<string, Operation>;
