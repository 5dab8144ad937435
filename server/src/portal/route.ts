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
  /** Also the name of the operation in contract/portal-openapi.json. */
  operationId: string;
  method: Method;
  /** Relative to /portal/api: `/keys/:key_id`. */
  path: string;
  /** The area of the portal, by which the document groups operations. */
  tag: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** 202: the action follows the response. 204: no body, for which the schema is Type.Void(). */
  status?: 200 | 201 | 202 | 204;
  response: Response;
  /** Supports Idempotency-Key, like operations of the API. */
  idempotent?: true;
  /** Waits, so it holds no permit in the meantime (http/pipeline/route.ts, Route). */
  waits?: true;
  /** Absent: the limits of every route. */
  bodyLimits?: NonNullable<Route["bodyLimits"]>;
  /** Refusals in addition to those that follow from the other fields (400, 401, 403, 404, 413, 415, 429, 500, 503). */
  refusals?: readonly (401 | 403 | 404 | 409 | 412 | 429)[];
  /** The body of a 400 that a standard gives another form than the portal's errors have. `respond` sends it. */
  failure?: TSchema;
  /** Whether the call changed the catalogue; absent for routes that never do. */
  changesContent?: NonNullable<Route["changesContent"]>;
}

interface SignedInDefinition<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>
  extends Definition<P, Q, B, R> {
  /**
   * The permission that the member of an organisation needs; `self` for data of the person alone
   * (access/roles.ts).
   */
  permission: SessionPermission;
  /**
   * It shows or makes a secret, deletes permanently, or changes who is in an organisation: 403 unless the session began
   * recently (step-up.ts).
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

/** The principal whose keys and endpoints a call reads or changes, and the author of its audit entries. */
export const principalOf = ({
  account,
  author,
}: Pick<SignedInCall<unknown, unknown, unknown>, "account" | "author">) => ({
  ownerId: account.userId,
  author,
});

/** Headers of every response of /portal/api. */
export const portalHeaders = { "cache-control": "no-store" };

/**
 * Whether a route counts towards the limit of an account's changes. Public ones have separate limits (auth/limits.ts).
 */
export const isLimitedChange = ({ access, method }: PortalRoute): boolean => access.required && method !== "GET";

type Empty = TObject<Record<never, never>>;

/** A route that requires a session (401 without). The compiler checks the parts against each other. */
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
  /** It refunds money, or changes what is paid for, so it needs a sign-in of the last 15 minutes with a second factor. */
  movesMoney?: true;
  handle(call: OperatorCall<Static<P>, Static<Q>, Static<B>>): Promise<Static<R>>;
}

/**
 * A route about all accounts, for operators. For everyone else its path does not exist (404). A change needs a sign-in
 * of the last 15 minutes, with a second factor where it moves money.
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
  // No text in the database contains NUL, and PostgreSQL refuses to search for it.
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

/** 409 for the demo's account, which everyone shares: nobody may lock the others out, or see where they are. */
export function requireOwnAccount({ email }: Account, demoEmail: string | null): void {
  if (email === demoEmail)
    throw conflict("Everyone who tries this server shares the demo account. Create an account of your own for this.");
}
