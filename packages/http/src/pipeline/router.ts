import { ApiError, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import FindMyWay from "find-my-way";
import type { RequestContext } from "../request-context.ts";
import type { Area, Route } from "./route.ts";

/** Longer than any request path. Routes validate their ids themselves, after authentication. */
const maxParamLength = 16_384;

/** The routes at a path. */
interface PathEntry {
  prefix: string;
  /** Whether the path ends with `*`, which matches all paths below, and an empty rest. */
  isWildcard: boolean;
  /** By method. */
  routes: ReadonlyMap<string, Route>;
  /** The route of every other method. */
  fallback: Route;
  /** The route of unknown paths in the same area. */
  unknownPath: Route;
  takesMethodOverride: boolean;
}

/**
 * Finds the route of a request by path and method. An unknown path or method matches the fallback of its
 * area, which requires the same access as the area's routes, so unauthenticated callers cannot probe for paths.
 */
export class Router {
  readonly #paths = FindMyWay({ maxParamLength, querystringParser: () => ({}) });
  readonly #unknownPath: PathEntry;
  /** All paths, with their prefixes. */
  readonly paths: readonly string[];

  /** Paths in no area get the fallback of the last area. */
  constructor(areas: readonly Area[]) {
    const paths: string[] = [];
    const near: NearPath = (path) => this.#nearPath(path);
    for (const area of areas)
      for (const prefix of area.prefixes) {
        for (const [path, routes] of Map.groupBy(area.routes, (route) => route.path)) {
          paths.push(prefix + path);
          this.#add(prefix + path, entryOf(prefix, routes, area, near));
        }
        if (prefix === "") continue;
        const served = new Set(area.routes.map(({ path }) => path));
        for (const path of ["", "/*"]) if (!served.has(path)) this.#add(prefix + path, entryOf(prefix, [], area, near));
      }
    this.paths = paths;
    this.#unknownPath = entryOf("", [], areas.at(-1) as Area, near);
  }

  /** Stores the match in the context. */
  match(context: RequestContext): Route {
    const match = this.#paths.find("GET", decodablePath(context.path));
    const entry = match === null ? this.#unknownPath : (match.store as PathEntry);
    const override = context.requestHeaders["x-http-method-override"];
    if (override !== undefined && entry.takesMethodOverride) context.method = readMethod(String(override));
    // `/articles/` is not an article with an empty id.
    const isMisspelt = match !== null && Object.values(match.params).includes("") && !entry.isWildcard;
    const route = isMisspelt ? entry.unknownPath : routeOf(entry, context.method);
    context.route = route;
    context.prefix = entry.prefix;
    if (match !== null) context.params = match.params as Record<string, string>;
    if (route.headers !== undefined) Object.assign(context.headers, route.headers);
    return route;
  }

  /** Returns the path without trailing or repeated slashes if a route is there; otherwise undefined. */
  #nearPath(path: string): string | undefined {
    const near = path.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
    if (near === path) return undefined;
    const match = this.#paths.find("GET", decodablePath(near));
    const isServed = match !== null && (match.store as PathEntry).routes.size > 0;
    return isServed && !Object.values(match.params).includes("") ? near : undefined;
  }

  #add(path: string, entry: PathEntry): void {
    // The library matches only the path. The entry has the methods, so a 405 can list them.
    this.#paths.on("GET", path, () => {}, entry);
  }
}

/** The route of a method: HEAD uses the route of GET. */
function routeOf({ routes, fallback }: PathEntry, method: string): Route {
  const route = routes.get(method) ?? (method === "HEAD" ? routes.get("GET") : undefined);
  return route ?? fallback;
}

type NearPath = (path: string) => string | undefined;

function entryOf(prefix: string, routes: readonly Route[], area: Area, nearPath: NearPath): PathEntry {
  // Only operators may see the methods of operators' paths.
  const isOfOperators = routes.some(
    ({ access }) => access.by === "session" && access.required && access.ofOperators === true,
  );
  const methods = [...new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  const unknownPath = refusal(area, ({ path }) => {
    const suggestion = nearPath(path);
    return notFound(
      `${area.fallback.notFound(quoted(path))}${suggestion === undefined ? "" : ` Did you mean ${quoted(suggestion)}?`}`,
    );
  });
  const fallback =
    methods.length === 0 ? unknownPath : refusal(area, ({ method }) => methodNotAllowed(method, methods.join(", ")));
  return {
    prefix,
    routes: new Map(routes.map((route) => [route.method, route])),
    isWildcard: routes.some(({ path }) => path.endsWith("*")),
    takesMethodOverride: routes.some(({ takesMethodOverride }) => takesMethodOverride === true),
    fallback: {
      ...fallback,
      ...(isOfOperators && {
        access: { by: "session", required: true, permission: "self", ofOperators: true } as const,
      }),
    },
    unknownPath,
  };
}

/** Makes a route that throws a refusal, with the access of its area. */
function refusal({ fallback }: Area, error: (context: RequestContext) => ApiError): Route {
  const { notFound: _, ...access } = fallback;
  return {
    ...access,
    operationId: null,
    method: "GET",
    path: "",
    // Throwing the refusal is cheaper than waiting for a permit.
    isVital: true,
    handle: ({ context }) => {
      throw error(context);
    },
    respond: () => {
      throw new Error("A fallback has no response but its refusal.");
    },
  };
}

function readMethod(text: string): string {
  const method = text.trim().toUpperCase();
  if (/^[A-Z]{1,16}$/.test(method)) return method;
  throw invalidRequest("X-HTTP-Method-Override must be one method, such as PATCH.", "X-HTTP-Method-Override");
}

/**
 * Escapes all percent signs of a path that cannot be decoded. The path then matches no resource and gets the usual
 * refusal.
 */
function decodablePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll("%", "%25");
  }
}

const methodNotAllowed = (method: string, allow: string): ApiError =>
  new ApiError(405, "invalid_request", "Method not allowed", `${method} is not possible here; use ${allow}.`, {
    headers: { allow },
  });
