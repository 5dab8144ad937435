import { Readable } from "node:stream";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { type ByteRange, readByteRange } from "@beatmarket/http/byte-range.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { formOfLines } from "@beatmarket/http/negotiation/forms.ts";
import { fileRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import { type Export, type ExportTake, findLastTake, positionOf, setTakenTag, takeExport, undoTake } from "./export.ts";
import { type Exports, exportFailed } from "./exports.ts";

export const exportRoutes = (downloads: Downloads) => [
  fileRoute({
    operationId: "exportBeats",
    client: "exports.beats",
    method: "GET",
    path: "/exports/beats.ndjson.gz",
    tag: "Exports",
    summary: "Download all beats",
    description:
      "Returns all listed beats in one file, compressed with gzip: one line of JSON for each, as in `GET /beats/{beat_id}`, in the order of ids. The file is at most ten minutes old, or older if nothing has changed since. Together with `GET /changes` from its `X-Change-Position` on, it is an exact copy of the catalogue. Each key may download one export an hour, outside of the plan's limits. Resuming an interrupted download with Range does not count.",
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
          description: "The position of the export in the change stream: the `after` of the first `GET /changes`.",
        }),
        "Last-Modified": Type.String({ description: "When the export was made." }),
        "Accept-Ranges": Type.String({ description: "The value `bytes`: a download can be resumed." }),
        "Content-Disposition": Type.String({ description: "A name for the file." }),
      },
    },
    examples: { success: {}, invalid: { parameters: { page: 2 } } },
    handle: (call) => downloads.respond(call),
  }),
];

/** The maximum numbers of concurrent downloads. A client may fetch a few parts concurrently. */
const maxDownloads = { ofKey: 4, total: 512 };
const downloadRetrySeconds = 5;

type Call = Pick<KeyCall<object, object, object>, "db" | "clock" | "caller" | "context" | "underPermit">;

/** The part that a Range header requests of a complete export; the whole of a running export. */
interface RequestedPart {
  file: Export;
  range: ByteRange | null;
  /** Whether the part begins after the first byte. */
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
    const current = await underPermit(() => this.#exports.current(context.form));
    if (current !== null && matchesEntityTag(context.requestHeaders["if-none-match"], current.etag))
      return { status: 304, headers: validatorsOf(current) };
    if (context.method === "HEAD")
      return responseOf(current ?? (await this.#exports.make(context.form)), null, Readable.from([]));
    const part = await this.#partOf(call, current);
    const release = this.#acquire(call.caller.keyId);
    try {
      const { file, range } = await this.#takeExport(call, part, current);
      const body = await file.read(range);
      return responseOf(file, range, body.once("close", release));
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Reads the Range header. Null without the header, or if If-Range matches no stored export. */
  async #partOf({ db, caller, context, underPermit }: Call, current: Export | null): Promise<RequestedPart | null> {
    const { range: header, "if-range": validator } = context.requestHeaders;
    if (readByteRange(header, Number.MAX_SAFE_INTEGER) === null) return null;
    const file =
      validator === undefined
        ? // Without If-Range, continue the export that this key downloaded last, even if a newer one exists.
          (this.#exports.find(`"${(await underPermit(() => findLastTake(db, caller.keyId)))?.tag}"`) ?? current)
        : this.#exports.find(String(validator));
    if (file === undefined || file === null) return null;
    const range = readByteRange(header, file.isComplete ? file.bytes : Number.MAX_SAFE_INTEGER);
    if (range === "unsatisfiable") throw notSatisfiable(file);
    return { file, range: file.isComplete ? range : null, isResumed: range?.first !== 0 };
  }

  /** Chooses the export and the range to send, and counts the download unless it resumes a counted one. */
  async #takeExport(
    { db, clock, caller, context, underPermit }: Call,
    part: RequestedPart | null,
    current: Export | null,
  ) {
    const key = { id: caller.keyId, isLimited: caller.plan !== "internal" };
    const last = await underPermit(() => takeExport(db, key, new Date(clock.nowMs())));
    if (last !== null) {
      if (part?.isResumed === true) return part;
      throw oneAnHour(last);
    }
    try {
      const source = part ?? { file: current ?? (await this.#exports.make(context.form)), range: null };
      await underPermit(() => setTakenTag(db, key.id, source.file.tag));
      if (source.file.failure !== null) throw exportFailed(source.file.failure);
      return source;
    } catch (error) {
      await undoTake(db, key.id);
      throw error;
    }
  }

  /** Counts a running download. Returns a function that ends the count. Throws 429 or 503 above the maximum. */
  #acquire(keyId: number): () => void {
    const ofKey = this.#running.get(keyId) ?? 0;
    if (ofKey >= maxDownloads.ofKey || this.#total >= maxDownloads.total) throw tooManyDownloads(ofKey);
    this.#running.set(keyId, ofKey + 1);
    this.#total++;
    return () => {
      const remaining = (this.#running.get(keyId) ?? 0) - 1;
      if (remaining > 0) this.#running.set(keyId, remaining);
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

/** The response with an export. It has no Content-Length if the export is still running. */
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

const oneAnHour = ({ tag, waitSeconds }: ExportTake): ApiError =>
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
