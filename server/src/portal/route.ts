import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Access } from "@beatmarket/http/application.ts";
import { jsonResponse } from "@beatmarket/http/http-response.ts";
import type { Method } from "@beatmarket/http/pipeline/inner-request.ts";
import type { HandlerCall, Replay, Route } from "@beatmarket/http/pipeline/route.ts";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Account, SessionPermission } from "../access/account.ts";
import type { Operator, SessionAuthor } from "../resources/audit/queries.ts";
import { requireSecondFactor, requireStepUp } from "./step-up.ts";

interface PortalCall<Params, Query, Body>
  extends Pick<
    HandlerCall,
    "db" | "server" | "clock" | "requestId" | "idempotencyRun" | "context" | "underPermit" | "closed"
  > {
  params: Params;
  query: Query;
  body: Body;
  /** The author of audit entries. */
  author: SessionAuthor;
  /** The request's headers, with the session cookie. */
  headers: Headers;
  /** Adds Set-Cookie headers to the response. */
  setCookies(cookies: readonly string[]): void;
}

/** The arguments of a handler: account, validated input, database and clock. */
export interface SignedInCall<Params, Query, Body> extends PortalCall<Params, Query, Body> {
  account: Account;
}

interface Definition<Params extends TObject, Query extends TObject, Body extends TObject, Response extends TSchema> {
  /** The id of the operation in contract/portal-openapi.json. */
  operationId: string;
  method: Method;
  /** The path below /portal/api, such as `/keys/:key_id`. */
  path: string;
  /** The area of the portal, by which the document groups operations. */
  tag: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** 202 means that the action follows the response. 204 means no body, with the schema Type.Void(). */
  status?: 200 | 201 | 202 | 204;
  response: Response;
  /** The route supports Idempotency-Key, like operations of the API. */
  idempotent?: true;
  /** The handler waits for other requests, so it holds no permit (http/pipeline/route.ts, Route). */
  waits?: true;
  /** The limits of the body; absent for the default limits. */
  bodyLimits?: NonNullable<Route["bodyLimits"]>;
  /** The statuses of further refusals. The other fields imply 400, 401, 403, 404, 409, 413, 415, 429, 500 and 503. */
  refusals?: readonly (401 | 403 | 404 | 409 | 412 | 429)[];
  /** The schema of a 400 whose form a standard defines. `respond` sends such a response. */
  failure?: TSchema;
  /** Whether the call changed the catalogue; absent for routes that never do. */
  changesContent?: NonNullable<Route["changesContent"]>;
}

interface SignedInDefinition<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>
  extends Definition<P, Q, B, R> {
  /**
   * The permission that the member of an organisation needs. `self` is for data that belongs to the person, not to an
   * organisation (access/roles.ts).
   */
  permission: SessionPermission;
  /**
   * The route requires a recent sign-in, else 403 (step-up.ts). This is for routes by which a thief with an open
   * session could get secrets or money, keep access, or delete permanently.
   */
  needsStepUp?: true;
  handle(call: SignedInCall<Static<P>, Static<Q>, Static<B>>): Promise<Static<R>>;
}

interface PublicDefinition<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>
  extends Definition<P, Q, B, R> {
  /** `account` is null without a session. */
  handle(call: PortalCall<Static<P>, Static<Q>, Static<B>> & { account: Account | null }): Promise<Static<R>>;
}

/** One row of the table of portal routes, the source of routing, session, validation and documentation. */
export interface PortalRoute extends Route, Omit<Definition<TObject, TObject, TObject, TSchema>, keyof Route> {
  operationId: string;
  access: Extract<Access, { by: "session" }>;
}

/** The account whose keys and endpoints a call reads or changes, with the author of audit entries. */
export const principalOf = ({
  account,
  author,
}: Pick<SignedInCall<unknown, unknown, unknown>, "account" | "author">) => ({
  ownerId: account.userId,
  author,
});

/** The headers of every response below /portal/api. */
export const portalHeaders = { "cache-control": "no-store" };

/**
 * Whether a route counts towards the limit of an account's changes. Public routes have separate limits
 * (packages/authentication/src/limits.ts).
 */
export const isLimitedChange = ({ access, method }: PortalRoute): boolean => access.required && method !== "GET";

type Empty = TObject<Record<never, never>>;

/** A route that requires a session, else 401. The compiler checks the handler against the schemas. */
export const portalRoute = <
  R extends TSchema,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TObject = Empty,
>(
  definition: SignedInDefinition<P, Q, B, R>,
): PortalRoute => {
  const { needsStepUp, permission, handle } = definition;
  const access = { by: "session", required: true, permission } as const;
  if (needsStepUp !== true) return rowOf(definition as never, access);
  const steppedUp: typeof handle = (call) => {
    requireStepUp(call.account, call.clock);
    return handle(call);
  };
  return rowOf({ ...definition, handle: steppedUp } as never, access);
};

/** The arguments of a handler for operators. */
export interface OperatorCall<Params, Query, Body> extends Omit<SignedInCall<Params, Query, Body>, "author"> {
  /** The author of audit entries: the signed-in operator. */
  author: Exclude<Operator, "operator">;
}

interface OperatorDefinition<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>
  extends Definition<P, Q, B, R> {
  /** The route moves money, or changes a plan or a commission, so it requires a recent sign-in with a second factor. */
  movesMoney?: true;
  handle(call: OperatorCall<Static<P>, Static<Q>, Static<B>>): Promise<Static<R>>;
}

/**
 * A route about all accounts, for operators. For everyone else the path does not exist (404). A change requires a
 * sign-in in the last 15 minutes. With `movesMoney`, it also requires a second factor.
 */
export const operatorRoute = <
  R extends TSchema,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TObject = Empty,
>(
  definition: OperatorDefinition<P, Q, B, R>,
): PortalRoute => {
  const { handle, method, movesMoney } = definition;
  const asOperator = async (call: SignedInCall<Static<P>, Static<Q>, Static<B>>) => {
    if (movesMoney === true) await requireSecondFactor(call.db, call.account, call.clock);
    else if (method !== "GET") requireStepUp(call.account, call.clock);
    return handle({ ...call, author: { ...call.author, operatorId: call.account.userId } });
  };
  return rowOf({ ...definition, handle: asOperator } as never, {
    by: "session",
    required: true,
    permission: "self",
    ofOperators: true,
  });
};

/** A route that needs no session. */
export const publicPortalRoute = <
  R extends TSchema,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TObject = Empty,
>(
  definition: PublicDefinition<P, Q, B, R>,
): PortalRoute => rowOf(definition as never, { by: "session", required: false });

function rowOf(
  definition: PublicDefinition<TObject, TObject, TObject, TSchema>,
  access: PortalRoute["access"],
): PortalRoute {
  const { status = 200, query = Type.Object({}), idempotent } = definition;
  const respond = (body: string) => jsonResponse(body, status);
  const replay: Replay = {
    // The portal has a single form.
    render: (value) => ({ reference: JSON.stringify(value), console: "", location: null }),
    respond: ({ reference }) => respond(reference),
  };
  return {
    ...definition,
    ...(idempotent === true && { replay }),
    query,
    access,
    headers: portalHeaders,
    handle: (call) => definition.handle({ ...portalCall(call), account: call.account } as never),
    respond: (value) => (status === 204 ? { status } : respond(JSON.stringify(value))),
  };
}

function portalCall(call: HandlerCall): PortalCall<object, object, object> {
  const { params, query, context, account } = call;
  // PostgreSQL refuses texts with NUL with an error, so such a request is refused here.
  for (const [name, value] of Object.entries({ ...params, ...query }))
    if (String(value).includes("\0"))
      throw invalidRequest(`The ${name} parameter must not contain the character NUL.`, name);
  return {
    ...call,
    author: {
      clientAddress: context.clientAddress,
      userAgent: context.requestHeaders["user-agent"] ?? "",
      ...(account !== null && account.organisation !== null && { personId: account.personId }),
    },
    headers: context.webHeaders,
    setCookies: (cookies) => context.setCookies(cookies),
  };
}

/** Throws 409 for the demo account. Visitors share it, and may neither lock out others nor see their addresses. */
export function requireOwnAccount({ email }: Account, demoEmail: string | null): void {
  if (email === demoEmail)
    throw conflict("Everyone who tries this server shares the demo account. Create an account of your own for this.");
}
