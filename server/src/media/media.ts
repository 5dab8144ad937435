import { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import type { Queryable } from "../database/connection/connect.ts";
import { ApiError, notFound } from "../errors.ts";
import { clientNetwork } from "../http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "../http/admission/concurrency-limiter.ts";
import { NetworkQuota } from "../http/admission/network-quota.ts";
import { withRequestTimeout } from "../http/admission/request-timeout.ts";
import { readByteRange } from "../http/byte-range.ts";
import { matchesEntityTag } from "../http/negotiation/entity-tag.ts";
import { type EncodedBytes, etagOf } from "../http/negotiation/representation.ts";
import type { HttpResponse } from "../http/pipeline/http-response.ts";
import { openRoute } from "../http/pipeline/open-route.ts";
import type { RequestContext } from "../http/pipeline/request-context.ts";
import type { Route } from "../http/pipeline/route.ts";
import { TokenBuckets } from "../http/rate-limit/token-buckets.ts";
import { partsOf } from "../http/transport/slices.ts";
import { drawCover } from "./cover.ts";
import type { LoopRenderer } from "./loop/loop-renderer.ts";

export interface MediaParts {
  db: Queryable;
  clock: Clock;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  loops: LoopRenderer;
  /** Called for each loop of which so much was sent that it was heard, from its beginning. */
  onPlay(beatId: number, clientAddress: string): void;
}

/** A rendering takes some 0.1 s of processor time. */
const renderings = { burst: 16, perSecond: 1 };
/** Previews on their way to clients, each of which may hold a loop of 2.9 MB that is no longer cached. */
const transfers = { perNetwork: 16, total: 64 };
const transferRetrySeconds = 5;
/** A second and a half of sound: players first ask for a few bytes, and an unread response gets no further. */
const playBytes = 262_144;

/**
 * GET and HEAD /media/beats/{id}.wav and .svg, without a key: the loop and the cover that stand in where a beat has none of
 * its own, so that no link in a response is dead (docs/api/beats.md, Previews and covers). 404 for an unknown beat. Only the
 * look-up takes a permit, in a lane of its own, so that nothing here delays a call with a key.
 */
export function mediaRoutes(parts: MediaParts): Route[] {
  const previews = new Previews(parts);
  return [
    openRoute(
      "/media/beats/:file",
      (context) => {
        const [, id, kind] = /^(\d{1,15})\.(wav|svg)$/.exec(context.params.file ?? "") ?? [];
        if (id === undefined) throw notFound("A beat's files are /media/beats/{id}.wav and /media/beats/{id}.svg.");
        return kind === "wav" ? previews.respond(Number(id), context) : coverOf(Number(id), context, parts);
      },
      { isVital: true },
    ),
  ];
}

/** The loops, as responses: within limits for each client network. */
class Previews {
  readonly #parts: MediaParts;
  readonly #renderings: TokenBuckets;
  readonly #transfers = new NetworkQuota(transfers);

  constructor(parts: MediaParts) {
    this.#parts = parts;
    this.#renderings = new TokenBuckets(parts.clock, renderings);
  }

  async respond(id: number, context: RequestContext): Promise<HttpResponse> {
    const { db, concurrency, loops } = this.#parts;
    const found = db
      .selectFrom("beats")
      .innerJoin("genres", "genres.id", "beats.genre_id")
      .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
      .where("beats.id", "=", id);
    const beat = await concurrency.run("media", () => found.executeTakeFirst(), context.receivedMs);
    if (beat === undefined) throw unknownBeat(id);
    const rendered = loops.find(beat, () => {
      if (!this.#renderings.take(clientNetwork(context.clientAddress))) throw tooManyPreviews(1);
    });
    const response = fileResponse(context, "audio/wav", await withRequestTimeout(rendered, context.receivedMs));
    if (context.method !== "GET" || !Buffer.isBuffer(response.body)) return response;
    const { body, headers } = response;
    return {
      ...response,
      headers: { ...headers, "content-length": String(body.length) },
      body: this.#transfer(id, body, context),
    };
  }

  /** A loop or a part of it on its way to a client. */
  #transfer(id: number, body: Buffer, { requestHeaders, clientAddress }: RequestContext): Readable {
    const release = this.#transfers.acquire(clientAddress);
    if (release === null) throw tooManyPreviews(transferRetrySeconds);
    const isFromStart = /^(bytes=0-|$)/i.test(requestHeaders.range ?? "");
    const { onPlay } = this.#parts;
    function* parts() {
      let sent = 0;
      let isPlayed = !isFromStart;
      for (const part of partsOf(body)) {
        yield part;
        // The next part is taken when the socket has taken those before.
        sent += part.length;
        if (isPlayed || sent < playBytes) continue;
        isPlayed = true;
        onPlay(id, clientAddress);
      }
    }
    return Readable.from(parts()).once("close", release);
  }
}

async function coverOf(id: number, context: RequestContext, { db, concurrency }: MediaParts): Promise<HttpResponse> {
  const found = db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(["beats.id", "beats.title", "users.display_name as producerName", "genres.name as genreName"])
    .where("beats.id", "=", id);
  const beat = await concurrency.run("media", () => found.executeTakeFirst(), context.receivedMs);
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

const tooManyPreviews = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many previews",
    `Too many previews were requested at once; try again in ${retryAfterSeconds} s.`,
    { headers: { "retry-after": String(retryAfterSeconds), "cache-control": "no-store" } },
  );
