import { notFound } from "@beatmarket/foundation/errors.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { findPicture } from "../resources/users/profile.ts";
import { fileResponse } from "./file-response.ts";
import type { OpenTransfers } from "./transfers.ts";
import type { UploadMediaParts } from "./upload-files.ts";

export interface PictureParts extends Pick<UploadMediaParts, "db" | "concurrency" | "objects"> {
  transfers: Pick<OpenTransfers, "images">;
}

/** The address names the content. */
const caching = "public, max-age=31536000, immutable";

/** GET and HEAD /media/users/{id}/picture-{hash}.jpg, for anyone: the picture that an account uploaded for its profile, re-encoded. */
export function profilePictureRoutes(parts: PictureParts): Route[] {
  return [openRoute("/media/users/:user_id/:file", (context) => send(parts, context), { isVital: true })];
}

async function send(
  { db, concurrency, objects, transfers }: PictureParts,
  context: RequestContext,
): Promise<HttpResponse> {
  const { user_id: id = "", file: name = "" } = context.params;
  const hash = /^picture-([0-9a-f]{12})\.jpg$/.exec(name)?.[1];
  if (!/^\d{1,15}$/.test(id) || hash === undefined) throw unknownPicture();
  const find = () => findPicture(db, Number(id), hash);
  const file = await withRequestTimeout(concurrency.run("media", find, context.receivedMs), context.receivedMs);
  if (file === undefined) throw unknownPicture();
  return fileResponse(context, {
    contentType: "image/jpeg",
    etag: `"${file.sha256.slice(0, 32)}"`,
    bytes: file.bytes,
    cacheControl: caching,
    open: (range) => transfers.images.send(context, () => objects.open(file.sha256, range)),
  });
}

const unknownPicture = () =>
  notFound("There is no such picture. The avatar_url of a profile has the address of the present one.");
