/** The API as its client libraries offer it, whatever their language. Names are those of the wire. */
export interface ClientInterface {
  enums: Enum[];
  models: Model[];
  resources: Resource[];
  /** In the order of the document. */
  operations: Operation[];
  fileMethods: FileMethod[];
  eventTypes: EventType[];
  errorCodes: ErrorCode[];
  fixtures: Fixtures;
}

/** Recorded examples, for the tests of users. */
export interface Fixtures {
  /** The body of a successful response, by operation. */
  responses: Record<string, unknown>;
  /** The body of a delivery, by event type. */
  events: Record<string, unknown>;
}

/** A part of the client: `client.beats`. */
export interface Resource {
  name: string;
  /** A sentence. */
  description: string;
}

/** A set of known strings, to which the API may add. */
export interface Enum {
  /** In Pascal case: `OrderStatus`. */
  name: string;
  values: string[];
}

/** An object of the API. */
export interface Model {
  /** In Pascal case: `BeatDetail`. */
  name: string;
  /** A sentence. */
  description: string;
  /** The model whose fields come first, and which this one is a kind of. */
  parent: string | null;
  /** All fields, those of the parent included. */
  fields: Field[];
  /** Whether it only stands within other objects. */
  isNested: boolean;
}

export interface Field {
  name: string;
  type: Type;
  /** Whether every response has it, and in a body: whether it must be given. */
  isRequired: boolean;
  isNullable: boolean;
  /** Sentences; "" if the document has none. */
  description: string;
}

export type Type =
  | { kind: "integer" | "number" | "string" | "boolean" }
  /** ISO 8601. A parameter may be given as the language's own type. */
  | { kind: "timestamp" }
  | { kind: "url" }
  /** Any JSON. */
  | { kind: "any" }
  | { kind: "enum"; name: string }
  | { kind: "model"; name: string }
  | { kind: "list"; items: Type }
  | { kind: "map"; values: Type }
  | { kind: "union"; of: Type[] };

export interface Operation {
  /** `listBeats` */
  id: string;
  httpMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base URL, with parameters in braces: `/beats/{beat_id}`. */
  path: string;
  /** `beats`; null for a method of the client itself. */
  resource: string | null;
  /** In snake case: `list`, `update_profile`. */
  method: string;
  /** Without a full stop: `List beats`. */
  summary: string;
  /** Sentences. */
  description: string;
  /** What the API key needs: `beats:read`. Null: it may be called without a key. */
  permission: string | null;
  /** Whether it takes keys of test mode only, whatever their permissions. */
  isOfTestMode: boolean;
  pathParameters: Parameter[];
  /** Those that clients offer; required ones come first and without a name: `q`, `month`. */
  queryParameters: Parameter[];
  /** Fields of the body; empty without one. */
  body: Field[];
  /** The schema of the body, such as `BeatFields`; null without one. */
  bodyName: string | null;
  /** Whether it takes an Idempotency-Key. */
  isIdempotent: boolean;
  /** Whether it takes an If-Match. */
  isConditional: boolean;
  result: Result;
}

export interface Parameter {
  name: string;
  type: Type;
  isRequired: boolean;
  /** Sentences. */
  description: string;
  /** What the service takes when it is absent; undefined if the description says all there is to say. */
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** What is in `data` of a response. */
export type Result =
  /** A model under this key. */
  | { kind: "object"; key: string; model: string }
  /** `data` is the model. */
  | { kind: "data"; model: string }
  /** A whole list under this key. */
  | { kind: "array"; key: string; model: string }
  /** A page: lists under these keys, `pagination`, and what else some responses have (`facets`, `missing`, `totals`). */
  | { kind: "pages"; items: { key: string; model: string }[]; extras: Field[] }
  /** A part of a feed: a list under this key, and `next`, the position to go on from. */
  | { kind: "positions"; key: string; model: string }
  /** A file instead of JSON. */
  | { kind: "file" }
  /** Nothing: 204. */
  | { kind: "none" };

/** A method that sends or receives a file. How it does that, often in several requests, is written by hand in each language. */
export interface FileMethod {
  resource: string;
  /** In snake case. */
  method: string;
  /** Paragraphs. Names of other methods and of arguments are in backticks. */
  description: string[];
  permission: string | null;
  arguments: FileArgument[];
  returns: {
    model: string;
    isList?: true;
    /** Whether a program may leave the path out, and read what comes as it arrives. */
    isStreamed?: true;
    /** Whether it is an upload that is ready, of which some languages have a type. */
    isReady?: true;
  };
  /** Each text says when it comes: `if the file cannot be read`. */
  errors: { name: string; text: string }[];
}

export interface FileArgument {
  /** In snake case. */
  name: string;
  kind:
    | "id"
    | "text"
    | "path"
    /** What is uploaded: a path, or what the language reads files from. */
    | "source"
    | "fileKind"
    | "uploadKind"
    /** May be left out, as all that follow. */
    | "filename"
    | "uploadProgress"
    | "downloadProgress"
    | "partBytes"
    | "seconds";
  /** Sentences. */
  text: string;
}

export interface EventType {
  /** `beat.created` */
  type: string;
  /** `BeatCreatedEvent` */
  name: string;
  /** The model of its data. */
  data: string;
  /** A sentence. */
  description: string;
}

export interface ErrorCode {
  /** `not_found` */
  code: string;
  /** `NotFoundError` */
  error: string;
}
