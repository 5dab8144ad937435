import type { Static, TObject, TSchema } from "typebox";
import type { Clock } from "../clock.ts";
import type { Queryable } from "../database/connection/connect.ts";
import type { AuditAuthor } from "../resources/audit/queries.ts";

/** Who is signed in. */
export interface PortalAccount {
  /** The marketplace user: whose keys, calls and endpoints are shown. */
  userId: number;
  /** Better Auth's id of the account. */
  id: string;
  name: string;
  email: string;
}

interface PortalCall<Params, Query, Body> {
  db: Queryable;
  clock: Clock;
  params: Params;
  query: Query;
  body: Body;
  /** What audit entries say of who did it. */
  author: Exclude<AuditAuthor, "operator">;
  /** The request's headers, for Better Auth, which finds the session cookie there. */
  headers: Headers;
  /** Sends Set-Cookie headers along with the answer. */
  setCookies(cookies: readonly string[]): void;
}

/** What a handler gets: who is signed in, validated input, and what it may use. */
export interface SignedInCall<Params, Query, Body> extends PortalCall<Params, Query, Body> {
  account: PortalAccount;
}

interface Definition<Params extends TObject, Query extends TObject, Body extends TObject, Answer extends TSchema> {
  /** Also the name of the operation in contract/portal-openapi.json. */
  operationId: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to /portal/api, Fastify's notation: `/keys/:key_id`. */
  path: string;
  /** The area of the portal, as the document groups it. */
  tag: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** 202: it happens after the answer. 204: no body, for which the schema is Type.Void(). */
  status?: 200 | 201 | 202 | 204;
  response: Answer;
  /** Refusals beside those that follow from the rest (400, 401, 403, 404, 413, 415, 429, 500, 503). */
  refusals?: readonly (401 | 404 | 409 | 429)[];
}

interface SignedInDefinition<P extends TObject, Q extends TObject, B extends TObject, A extends TSchema>
  extends Definition<P, Q, B, A> {
  handle(call: SignedInCall<Static<P>, Static<Q>, Static<B>>): Promise<Static<A>>;
}

interface PublicDefinition<P extends TObject, Q extends TObject, B extends TObject, A extends TSchema>
  extends Definition<P, Q, B, A> {
  /** `account` is null for whoever is not signed in. */
  handle(call: PortalCall<Static<P>, Static<Q>, Static<B>> & { account: PortalAccount | null }): Promise<Static<A>>;
}

/** One row of the table of portal routes: routing, session, validation and documentation come from it. */
export interface PortalRoute extends Definition<TObject, TObject, TObject, TSchema> {
  /** Who may call it. */
  access: "signed-in" | "anyone";
  handle(call: PortalCall<unknown, unknown, unknown> & { account: PortalAccount | null }): Promise<unknown>;
}

/** What anybody may do has limits of its own (auth/accounts.ts). */
export const isLimitedChange = ({ access, method }: PortalRoute): boolean => access === "signed-in" && method !== "GET";

type Empty = TObject<Record<never, never>>;

/** A route for whoever is signed in; everybody else gets 401. Checks a definition's parts against each other. */
export function portalRoute<
  A extends TSchema,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TObject = Empty,
>(definition: SignedInDefinition<P, Q, B, A>): PortalRoute {
  return { ...definition, access: "signed-in" } as unknown as PortalRoute;
}

/** A route that needs no session. */
export function publicPortalRoute<
  A extends TSchema,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TObject = Empty,
>(definition: PublicDefinition<P, Q, B, A>): PortalRoute {
  return { ...definition, access: "anyone" } as unknown as PortalRoute;
}
