import { Readable } from "node:stream";
import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { type ByteRange, readByteRange } from "@beatmarket/http/byte-range.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { CalledLink } from "../resources/orders/fulfilment/fulfilment.ts";

/** A file for `fileResponse`. */
export interface SentFile {
  contentType: string;
  etag: string;
  bytes: number;
  cacheControl: string;
  /** Opens the bytes of a range, or all bytes if `range` is undefined. Called only if the response has a body. */
  open(range: ByteRange | undefined): Buffer | Readable | Promise<Readable>;
}

/** Implements `open` for a file in memory. */
export const bytesOf = (body: Buffer, range: ByteRange | undefined): Buffer =>
  range === undefined ? body : body.subarray(range.first, range.last + 1);

/**
 * Responds to GET and HEAD: 304 for a known ETag, 206 for a range, 416 for a range after the end. HEAD opens no file.
 */
export async function fileResponse(context: RequestContext, file: SentFile): Promise<HttpResponse> {
  const { etag, bytes, cacheControl, contentType } = file;
  const headers = { "cache-control": cacheControl, "accept-ranges": "bytes", etag };
  if (matchesEntityTag(context.requestHeaders["if-none-match"], etag)) return { status: 304, headers };
  const range = acceptsRange(context, etag) ? readByteRange(context.requestHeaders.range, bytes) : null;
  if (range === "unsatisfiable")
    throw new ApiError(
      416,
      "invalid_request",
      "Range not satisfiable",
      `The file has ${bytes} bytes; the range begins after its end.`,
      { headers: { ...headers, "content-range": `bytes */${bytes}`, "cache-control": "no-store" } },
    );
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      "content-type": contentType,
      "content-length": String(last - first + 1),
      ...(range !== null && { "content-range": `bytes ${first}-${last}/${bytes}` }),
    },
    body:
      context.method === "HEAD"
        ? Readable.from([])
        : await file.open(last - first + 1 === bytes ? undefined : { first, last }),
  };
}

// Range applies only to GET, and with If-Range only if the file is unchanged (RFC 9110, 14.2 and 13.1.5).
function acceptsRange({ method, requestHeaders }: RequestContext, etag: string): boolean {
  const ifRange = requestHeaders["if-range"];
  return method === "GET" && (ifRange === undefined || ifRange === etag);
}

/** The headers of every response below /downloads/. The file of a signed link belongs to one buyer. */
export const downloadHeaders = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
};

/** The 404 for an invalid link. `source` is the operation that returns links. */
export const unknownLink = (source: string): ApiError =>
  notFound(
    `This is no link to a download: it may be cut off or changed. The buyer gets links from ${source}, or from the order in the portal.`,
  );

export const linkExpired = (details: string, refusedBy: string): ApiError =>
  new ApiError(410, "not_found", "Gone", details, { refusedBy });

export const expiredLink = ({ expires }: CalledLink, source: string): ApiError =>
  linkExpired(
    `This link expired at ${timestamp(new Date(expires * 1_000))}; each lives for 15 minutes. For a new one the buyer asks ${source}, or opens the order in the portal. A broken download resumes with the new link.`,
    "link:expired",
  );
