/** What a parameter or body field takes. Enums are open, so they are text. */
export type Kind = "integer" | "text" | "text-or-null";

/** An operation as the client libraries offer it: everything in wire names. */
export interface Operation {
  method: "GET" | "POST" | "PUT";
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
  /** What a snippet prints of the result: a field of one resource, or of each in an array, a page or a search. */
  shows: { as: "one" | "array" | "page" | "search"; resource: string; field: string };
}

const page = { page: "integer", limit: "integer" } as const;
const beat = { resource: "beat", field: "title" } as const;
const user = { resource: "user", field: "display_name" } as const;
const producer = { resource: "producer", field: "display_name" } as const;
const order = { resource: "order", field: "status" } as const;

/** The operations of contract/openapi.json by their id, as methods of the client libraries. */
export const operations: Record<string, Operation> = {
  listBeats: {
    method: "GET",
    path: "/beats",
    resource: "beats",
    verb: "list",
    positional: {},
    query: { ...page, genre: "integer", producer: "integer", sort: "text" },
    shows: { as: "page", ...beat },
  },
  getBeat: {
    method: "GET",
    path: "/beats/{beat_id}",
    resource: "beats",
    verb: "get",
    positional: { beat_id: "integer" },
    query: {},
    shows: { as: "one", ...beat },
  },
  listSimilarBeats: {
    method: "GET",
    path: "/beats/{beat_id}/similar",
    resource: "beats",
    verb: "similar",
    positional: { beat_id: "integer" },
    query: { limit: "integer" },
    shows: { as: "array", ...beat },
  },
  getUser: {
    method: "GET",
    path: "/users/{user_id}",
    resource: "users",
    verb: "get",
    positional: { user_id: "integer" },
    query: {},
    shows: { as: "one", ...user },
  },
  updateProfile: {
    method: "PUT",
    path: "/users/profile",
    resource: "users",
    verb: "update_profile",
    positional: {},
    query: {},
    body: {
      display_name: "text",
      bio: "text-or-null",
      location: "text-or-null",
      website: "text-or-null",
      avatar_url: "text-or-null",
    },
    shows: { as: "one", ...user },
  },
  listProducers: {
    method: "GET",
    path: "/producers",
    resource: "producers",
    verb: "list",
    positional: {},
    query: { ...page, sort: "text" },
    shows: { as: "page", ...producer },
  },
  listGenres: {
    method: "GET",
    path: "/genres",
    resource: "genres",
    verb: "list",
    positional: {},
    query: {},
    shows: { as: "array", resource: "genre", field: "name" },
  },
  search: {
    method: "GET",
    path: "/search",
    resource: null,
    verb: "search",
    positional: { q: "text" },
    query: { type: "text", ...page },
    shows: { as: "search", ...beat },
  },
  listOrders: {
    method: "GET",
    path: "/orders",
    resource: "orders",
    verb: "list",
    positional: {},
    query: { ...page, status: "text" },
    shows: { as: "page", ...order },
  },
  createOrder: {
    method: "POST",
    path: "/orders",
    resource: "orders",
    verb: "create",
    positional: {},
    query: {},
    body: { beat_id: "integer", payment_method: "text", license_type: "text" },
    required: ["beat_id", "payment_method"],
    idempotent: true,
    shows: { as: "one", ...order },
  },
  getOrder: {
    method: "GET",
    path: "/orders/{order_id}",
    resource: "orders",
    verb: "get",
    positional: { order_id: "integer" },
    query: {},
    shows: { as: "one", ...order },
  },
};
