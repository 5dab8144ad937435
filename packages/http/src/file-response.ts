import { Readable } from "node:stream";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { type ByteRange, readByteRange } from "./byte-range.ts";
import type { HttpResponse } from "./http-response.ts";
import { matchesEntityTag } from "./negotiation/entity-tag.ts";
import type { RequestContext } from "./request-context.ts";

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
 * Responds to GET and HEAD: 304 for a known ETag, 206 for a range, 416 for a range after the end, otherwise 200. HEAD
 * opens no file.
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
