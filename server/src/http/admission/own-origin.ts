import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../../errors.ts";

/**
 * Throws a 403 for a change that does not come from a page of ours. Browsers send Origin with every such request, and no
 * page can forge it or Host.
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
