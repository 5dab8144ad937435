import type { ApiError } from "../../errors.ts";
import { escapeHtml } from "../../text/html.ts";
import { htmlPage } from "../html-page.ts";
import { memoized, preferences } from "../negotiation/preferences.ts";
import type { HttpResponse } from "./http-response.ts";

const page = htmlPage({ name: "Beat Marketplace", style: "nav a { margin-right: 16px; color: var(--accent) }" });

/** Whether an Accept header names HTML, and before JSON where both have the same q: a browser opened the address. */
export const prefersHtml = memoized((accept) => {
  const ranges = preferences(accept);
  const html = ranges.find(({ value }) => value === "text/html");
  if (html === undefined || html.q === 0) return false;
  const json = ranges.find(({ value }) => value === "application/json");
  return json === undefined || html.q > json.q || (html.q === json.q && ranges.indexOf(html) < ranges.indexOf(json));
});

/** An error as a page. It quotes nothing of the address, which anybody may have written. */
export function errorPage({ status, message, details }: ApiError, requestId: string): HttpResponse {
  const advice = status === 404 ? "The address may be mistyped, or what was here has moved." : details;
  const { headers, ...response } = page(status, {
    title: `${message} · Beat Marketplace`,
    body: `<h1>${escapeHtml(message)}</h1>
${status === 404 || status >= 500 ? `<p>${escapeHtml(advice)}</p>` : ""}
<nav aria-label="Where to go"><a href="/portal">Portal</a><a href="/explorer">API reference</a></nav>
<p class="faint">Request id ${escapeHtml(requestId)}</p>`,
  });
  return { ...response, headers: { ...headers, vary: "Accept" } };
}
