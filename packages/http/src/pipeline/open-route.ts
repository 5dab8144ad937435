import type { Content } from "../http-response.ts";
import type { RequestContext } from "../request-context.ts";
import type { Route } from "./route.ts";

/** A public route outside of the API: pages, files, media, health. Its query string is not validated. */
export const openRoute = (
  path: string,
  handle: (context: RequestContext) => Content | Promise<Content>,
  options: Partial<Pick<Route, "method" | "isVital" | "headers" | "bodyLimits">> = {},
): Route => ({
  operationId: null,
  method: "GET",
  path,
  access: { by: "anyone" },
  ...options,
  handle: ({ context }) => handle(context),
  respond: (response) => response as Content,
});
