import { sessionCookie } from "@beatmarket/authentication/session-cookie.ts";
import { errorSchema, type Hoist, operationsOf } from "@beatmarket/http/openapi/operations.ts";
import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import { isLimitedChange, type PortalRoute } from "./route.ts";

const refusals: Record<number, string> = {
  400: "A parameter or body field is missing, unknown, repeated, of the wrong type or out of range.",
  401: "Nobody is signed in, or the password is wrong.",
  403: "The request does not come from a page of the portal, needs a sign-in within the last 15 minutes (`WWW-Authenticate` says so), or is not allowed to the member's role.",
  404: "The resource does not exist, or belongs to another account.",
  409: "The request conflicts with the present state; `details` says how.",
  412: "The resource has changed since the state that If-Match names.",
  413: "The body has more than 100 kB, or more than 3 MB with the text of a file.",
  415: "The operation does not take the Content-Type, charset or Content-Encoding of the body.",
  429: "Too many attempts; Retry-After says when to try again.",
  500: "An unexpected error of the server.",
  503: "The service is overloaded, or its database is unreachable.",
};

/**
 * Generates the OpenAPI 3.1 document of the portal from the table of portal routes. The document is stored as
 * contract/portal-openapi.json, from which the web app's types are generated.
 */
export function portalDocument(routes: readonly PortalRoute[]): JsonObject {
  const { paths, schemas } = operationsOf(routes, describe);
  const usedStatuses = new Set(routes.flatMap(refusalsOf));
  const usedRefusals = Object.entries(refusals).filter(([status]) => usedStatuses.has(Number(status)));
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
    name,
    description: `The part "${name}" of the portal.`,
  }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Developer portal",
      version: "1.0.0",
      summary: "The API of the portal's web app (pre-release demo). Programs use the public API instead.",
      description:
        "The routes of the portal's pages. A session cookie identifies the person. The routes may change with every release.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/portal/api", description: "The server that serves the portal" }],
    security: [{ session: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookie,
          description: "The cookie of the session.",
        },
      },
      schemas: { ...schemas, ErrorResponse: errorSchema },
      responses: Object.fromEntries(
        usedRefusals.map(([status, description]) => [
          `Error${status}`,
          { description, content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorResponse" } } } },
        ]),
      ),
    },
  };
}

function describe(route: PortalRoute, hoist: Hoist): JsonObject {
  const status = route.status ?? 200;
  const { description, ...schema } = hoist(route.response);
  return {
    ...(!route.access.required && { security: [] }),
    responses: {
      [status]:
        status === 204
          ? { description: "The request succeeded. The response has no body." }
          : { description: description ?? "The request succeeded.", content: { "application/json": { schema } } },
      ...Object.fromEntries(refusalsOf(route).map((code) => [code, { $ref: `#/components/responses/Error${code}` }])),
      ...(route.failure !== undefined && { 400: failureOr400(hoist(route.failure)) }),
    },
  };
}

/** The schema of a 400 response that is either an error of a standard or the portal's error for invalid input. */
function failureOr400({ description, ...schema }: JsonObject): JsonObject {
  const errorResponse = { $ref: "#/components/schemas/ErrorResponse" };
  return {
    description: description ?? "The request cannot be fulfilled yet.",
    content: { "application/json": { schema: { anyOf: [schema, errorResponse] } } },
  };
}

const showsAccount = ({ access }: PortalRoute): boolean => access.required && access.permission !== "self";

function refusalsOfAccess(access: PortalRoute["access"]): number[] {
  if (!access.required) return [];
  if (access.ofOperators === true) return [404];
  return access.permission === "self" ? [401] : [401, 403];
}

function refusalsOf(route: PortalRoute): number[] {
  const { method, access, params, body, refusals: codes = [] } = route;
  return [
    400,
    ...refusalsOfAccess(access),
    ...(method === "GET" ? [] : [403]),
    ...(showsAccount(route) && method !== "GET" ? [409] : []),
    ...(params === undefined ? [] : [404]),
    ...(body === undefined ? [] : [413, 415]),
    ...(isLimitedChange(route) ? [429] : []),
    ...codes,
    500,
    503,
  ]
    .filter((code, index, all) => all.indexOf(code) === index)
    .sort((a, b) => a - b);
}
