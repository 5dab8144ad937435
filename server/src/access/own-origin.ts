import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@beatmarket/foundation/errors.ts";

/**
 * Whether a page of this server made the request. Browsers say where a request comes from, and no page can forge it; older
 * ones say so with Origin alone.
 */
export function isOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  const { origin, host } = headers;
  if (origin !== undefined && origin !== publicUrl && origin !== `https://${host}`) return false;
  return site === undefined ? origin !== undefined : site === "same-origin";
}

/**
 * Throws 403 for a change from a page of another origin (CSRF). Browsers send Origin with every change, and pages cannot
 * forge Origin or Host.
 */
export function requireOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin !== undefined && (origin === publicUrl || origin === `https://${host}`)) return;
  throw new ApiError(
    403,
    "forbidden",
    "Foreign origin",
    "The portal takes changes from its own pages only: open it in a browser, and use API keys for programs.",
    { refusedBy: "origin" },
  );
}

/** As `requireOwnOrigin`, for a form: browsers send `Origin: null` from a page that sends no Referer, and say then where it comes from. */
export function requireOwnForm(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (headers.origin === "null" && headers["sec-fetch-site"] === "same-origin") return;
  requireOwnOrigin(headers, publicUrl);
}
