import type { Readable } from "node:stream";
import { WaveformMeter } from "@beatmarket/audio/analysis/waveform.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { type ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import type { ByteRange } from "@beatmarket/http/byte-range.ts";
import { bytesOf, fileResponse } from "@beatmarket/http/file-response.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { type EncodedBytes, etagOf } from "@beatmarket/http/negotiation/representation.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { slicesOf } from "@beatmarket/http/transport/slices.ts";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Account } from "../access/account.ts";
import type { Queryable } from "../database/connect.ts";
import { shownSql } from "../resources/beats/state.ts";
import { DrawnCovers, type StandIn, type StandInBeat } from "./stand-in.ts";
import { type OpenTransfers, playOf, tooManyFiles } from "./transfers.ts";

const headerBytes = 44;
const bytesPerFrame = 4;
const points = 400;
/** The waveform reads only every eighth frame, which suffices for the height of a bar. */
const stride = 8;

/** The waveform of a WAV file by `encodeWav`, as JSON in the format of audiowaveform, version 2. */
function waveformOf(wav: Buffer): Buffer {
  const frames = Math.floor((wav.length - headerBytes) / bytesPerFrame);
  const mono = new Float32Array(Math.ceil(frames / stride));
  for (let n = 0; n < mono.length; n++) mono[n] = wav.readInt16LE(headerBytes + n * stride * bytesPerFrame) / 32_768;
  const meter = new WaveformMeter(Math.round(wav.readUInt32LE(24) / stride));
  meter.add(mono);
  return Buffer.from(JSON.stringify(meter.waveform(points)));
}

export interface MediaParts {
  db: Queryable;
  clock: Clock;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** Reads files by hash. `open` throws for a missing file. */
  objects: { open(sha256: string, range?: ByteRange): Promise<Readable> };
  standIn: StandIn;
  transfers: Pick<OpenTransfers, "previews" | "images">;
  /** The portal's account of a request; null without a session. */
  findAccount(headers: Headers): Promise<Account | null>;
  /** Called once for each preview of which enough was sent, from the beginning, to count as a play. */
  onPlay(beatId: number, clientAddress: string): void;
}

/** The maximum number of cached waveforms. A waveform has about 2 kB. */
const maxWaveforms = 500;

/** The limit of renderings for a network. A rendering takes about 0.1 s of processor time. */
const renderings = { burst: 16, perSecond: 1 };

const standInCaching = "public, max-age=86400";
/** The caching of stored files. An address contains the hash of the content, so the content never changes. */
const storedCaching = "public, max-age=31536000, immutable";
/** The caching of files that only the producer may see. */
const ownCaching = "private, no-cache";

/** The names and types of stored files in addresses. No other file of a beat is served, such as the master. */
const storedNames: Readonly<Record<string, string>> = {
  preview: "mp3",
  waveform: "json",
  "waveform-detail": "json",
  cover: "jpg",
  "cover-small": "webp",
};

const smallCover = "cover-small";

/**
 * GET and HEAD, without a key (docs/api/beats.md, Previews and covers):
 * - /media/beats/{id}/{name}-{hash}.{type}: the beat's preview, waveforms and cover from the storage. The hash is the
 *   first 12 digits of the SHA-256, so the content of an address never changes. A small cover has the hash of the
 *   cover.
 * - /media/beats/{id}.wav and .svg: a generated sound and drawing for a beat without stored files, so that every link
 *   in a response works. .png: the same drawing for sites that show no SVG.
 * - /media/beats/{id}.json: the waveform of the preview or of the generated sound, for players.
 * Only the producer's session can read the files of a beat that is not public (`visibleBeat`); others get 404. Only the
 * look-up takes a permit, in a separate lane, so that media never delay a call with a key.
 */
export function mediaRoutes(parts: MediaParts): Route[] {
  const beatFiles = new BeatFiles(parts);
  return [
    openRoute(
      "/media/beats/:file",
      (context) => {
        const [, id, kind] = /^(\d{1,15})\.(wav|svg|png|json)$/.exec(context.params.file ?? "") ?? [];
        if (id === undefined) throw notFound("A beat's files are /media/beats/{id}.wav, .svg, .png and .json.");
        if (kind === "json") return beatFiles.waveform(Number(id), context);
        if (kind === "wav") return beatFiles.standIn(Number(id), context);
        return beatFiles.drawnCover(Number(id), kind === "png" ? "png" : "svg", context);
      },
      { isVital: true },
    ),
    openRoute(
      "/media/beats/:beat_id/:file",
      (context) => {
        const { beat_id: id = "", file = "" } = context.params;
        const [, name = "", hash = "", type] = /^([a-z-]+)-([0-9a-f]{12})\.(\w+)$/.exec(file) ?? [];
        if (!/^\d{1,15}$/.test(id) || !Object.hasOwn(storedNames, name) || storedNames[name] !== type)
          throw unknownFile(id);
        return beatFiles.stored(Number(id), { name, hash }, context);
      },
      { isVital: true },
    ),
  ];
}

/** Serves the files of beats, within limits for each client network. */
class BeatFiles {
  readonly #parts: MediaParts;
  readonly #renderings: TokenBuckets;
  /** The waveforms of generated sounds, by the ETag of the sound. */
  readonly #waveforms = new LRUCache<string, Buffer>({ max: maxWaveforms });

  readonly #covers = new DrawnCovers();

  constructor(parts: MediaParts) {
    this.#parts = parts;
    this.#renderings = new TokenBuckets(parts.clock, renderings);
  }

  async stored(id: number, { name, hash }: { name: string; hash: string }, context: RequestContext) {
    // Beats of older releases have no small cover. The cover is sent instead.
    const names = name === smallCover ? [smallCover, "cover"] : [name];
    const file = await this.#lookUp(context, () =>
      visibleBeat(this.#parts.db, id)
        .innerJoin("beat_files as file", "file.beat_id", "beats.id")
        .innerJoin("beat_files as named", "named.beat_id", "beats.id")
        .select(["file.sha256", "file.bytes", "file.content_type as contentType"])
        .where("file.name", "in", names)
        .where("named.name", "=", name === smallCover ? "cover" : name)
        .where(sql<boolean>`named.sha256 like ${`${hash}%`}`)
        .orderBy(sql`file.name = ${name}`, "desc")
        .executeTakeFirst(),
    );
    if (file === undefined) throw unknownFile(String(id));
    const isPreview = name === "preview";
    const transfers = isPreview ? this.#parts.transfers.previews : this.#parts.transfers.images;
    return fileResponse(context, {
      contentType: file.contentType,
      etag: `"${file.sha256.slice(0, 32)}"`,
      bytes: file.bytes,
      cacheControl: file.isPublic ? storedCaching : ownCaching,
      open: (range) =>
        transfers.send(
          context,
          () => this.#parts.objects.open(file.sha256, range),
          isPreview && file.isPublic ? this.#play(id, file.bytes, context) : undefined,
        ),
    });
  }

  async standIn(id: number, context: RequestContext): Promise<HttpResponse> {
    const beat = await this.#lookUp(context, () =>
      visibleBeat(this.#parts.db, id)
        .innerJoin("genres", "genres.id", "beats.genre_id")
        .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
        .executeTakeFirst(),
    );
    if (beat === undefined) throw unknownBeat(id);
    const { body, etag } = await this.#rendered(beat, context);
    return fileResponse(context, {
      contentType: "audio/wav",
      etag,
      bytes: body.length,
      cacheControl: beat.isPublic ? standInCaching : ownCaching,
      open: (range) =>
        this.#parts.transfers.previews.send(
          context,
          () => slicesOf(bytesOf(body, range)),
          this.#play(id, body.length, context),
        ),
    });
  }

  /** The waveform of the stored or generated preview. 404 for a preview on another server. */
  async waveform(id: number, context: RequestContext): Promise<HttpResponse> {
    const beat = await this.#lookUp(context, () =>
      visibleBeat(this.#parts.db, id)
        .innerJoin("genres", "genres.id", "beats.genre_id")
        .leftJoin("beat_files as file", (join) =>
          join.onRef("file.beat_id", "=", "beats.id").on("file.name", "=", "waveform"),
        )
        .select([
          "beats.id",
          "beats.tempo",
          "beats.key_code as keyCode",
          "genres.name as genreName",
          "beats.audio_url as audioUrl",
          "file.sha256",
        ])
        .executeTakeFirst(),
    );
    if (beat === undefined) throw unknownBeat(id);
    if (beat.sha256 !== null) return this.stored(id, { name: "waveform", hash: beat.sha256.slice(0, 12) }, context);
    if (beat.audioUrl !== null) throw unknownFile(String(id));
    const { body: wav, etag } = await this.#rendered(beat, context);
    const body = this.#waveforms.get(etag) ?? waveformOf(wav);
    this.#waveforms.set(etag, body);
    return fileResponse(context, {
      contentType: "application/json",
      etag: etagOf(body),
      bytes: body.length,
      cacheControl: beat.isPublic ? standInCaching : ownCaching,
      open: (range) => bytesOf(body, range),
    });
  }

  async drawnCover(id: number, type: "svg" | "png", context: RequestContext): Promise<Content> {
    const beat = await this.#lookUp(context, () =>
      visibleBeat(this.#parts.db, id)
        .innerJoin("users", "users.id", "beats.user_id")
        .innerJoin("genres", "genres.id", "beats.genre_id")
        .select(["beats.id", "beats.title", "users.display_name as producerName", "genres.name as genreName"])
        .executeTakeFirst(),
    );
    if (beat === undefined) throw unknownBeat(id);
    // A browser that opens an SVG directly treats it as a document, so nothing in it may run or load.
    context.headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'";
    const cacheControl = beat.isPublic ? standInCaching : ownCaching;
    if (type === "png") {
      const painting = this.#covers.png(beat, () => this.#admitRendering(context));
      const body = await withRequestTimeout(painting, context.receivedMs);
      return fileResponse(context, {
        contentType: "image/png",
        etag: etagOf(body),
        bytes: body.length,
        cacheControl,
        open: (range) => bytesOf(body, range),
      });
    }
    const drawing = this.#covers.svg(beat);
    Object.assign(context.headers, {
      "cache-control": cacheControl,
      "accept-ranges": "bytes",
      vary: "Accept-Encoding",
    });
    if (context.requestHeaders.range === undefined) return drawing;
    const { contentType, etag, body } = drawing;
    return fileResponse(context, {
      contentType,
      etag,
      bytes: body.length,
      cacheControl,
      open: (range) => bytesOf(body, range),
    });
  }

  #admitRendering({ clientAddress }: RequestContext): void {
    if (!this.#renderings.take(clientNetwork(clientAddress))) throw tooManyFiles(1);
  }

  #rendered(beat: StandInBeat, context: RequestContext): Promise<EncodedBytes> {
    const preview = this.#parts.standIn.find(beat, () => this.#admitRendering(context));
    return withRequestTimeout(Promise.resolve(preview), context.receivedMs);
  }

  /**
   * Looks up a beat. Undefined if the request may not see it: only the producer's session sees a beat that is not
   * public.
   */
  async #lookUp<Found extends { isPublic: boolean; userId: number }>(
    context: RequestContext,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const { concurrency, findAccount } = this.#parts;
    const file = await concurrency.run("media", find, context.receivedMs);
    if (file === undefined || file.isPublic) return file;
    if (context.requestHeaders.cookie === undefined) return undefined;
    const finding = concurrency.run("media", () => findAccount(context.webHeaders), context.receivedMs);
    const account = await withRequestTimeout(finding, context.receivedMs);
    return account?.userId === file.userId ? file : undefined;
  }

  #play(id: number, fileBytes: number, context: RequestContext) {
    return playOf(context, fileBytes, () => this.#parts.onPlay(id, context.clientAddress));
  }
}

/**
 * Selects a beat, and whether its files are public. The files of an uploaded beat are public if it is listed or sold,
 * those of another beat unless it was taken down.
 */
const visibleBeat = (db: Queryable, id: number) =>
  db
    .selectFrom("beats")
    .leftJoin("beat_productions as production", "production.beat_id", "beats.id")
    .select([
      "beats.user_id as userId",
      sql<boolean>`${sql.raw(shownSql)} or (production.beat_id is null and not is_taken_down)`.as("isPublic"),
    ])
    .where("beats.id", "=", id);

const unknownBeat = (id: number): ApiError => notFound(`Beat ${id} does not exist.`);

const unknownFile = (id: string): ApiError =>
  notFound(`Beat ${id} has no such file; the addresses of its current files are in GET /v1/beats/${id}.`);
