import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import Type from "typebox";
import type { Clock } from "../clock.ts";
import type { Queryable } from "../database/connection/connect.ts";
import { ApiError, invalidRequest, notFound } from "../errors.ts";
import { readBody } from "../http/input/body.ts";
import { readParameters } from "../http/input/parameters.ts";
import { clientAddress, isForwardedHttps } from "../http/tls/forwarded.ts";
import { httpsRequired } from "../http/tls/plain-http.ts";
import { countAttempt } from "./auth/attempts.ts";
import { requireOwnOrigin } from "./own-origin.ts";
import { isLimitedChange, type PortalAccount, type PortalRoute } from "./route.ts";

export interface PortalApiParts {
  routes: readonly PortalRoute[];
  db: Queryable;
  clock: Clock;
  /** Finds who is signed in; null for no session, or one that has ended. */
  findAccount(headers: Headers, setCookies: (cookies: readonly string[]) => void): Promise<PortalAccount | null>;
  /** The origin of the portal's pages, without a trailing slash. */
  publicUrl: string;
  /** True behind a proxy that ends TLS (`TLS=off`). */
  behindProxy: boolean;
}

/** Of an account, whatever it changes: more than hands can do, and no way to fill the database or somebody's server. */
const changeLimit = { limit: 120, windowSeconds: 60 };

/**
 * Serves the table of portal routes under /portal/api, each in the order: HTTPS, own origin (403), session (401), limit
 * of changes (429), validity (400), existence (404). Errors have the contract's form (section 7).
 */
export async function portalApi(scope: FastifyInstance, parts: PortalApiParts): Promise<void> {
  scope.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (parts.behindProxy && !isForwardedHttps(request.headers)) throw httpsRequired();
    const { allow } = request.routeOptions.config;
    if (allow !== undefined) throw methodNotAllowed(request, allow);
    requireOwnOrigin(request.method, request.headers, parts.publicUrl);
  });
  scope.setNotFoundHandler((request) => {
    throw notFound(`There is nothing at ${request.url.split("?")[0]}.`);
  });
  // Bodies are read against the route's schema (body.ts).
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  for (const [path, routes] of Map.groupBy(parts.routes, (route) => route.path)) {
    for (const route of routes) scope.route({ method: route.method, url: path, handler: handlerOf(route, parts) });
    const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    scope.route({
      method: scope.supportedMethods.filter((method) => !methods.includes(method)) as HTTPMethods[],
      url: path,
      config: { allow: methods.join(", ") },
      handler: () => {
        throw new Error("The onRequest hook refuses this method.");
      },
    });
  }
}

function handlerOf(route: PortalRoute, parts: PortalApiParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const headers = webHeaders(request);
    const setCookies = (cookies: readonly string[]) => {
      for (const cookie of cookies) reply.header("set-cookie", cookie);
    };
    const account = await parts.findAccount(headers, setCookies);
    if (route.access === "signed-in" && account === null) throw signedOut();
    if (account !== null && isLimitedChange(route))
      await countAttempt(parts.db, `changes of account ${account.userId}`, changeLimit, parts.clock.nowMs());
    const answer = await route.handle({
      db: parts.db,
      clock: parts.clock,
      account,
      headers,
      setCookies,
      author: {
        clientAddress: clientAddress(request.headers, request.socket.remoteAddress ?? "", parts.behindProxy),
        userAgent: request.headers["user-agent"] ?? "",
      },
      params: route.params === undefined ? {} : readParameters(route.params, Object.entries(request.params as object)),
      query: readParameters(route.query ?? noParameters, queryOf(request.url)),
      body:
        route.body === undefined
          ? {}
          : readBody(route.body, {
              contentType: request.headers["content-type"],
              bytes: request.body as Buffer | undefined,
            }),
    });
    reply.code(route.status ?? 200);
    return route.status === 204
      ? reply.send()
      : reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
  };
}

const noParameters = Type.Object({});

/** 400 for NUL, which no text in the database holds, and which the database refuses to look for. */
function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf("?");
  const query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
  for (const [name, value] of query)
    if (value.includes("\0")) throw invalidRequest(`The ${name} parameter must not contain the character NUL.`, name);
  return query;
}

function webHeaders({ headers }: FastifyRequest): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) copy.append(name, each);
  return copy;
}

const signedOut = (): ApiError =>
  new ApiError(401, "unauthorized", "Not signed in", "Sign in to the portal; your session may have ended.", {
    refusedBy: "session",
  });

const methodNotAllowed = (request: FastifyRequest, allow: string): ApiError =>
  new ApiError(405, "invalid_request", "Method not allowed", `${request.method} is not possible here; use ${allow}.`, {
    headers: { allow },
  });
