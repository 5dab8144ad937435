import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import type { ByteRange } from "@beatmarket/http/byte-range.ts";
import { fileResponse } from "@beatmarket/http/file-response.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Account } from "../access/account.ts";
import type { Queryable } from "../database/connect.ts";
import { filesOfUpload, findUpload } from "../resources/uploads/queries.ts";
import { isUploadId } from "../resources/uploads/upload.ts";
import { findPicture } from "../resources/users/profile.ts";
import type { OpenTransfers } from "./transfers.ts";

interface UploadMediaParts {
  db: Queryable;
  clock: Clock;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** Reads files by hash. `open` throws for a missing file. */
  objects: { open(sha256: string, range?: ByteRange): Promise<Readable> };
  /** The portal's account of a request; null without a session. */
  findAccount(headers: Headers): Promise<Account | null>;
  transfers: Pick<OpenTransfers, "uploads">;
}

/** The kinds of files of an upload, by the name in the address. */
const shownFiles: Readonly<Record<string, string>> = {
  audio: "original",
  "waveform.json": "waveform",
  "cover.jpg": "cover",
};
/** The caching of an upload's files, which only the owner sees. */
const caching = "private, no-cache";

/**
 * GET and HEAD /media/uploads/{id}/audio, /waveform.json and /cover.jpg send the files of an analysed upload that the
 * studio plays and shows. Only the session of the owner may read them. All other requests, even requests with an API
 * key, get 404. Covers are re-encoded. Archives of stems are not served.
 */
export function uploadMediaRoutes(parts: UploadMediaParts): Route[] {
  return [openRoute("/media/uploads/:upload_id/:file", (context) => send(parts, context), { isVital: true })];
}

async function send(
  { db, clock, concurrency, objects, findAccount, transfers }: UploadMediaParts,
  context: RequestContext,
): Promise<HttpResponse> {
  const { upload_id: id = "", file: fileName = "" } = context.params;
  const name = Object.hasOwn(shownFiles, fileName) ? shownFiles[fileName] : undefined;
  if (name === undefined || !isUploadId(id) || context.requestHeaders.cookie === undefined) throw unknownFile();
  const find = async () => {
    const account = await findAccount(context.webHeaders);
    if (account === null) throw unknownFile();
    const { kind } = await findUpload(db, account.userId, id, new Date(clock.nowMs()));
    const files = name === "original" && kind !== "audio" ? [] : await filesOfUpload(db, id);
    return files.find((file) => file.name === name);
  };
  const file = await withRequestTimeout(concurrency.run("media", find, context.receivedMs), context.receivedMs);
  if (file === undefined) throw unknownFile();
  return fileResponse(context, {
    contentType: file.content_type,
    etag: `"${file.sha256.slice(0, 32)}"`,
    bytes: file.bytes,
    cacheControl: caching,
    open: (range) => transfers.uploads.send(context, () => objects.open(file.sha256, range)),
  });
}

const unknownFile = () =>
  notFound(
    "You have no such file. Only its owner's session in the portal can read the files of an upload, after the analysis.",
  );

export interface PictureParts extends Pick<UploadMediaParts, "db" | "concurrency" | "objects"> {
  transfers: Pick<OpenTransfers, "images">;
}

/** The caching of profile pictures. The address contains the hash of the content, so the content never changes. */
const cachedForGood = "public, max-age=31536000, immutable";

/** GET and HEAD /media/users/{id}/picture-{hash}.jpg send the re-encoded picture of a profile to anyone. */
export function profilePictureRoutes(parts: PictureParts): Route[] {
  return [openRoute("/media/users/:user_id/:file", (context) => sendPicture(parts, context), { isVital: true })];
}

async function sendPicture(
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
    cacheControl: cachedForGood,
    open: (range) => transfers.images.send(context, () => objects.open(file.sha256, range)),
  });
}

const unknownPicture = () =>
  notFound("There is no such picture. The avatar_url of a profile has the address of the present one.");
