import type { FramedResponse, PageFrame } from "../html-page.ts";
import type { RequestContext } from "../request-context.ts";
import type { Route } from "./route.ts";

/** Renders the pages of routes inside a site's frame. Other responses, such as redirects and files, stay unchanged. */
export const framedRoutes = (frameFor: (context: RequestContext) => PageFrame, routes: readonly Route[]): Route[] =>
  routes.map((route) => ({
    ...route,
    handle: async (call) => {
      const response = await route.handle(call);
      if (!isFramed(response)) return response;
      const { within, ...page } = response;
      const { body, policy } = within(frameFor(call.context));
      return { ...page, body, headers: { ...page.headers, "content-security-policy": policy } };
    },
  }));

const isFramed = (value: unknown): value is FramedResponse =>
  typeof value === "object" && value !== null && "within" in value && typeof value.within === "function";
