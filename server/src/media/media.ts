import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Queryable } from "../database/connection/connect.ts";
import { ApiError, notFound } from "../errors.ts";
import { type Answer, etagOf } from "../http/cache/response-cache.ts";
import { matchesEntityTag } from "../http/negotiation/entity-tag.ts";
import { readByteRange } from "./byte-range.ts";
import { drawCover } from "./cover.ts";
import { LoopRenderer } from "./loop/loop-renderer.ts";

export interface MediaParts {
  db: Queryable;
  /** Hears of each loop that is asked for from its beginning on. */
  onPlay(beatId: number, request: FastifyRequest): void;
}

/**
 * GET and HEAD /media/beats/{id}.wav and .svg, without a key: the loop and the cover that stand in where a beat has
 * none of its own (DESIGN section 2, missing values), so that no link in an answer is dead. 404 for an unknown beat.
 */
export async function mediaRoutes(app: FastifyInstance, { db, onPlay }: MediaParts): Promise<void> {
  const loops = new LoopRenderer();
  app.addHook("onClose", () => loops.close());

  app.get<{ Params: { file: string } }>("/media/beats/:file", async (request, reply) => {
    const [, id, kind] = /^(\d{1,15})\.(wav|svg)$/.exec(request.params.file) ?? [];
    if (id === undefined) throw notFound("A beat's files are /media/beats/{id}.wav and /media/beats/{id}.svg.");
    return kind === "wav" ? sendLoop(request, reply, Number(id)) : sendCover(request, reply, Number(id));
  });

  async function sendLoop(request: FastifyRequest, reply: FastifyReply, id: number): Promise<FastifyReply> {
    const beat = await db
      .selectFrom("beats")
      .innerJoin("genres", "genres.id", "beats.genre_id")
      .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
      .where("beats.id", "=", id)
      .executeTakeFirst();
    if (beat === undefined) throw unknownBeat(id);
    const loop = await loops.find(beat);
    if (request.method === "GET" && /^(bytes=0-|$)/i.test(request.headers.range ?? "")) onPlay(id, request);
    return sendMedia(request, reply, "audio/wav", loop);
  }

  async function sendCover(request: FastifyRequest, reply: FastifyReply, id: number): Promise<FastifyReply> {
    const beat = await db
      .selectFrom("beats")
      .innerJoin("users", "users.id", "beats.user_id")
      .innerJoin("genres", "genres.id", "beats.genre_id")
      .select(["beats.id", "beats.title", "users.display_name as producerName", "genres.name as genreName"])
      .where("beats.id", "=", id)
      .executeTakeFirst();
    if (beat === undefined) throw unknownBeat(id);
    // An SVG opened by itself is a document; nothing in this one may run or load.
    reply.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return sendMedia(request, reply, "image/svg+xml; charset=utf-8", answerOf(Buffer.from(drawCover(beat))));
  }
}

function sendMedia(request: FastifyRequest, reply: FastifyReply, type: string, { body, etag }: Answer): FastifyReply {
  reply.headers({
    "cache-control": "public, max-age=86400",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    etag,
  });
  if (matchesEntityTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const range = acceptsPart(request, etag) ? readByteRange(request.headers.range, body.length) : null;
  if (range === "unsatisfiable")
    throw new ApiError(
      416,
      "invalid_request",
      "Range not satisfiable",
      `The file has ${body.length} bytes; the range begins after its end.`,
      { headers: { "content-range": `bytes */${body.length}`, "cache-control": "no-store" } },
    );
  reply.type(type);
  if (range === null) return reply.send(body);
  return reply
    .code(206)
    .header("content-range", `bytes ${range.first}-${range.last}/${body.length}`)
    .send(body.subarray(range.first, range.last + 1));
}

// RFC 9110 14.2 and 13.1.5: Range counts for GET only, and with If-Range only while the file is still the same.
function acceptsPart({ method, headers }: FastifyRequest, etag: string): boolean {
  return method === "GET" && (headers["if-range"] === undefined || headers["if-range"] === etag);
}

const answerOf = (body: Buffer): Answer => ({ body, etag: etagOf(body) });

const unknownBeat = (id: number): ApiError => notFound(`Beat ${id} does not exist.`);
