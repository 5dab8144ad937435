import { Readable } from "node:stream";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { type ByteRange, readByteRange } from "@beatmarket/http/byte-range.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { formOfLines } from "@beatmarket/http/negotiation/forms.ts";
import { fileRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import { type Export, lastTake, noteTake, positionOf, type Take, take, undoTake } from "./export.ts";
import { type Exports, failed } from "./exports.ts";

export const exportRoutes = (downloads: Downloads) => [
  fileRoute({
    operationId: "exportBeats",
    client: "exports.beats",
    method: "GET",
    path: "/exports/beats.ndjson.gz",
    tag: "Exports",
    summary: "Download all beats",
    description:
      "All listed beats in one file: a line of JSON for each, as `GET /beats/{beat_id}` shows it, in the order of ids, compressed with gzip. The file is at most ten minutes old, unless nothing has changed since it was made. With `GET /changes` from its `X-Change-Position` on, it is an exact copy of the catalogue. Each key may download one export an hour, outside of the plan's limits; resuming a broken download with Range does not count.",
    permission: "beats:read",
    file: {
      name: "beats.ndjson.gz",
      contentType: "application/gzip",
      shown: "position",
      isResumable: true,
      headers: {
        "X-Change-Position": Type.Integer({
          format: "int64",
          minimum: 0,
          description:
            "The position of the export in the change stream: pass it as `after` of the first `GET /changes`.",
        }),
        "Last-Modified": Type.String({ description: "When the export was made." }),
        "Accept-Ranges": Type.String({ description: "bytes: a download can be resumed." }),
        "Content-Disposition": Type.String({ description: "A name for the file." }),
      },
    },
    examples: { success: {}, invalid: { parameters: { page: 2 } } },
    handle: (call) => downloads.respond(call),
  }),
];

/** Downloads that run at a time. A client may fetch a few parts together. */
const maxDownloads = { ofKey: 4, total: 512 };
const downloadRetrySeconds = 5;

type Call = Pick<KeyCall<object, object, object>, "db" | "clock" | "caller" | "context" | "underPermit">;

/** What a Range header asks for: a part of a complete export, or the whole of one that grows. */
interface Part {
  file: Export;
  range: ByteRange | null;
  /** It does not begin with the first byte. */
  isResumed: boolean;
}

/** Serves exports, whole or in part. Each key may download one an hour. */
export class Downloads {
  readonly #exports: Exports;
  readonly #running = new Map<number, number>();
  #total = 0;

  constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** GET and HEAD /exports/beats.ndjson.gz (docs/api/exports.md). */
  async respond(call: Call): Promise<HttpResponse> {
    const { context, underPermit } = call;
    context.form = formOfLines(context.requestHeaders.accept);
    const atHand = await underPermit(() => this.#exports.atHand(context.form));
    if (atHand !== null && matchesEntityTag(context.requestHeaders["if-none-match"], atHand.etag))
      return { status: 304, headers: validatorsOf(atHand) };
    if (context.method === "HEAD")
      return responseOf(atHand ?? (await this.#exports.make(context.form)), null, Readable.from([]));
    const part = await this.#partOf(call, atHand);
    const release = this.#acquire(call.caller.keyId);
    try {
      const { file, range } = await this.#take(call, part, atHand);
      const body = await file.read(range);
      return responseOf(file, range, body.once("close", release));
    } catch (error) {
      release();
      throw error;
    }
  }

  /** What the Range header asks for; null without one, or if If-Range matches no stored export. */
  async #partOf({ db, caller, context, underPermit }: Call, atHand: Export | null): Promise<Part | null> {
    const { range: header, "if-range": validator } = context.requestHeaders;
    if (readByteRange(header, Number.MAX_SAFE_INTEGER) === null) return null;
    const file =
      validator === undefined
        ? // Without If-Range, continue the export that this key downloaded last, even if a newer one exists.
          (this.#exports.find(`"${(await underPermit(() => lastTake(db, caller.keyId)))?.tag}"`) ?? atHand)
        : this.#exports.find(String(validator));
    if (file === undefined || file === null) return null;
    const range = readByteRange(header, file.isComplete ? file.bytes : Number.MAX_SAFE_INTEGER);
    if (range === "unsatisfiable") throw notSatisfiable(file);
    return { file, range: file.isComplete ? range : null, isResumed: range?.first !== 0 };
  }

  /** Chooses the export and the range to send, and counts the download unless it resumes a counted one. */
  async #take({ db, clock, caller, context, underPermit }: Call, part: Part | null, atHand: Export | null) {
    const key = { id: caller.keyId, isLimited: caller.plan !== "internal" };
    const last = await underPermit(() => take(db, key, new Date(clock.nowMs())));
    if (last !== null) {
      if (part?.isResumed === true) return part;
      throw oneAnHour(last);
    }
    try {
      const source = part ?? { file: atHand ?? (await this.#exports.make(context.form)), range: null };
      await underPermit(() => noteTake(db, key.id, source.file.tag));
      if (source.file.failure !== null) throw failed(source.file.failure);
      return source;
    } catch (error) {
      await undoTake(db, key.id);
      throw error;
    }
  }

  /** Takes a slot for a running download. Returns the function that frees it. */
  #acquire(keyId: number): () => void {
    const ofKey = this.#running.get(keyId) ?? 0;
    if (ofKey >= maxDownloads.ofKey || this.#total >= maxDownloads.total) throw tooManyDownloads(ofKey);
    this.#running.set(keyId, ofKey + 1);
    this.#total++;
    return () => {
      const left = (this.#running.get(keyId) ?? 0) - 1;
      if (left > 0) this.#running.set(keyId, left);
      else this.#running.delete(keyId);
      this.#total--;
    };
  }
}

const validatorsOf = (file: Export) => ({
  etag: file.etag,
  "last-modified": file.lastModified,
  "x-change-position": String(file.position),
});

/** The response has no Content-Length while the export is still being made. */
function responseOf(file: Export, range: ByteRange | null, body: Readable): HttpResponse {
  const length = range === null ? file.bytes : range.last - range.first + 1;
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...validatorsOf(file),
      "content-type": "application/gzip",
      "content-disposition": 'attachment; filename="beats.ndjson.gz"',
      "accept-ranges": "bytes",
      ...(file.isComplete && { "content-length": String(length) }),
      ...(range !== null && { "content-range": `bytes ${range.first}-${range.last}/${file.bytes}` }),
    },
    body,
  };
}

const notSatisfiable = (file: Export): ApiError =>
  new ApiError(
    416,
    "invalid_request",
    "Range not satisfiable",
    `The export has ${file.bytes} bytes; the range begins after its end.`,
    { headers: { ...validatorsOf(file), "content-range": `bytes */${file.bytes}` }, refusedBy: "parameter:Range" },
  );

const oneAnHour = ({ tag, waitSeconds }: Take): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Rate limit exceeded",
    `One export per key and hour is allowed; try again in ${waitSeconds} seconds. ${
      tag === null
        ? "Until then, continue with GET /changes."
        : `Until then, continue from the position of your last export: GET /changes?after=${positionOf(tag)}.`
    }`,
    { headers: { "retry-after": String(waitSeconds) }, refusedBy: "limit:export" },
  );

const tooManyDownloads = (ofKey: number): ApiError =>
  ofKey >= maxDownloads.ofKey
    ? new ApiError(
        429,
        "rate_limit_exceeded",
        "Too many downloads",
        `A key may have ${maxDownloads.ofKey} downloads at a time; let one end, or try again in ${downloadRetrySeconds} seconds.`,
        { headers: { "retry-after": String(downloadRetrySeconds) }, refusedBy: "limit:downloads" },
      )
    : new ApiError(
        503,
        "server_error",
        "Service unavailable",
        `Too many exports are being downloaded; try again in ${downloadRetrySeconds} seconds.`,
        { headers: { "retry-after": String(downloadRetrySeconds) }, refusedBy: "overload" },
      );
