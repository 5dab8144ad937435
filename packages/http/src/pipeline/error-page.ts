import type { ApiError } from "@beatmarket/foundation/errors.ts";
import type { HttpResponse } from "../http-response.ts";
import { memoized, preferences } from "../negotiation/preferences.ts";
import type { RequestContext } from "../request-context.ts";

/** Renders an error as a page. Quotes no part of the URL, which an attacker may have written. */
export type ErrorPage = (error: ApiError, context: RequestContext) => Promise<HttpResponse>;

/**
 * Whether an Accept header prefers HTML to JSON (a browser opened the URL); among equal q, whether HTML comes first.
 */
export const prefersHtml = memoized((accept) => {
  const ranges = preferences(accept);
  const html = ranges.find(({ value }) => value === "text/html");
  if (html === undefined || html.q === 0) return false;
  const json = ranges.find(({ value }) => value === "application/json");
  return json === undefined || html.q > json.q || (html.q === json.q && ranges.indexOf(html) < ranges.indexOf(json));
});
