/** The API as all client libraries offer it, with the API's own names. */
export interface ClientInterface {
  enums: Enum[];
  models: Model[];
  resources: Resource[];
  /** The operations in the order of the document. */
  operations: Operation[];
  fileMethods: FileMethod[];
  eventTypes: EventType[];
  errorCodes: ErrorCode[];
  fixtures: Fixtures;
}

/** Recorded examples that users can use in their tests. */
export interface Fixtures {
  /** The body of a successful response, by operation id. */
  responses: Record<string, unknown>;
  /** The body of a delivery, by event type. */
  events: Record<string, unknown>;
}

/** A group of methods of the client, such as `client.beats`. */
export interface Resource {
  name: string;
  /** One sentence. */
  description: string;
}

/** A set of known strings. The API may add others. */
export interface Enum {
  /** The name in Pascal case: `OrderStatus`. */
  name: string;
  values: string[];
}

/** An object of the API. */
export interface Model {
  /** The name in Pascal case: `BeatDetail`. */
  name: string;
  /** One sentence. */
  description: string;
  /** The model that this one extends. */
  parent: string | null;
  /** All fields, including the parent's. */
  fields: Field[];
  /** Whether the model occurs only within other objects. */
  isNested: boolean;
}

export interface Field {
  name: string;
  type: Type;
  /** In a response, whether it is always present. In a body, whether it must be present. */
  isRequired: boolean;
  isNullable: boolean;
  /** One or more sentences; empty if the document has none. */
  description: string;
}

export type Type =
  | { kind: "integer" | "number" | "string" | "boolean" }
  /** A time in ISO 8601. A parameter may also have the language's own type for times. */
  | { kind: "timestamp" }
  | { kind: "url" }
  /** Any JSON value. */
  | { kind: "any" }
  | { kind: "enum"; name: string }
  | { kind: "model"; name: string }
  | { kind: "list"; items: Type }
  | { kind: "map"; values: Type }
  | { kind: "union"; members: Type[] };

export interface Operation {
  /** The operation id: `listBeats`. */
  id: string;
  httpMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL, with parameters in braces: `/beats/{beat_id}`. */
  path: string;
  /** The resource that has the method, such as `beats`; null for a method of the client itself. */
  resource: string | null;
  /** The name of the method in snake case: `list`, `update_profile`. */
  method: string;
  /** A short text without a full stop: `List beats`. */
  summary: string;
  /** One or more sentences. */
  description: string;
  /** The permission that the API key needs, such as `beats:read`; null if no key is needed. */
  permission: string | null;
  /** Whether the operation accepts only test keys, with any permissions. */
  isOfTestMode: boolean;
  pathParameters: Parameter[];
  /** The parameters that clients offer. The required ones come first and are positional: `q`, `month`. */
  queryParameters: Parameter[];
  /** The fields of the body; empty if there is no body. */
  body: Field[];
  /** The schema of the body, such as `BeatFields`; null if there is no body. */
  bodyName: string | null;
  /** Whether the operation accepts an Idempotency-Key. */
  isIdempotent: boolean;
  /** Whether the operation accepts an If-Match. */
  isConditional: boolean;
  result: Result;
}

export interface Parameter {
  name: string;
  type: Type;
  isRequired: boolean;
  /** One or more sentences. */
  description: string;
  /** The value that the service uses if the parameter is absent; undefined if the description covers it. */
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** The content of `data` in a response. */
export type Result =
  /** One model under this key. */
  | { kind: "object"; key: string; model: string }
  /** The model is `data` itself. */
  | { kind: "data"; model: string }
  /** A complete list under this key. */
  | { kind: "array"; key: string; model: string }
  /**
   * A page: lists under these keys, `pagination`, and the additional fields of some responses (`facets`, `missing`,
   * `totals`).
   */
  | { kind: "pages"; items: { key: string; model: string }[]; extras: Field[] }
  /** A part of a feed: a list under this key, and the next position as `next`. */
  | { kind: "positions"; key: string; model: string }
  /** A file instead of JSON. */
  | { kind: "file" }
  /** No content: status 204. */
  | { kind: "none" };

/** A method that sends or receives a file, often in several requests. Each language implements it by hand. */
export interface FileMethod {
  resource: string;
  /** The name in snake case. */
  method: string;
  /** Paragraphs, with names of other methods and of arguments in backticks. */
  description: string[];
  permission: string | null;
  arguments: FileArgument[];
  returns: {
    model: string;
    isList?: true;
    /** Whether a program may omit the path and read the data as it arrives. */
    isStreamed?: true;
    /** Whether the result is a ready upload, for which some languages have a type. */
    isReady?: true;
  };
  /** The errors, each with its condition: `if the file cannot be read`. */
  errors: { name: string; text: string }[];
}

export interface FileArgument {
  /** The name in snake case. */
  name: string;
  kind:
    | "id"
    | "text"
    | "path"
    /** The source of an upload: a path, or any object from which the language reads files. */
    | "source"
    | "fileKind"
    | "uploadKind"
    /** This argument and all later ones are optional. */
    | "filename"
    | "uploadProgress"
    | "downloadProgress"
    | "partBytes"
    | "seconds";
  /** One or more sentences. */
  text: string;
}

export interface EventType {
  /** The event type: `beat.created`. */
  type: string;
  /** The name of the class: `BeatCreatedEvent`. */
  name: string;
  /** The model of the event's data. */
  data: string;
  /** One sentence. */
  description: string;
}

export interface ErrorCode {
  /** The error code: `not_found`. */
  code: string;
  /** The name of the class: `NotFoundError`. */
  error: string;
}
