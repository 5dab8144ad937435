import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { verifierKey } from "@beatmarket/transparency-log/note.ts";
import { isTilePath } from "@beatmarket/transparency-log/tiles.ts";
import type { LicenseLog } from "./license-log.ts";

export interface LicenseLogPageParts {
  licenseLog: LicenseLog;
  /** Runs work under a permit of the lane of previews. */
  read<T>(context: RequestContext, work: () => Promise<T>): Promise<T>;
}

/**
 * Serves the files of the log without a key (docs/license-log.md, Files): checkpoint, verifier key, and immutable
 * tiles.
 */
export function licenseLogRoutes({ licenseLog, read }: LicenseLogPageParts): Route[] {
  const readTile = async (context: RequestContext): Promise<HttpResponse> => {
    const path = `tile/${Object.values(context.params).join("/")}`;
    const bytes = isTilePath(path) ? await read(context, () => licenseLog.files.read(path)) : null;
    return bytes === null
      ? notFoundResponse
      : fileResponse(bytes, "application/octet-stream", "public, max-age=31536000, immutable");
  };
  const readVerifierKey = async (): Promise<Buffer | null> => {
    const checkpoint = await licenseLog.files.checkpoint();
    const publicKey = await licenseLog.key.publicKey();
    if (checkpoint === null || publicKey === null) return null;
    return Buffer.from(`${verifierKey({ name: checkpoint.origin, publicKey })}\n`);
  };
  const textResponse = (bytes: Buffer | null): HttpResponse =>
    bytes === null ? notFoundResponse : fileResponse(bytes, "text/plain; charset=utf-8", "public, max-age=1");
  return [
    openRoute("/licenses/log/checkpoint", async (context) =>
      textResponse(await read(context, () => licenseLog.files.read("checkpoint"))),
    ),
    openRoute("/licenses/log/key", async (context) => textResponse(await read(context, readVerifierKey))),
    // Tile 1,234,067 of level 0 is tile/0/x001/x234/067. A partial tile ends with .p/12.
    ...[":a/:b", ":a/:b/:c", ":a/:b/:c/:d", ":a/:b/:c/:d/:e", ":a/:b/:c/:d/:e/:f"].map((path) =>
      openRoute(`/licenses/log/tile/${path}`, readTile),
    ),
  ];
}

const fileResponse = (body: Buffer, type: string, cacheControl: string): HttpResponse => ({
  status: 200,
  headers: { "content-type": type, "cache-control": cacheControl, "access-control-allow-origin": "*" },
  body,
});

const notFoundResponse: HttpResponse = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "The license log has no such file. A partial tile is deleted when its full tile is published.\n",
};
