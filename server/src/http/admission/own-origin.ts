import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../../errors.ts";

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
