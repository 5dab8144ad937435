import type { Queryable } from "../database/connection/connect.ts";
import { ApiError, notFound } from "../errors.ts";
import { matchesEntityTag } from "../http/negotiation/entity-tag.ts";
import { type EncodedBytes, etagOf } from "../http/negotiation/representation.ts";
import type { HttpResponse } from "../http/pipeline/http-response.ts";
import { openRoute } from "../http/pipeline/open-route.ts";
import type { RequestContext } from "../http/pipeline/request-context.ts";
import type { Route } from "../http/pipeline/route.ts";
import { readByteRange } from "./byte-range.ts";
import { drawCover } from "./cover.ts";
import type { LoopRenderer } from "./loop/loop-renderer.ts";

export interface MediaParts {
  db: Queryable;
  loops: LoopRenderer;
  /** Called for each loop that is requested from its beginning. */
  onPlay(beatId: number, clientAddress: string): void;
}

/**
 * GET and HEAD /media/beats/{id}.wav and .svg, without a key: the loop and the cover that stand in where a beat has none of
 * its own, so that no link in a response is dead (docs/api/beats.md, Previews and covers). 404 for an unknown beat.
 */
export const mediaRoutes = (parts: MediaParts): Route[] => [
  openRoute("/media/beats/:file", (context) => {
    const [, id, kind] = /^(\d{1,15})\.(wav|svg)$/.exec(context.params.file ?? "") ?? [];
    if (id === undefined) throw notFound("A beat's files are /media/beats/{id}.wav and /media/beats/{id}.svg.");
    return kind === "wav" ? loopOf(Number(id), context, parts) : coverOf(Number(id), context, parts.db);
  }),
];

async function loopOf(id: number, context: RequestContext, { db, loops, onPlay }: MediaParts): Promise<HttpResponse> {
  const beat = await db
    .selectFrom("beats")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
    .where("beats.id", "=", id)
    .executeTakeFirst();
  if (beat === undefined) throw unknownBeat(id);
  const loop = await loops.find(beat);
  if (context.method === "GET" && /^(bytes=0-|$)/i.test(context.requestHeaders.range ?? ""))
    onPlay(id, context.clientAddress);
  return fileResponse(context, "audio/wav", loop);
}

async function coverOf(id: number, context: RequestContext, db: Queryable): Promise<HttpResponse> {
  const beat = await db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(["beats.id", "beats.title", "users.display_name as producerName", "genres.name as genreName"])
    .where("beats.id", "=", id)
    .executeTakeFirst();
  if (beat === undefined) throw unknownBeat(id);
  // An SVG opened by itself is a document; nothing in this one may run or load.
  context.headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'";
  const body = Buffer.from(drawCover(beat));
  return fileResponse(context, "image/svg+xml; charset=utf-8", { body, etag: etagOf(body) });
}

/** 304 for a known ETag, 206 for a range, 416 for one behind the end. */
function fileResponse(context: RequestContext, type: string, { body, etag }: EncodedBytes): HttpResponse {
  const headers = { "cache-control": "public, max-age=86400", "accept-ranges": "bytes", etag };
  if (matchesEntityTag(context.requestHeaders["if-none-match"], etag)) return { status: 304, headers };
  const range = acceptsRange(context, etag) ? readByteRange(context.requestHeaders.range, body.length) : null;
  if (range === "unsatisfiable")
    throw new ApiError(
      416,
      "invalid_request",
      "Range not satisfiable",
      `The file has ${body.length} bytes; the range begins after its end.`,
      { headers: { ...headers, "content-range": `bytes */${body.length}`, "cache-control": "no-store" } },
    );
  if (range === null) return { status: 200, headers: { ...headers, "content-type": type }, body };
  return {
    status: 206,
    headers: {
      ...headers,
      "content-type": type,
      "content-range": `bytes ${range.first}-${range.last}/${body.length}`,
    },
    body: body.subarray(range.first, range.last + 1),
  };
}

// RFC 9110 14.2 and 13.1.5: Range counts for GET only, and with If-Range only while the file is still the same.
function acceptsRange({ method, requestHeaders }: RequestContext, etag: string): boolean {
  const ifRange = requestHeaders["if-range"];
  return method === "GET" && (ifRange === undefined || ifRange === etag);
}

const unknownBeat = (id: number): ApiError => notFound(`Beat ${id} does not exist.`);
