import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@beatmarket/foundation/errors.ts";

/** Removes the path: the public URL of a sandbox has one. */
const originOf = (publicUrl: string): string => new URL(publicUrl).origin;

/**
 * Whether a page of this server made the request. Browsers report this with Sec-Fetch-Site, older browsers only with
 * Origin. No page can forge these headers.
 */
export function isOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  const { origin, host } = headers;
  if (origin !== undefined && origin !== originOf(publicUrl) && origin !== `https://${host}`) return false;
  return site === undefined ? origin !== undefined : site === "same-origin";
}

/**
 * Throws 403 unless a page of this server sent the change (CSRF). Browsers send Origin with every change, and pages
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
 * Like `requireOwnOrigin`, for a form. From a page that sends no Referer, browsers send `Origin: null`. Only
 * Sec-Fetch-Site then reports that the origin is the same.
 */
export function requireOwnForm(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (headers.origin === "null" && headers["sec-fetch-site"] === "same-origin") return;
  requireOwnOrigin(headers, publicUrl);
}
