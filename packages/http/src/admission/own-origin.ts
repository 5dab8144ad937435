import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@beatmarket/foundation/errors.ts";

/** The pages of a sandbox are below a path of the server. */
const originOf = (publicUrl: string): string => new URL(publicUrl).origin;

/**
 * Whether a page of this server made the request. Browsers report the origin of a request, and no page can forge it.
 * Older browsers report it only with Origin.
 */
export function isOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  const { origin, host } = headers;
  if (origin !== undefined && origin !== originOf(publicUrl) && origin !== `https://${host}`) return false;
  return site === undefined ? origin !== undefined : site === "same-origin";
}

/**
 * Throws 403 for a change that a page of another origin sends (CSRF). Browsers send Origin with every change, and pages
 * cannot forge Origin or Host.
 */
export function requireOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin !== undefined && (origin === originOf(publicUrl) || origin === `https://${host}`)) return;
  throw new ApiError(
    403,
    "forbidden",
    "Foreign origin",
    "Changes without an API key are taken only from the pages of this service: open it in a browser, and use API keys for programs.",
    { refusedBy: "origin" },
  );
}

/**
 * Like `requireOwnOrigin`, for a form. Browsers send `Origin: null` from a page that sends no Referer, but report the
 * origin with another header.
 */
export function requireOwnForm(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (headers.origin === "null" && headers["sec-fetch-site"] === "same-origin") return;
  requireOwnOrigin(headers, publicUrl);
}
