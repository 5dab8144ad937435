import { ApiError, conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import { checksumAlgorithms } from "./checksum.ts";
import type { Receiver } from "./receive.ts";
import { type TusCall, TusUploads } from "./tus-uploads.ts";
import type { ResumableUpload } from "./upload-store.ts";
import { Writers } from "./writers.ts";

export const tusVersion = "1.0.0";
/** The media type of a part of a file. */
export const partType = "application/offset+octet-stream";
const extensions = ["creation", "creation-with-upload", "termination", "expiration", "checksum"];
/** The limit of an owner's PATCH and HEAD requests, which do not count towards the limits of the plan. */
export const partRate = { burst: 600, perSecond: 20 };
/** The request headers that are passed to @tus/server. */
const protocolHeaders = [
  "tus-resumable",
  "upload-length",
  "upload-offset",
  "upload-metadata",
  "content-type",
  "content-length",
];
/**
 * The response headers that are taken from @tus/server. Excludes CORS headers, since pages of other origins have no
 * key.
 */
const responseHeaders = ["location", "upload-offset", "upload-length", "upload-metadata", "cache-control"];

const loadServer = onFirstUse(() => import("./tus-server.ts"));

export interface TusParts<Upload extends ResumableUpload, New> extends Receiver<Upload, New> {
  /** The owner of the uploads of a request. */
  ownerOf(call: TusCall): number;
  /** The maximum size of a file. */
  maxBytes: number;
}

/**
 * The handlers of resumable uploads with tus 1.0, for a program's routes `/uploads` and `/uploads/:upload_id`.
 */
export class Tus<Upload extends ResumableUpload = ResumableUpload, New = unknown> {
  readonly #parts: TusParts<Upload, New>;
  readonly #writers: Writers;
  readonly #requests: TokenBuckets;

  constructor(parts: TusParts<Upload, New>) {
    this.#parts = parts;
    this.#writers = new Writers(() => parts.clock.monotonicMs());
    this.#requests = new TokenBuckets(parts.clock, partRate);
  }

  /** Ends all writes. Received bytes are stored. */
  stop(): Promise<void> {
    return this.#writers.stop();
  }

  /** OPTIONS: returns the supported features. */
  capabilities(): HttpResponse {
    return {
      status: 204,
      headers: {
        "tus-version": tusVersion,
        "tus-extension": extensions.join(","),
        "tus-max-size": String(this.#parts.maxBytes),
        "tus-checksum-algorithm": checksumAlgorithms.join(","),
      },
    };
  }

  /** POST: begins an upload. May contain the first bytes. */
  async create(call: TusCall): Promise<HttpResponse> {
    if (hasBody(call)) requirePartType(call);
    const uploads = this.#uploadsOf(call);
    try {
      return await this.#respond(call, uploads);
    } catch (error) {
      // Deletes the new upload, since the caller does not get its URL and cannot continue it.
      if (uploads.createdId !== null) await this.#remove(call, uploads.createdId).catch(() => {});
      throw error;
    }
  }

  /** HEAD: returns the number of received bytes. */
  async offset(call: TusCall): Promise<HttpResponse> {
    this.#requireToken(call);
    return this.#respond(call, this.#uploadsOf(call));
  }

  /** PATCH: appends bytes. */
  async append(call: TusCall): Promise<HttpResponse> {
    this.#requireToken(call);
    requirePartType(call);
    if (call.context.requestHeaders["upload-length"] !== undefined)
      throw invalidRequest(
        "Upload-Length is for POST: the size of an upload does not change. Leave it out.",
        "Upload-Length",
      );
    return this.#respond(call, this.#uploadsOf(call));
  }

  /** DELETE: ends an upload, and deletes its bytes. Also for callers that do not use tus. */
  async terminate(call: TusCall): Promise<HttpResponse> {
    if (call.context.requestHeaders["tus-resumable"] !== undefined) requireVersion(call);
    await this.#remove(call, call.params.upload_id ?? "");
    return { status: 204 };
  }

  async #remove(call: TusCall, id: string): Promise<void> {
    const { store, ownerOf } = this.#parts;
    const owner = ownerOf(call);
    await call.underPermit(() => store.find(owner, id));
    await this.#writers.interrupt(id);
    await call.underPermit(() => store.remove(owner, id));
  }

  #uploadsOf(call: TusCall): TusUploads<Upload, New> {
    return new TusUploads({ ...this.#parts, writers: this.#writers, call, owner: this.#parts.ownerOf(call) });
  }

  async #respond(call: TusCall, uploads: TusUploads<Upload, New>): Promise<HttpResponse> {
    requireVersion(call);
    const { context, params } = call;
    for (const name of ["Upload-Defer-Length", "Upload-Concat"])
      if (context.requestHeaders[name.toLowerCase()] !== undefined)
        throw invalidRequest(`${name} is not supported; send a whole file, and its size as Upload-Length.`, name);
    const headers = new Headers();
    for (const name of protocolHeaders) {
      const value = context.requestHeaders[name];
      if (value !== undefined) headers.set(name, protocolValue(name, String(value)));
    }
    const { respondByTus } = await loadServer();
    try {
      const response = await respondByTus(
        {
          method: context.method,
          headers,
          openBody: context.isRead ? null : () => uploads.openBody(),
          id: params.upload_id ?? null,
          urlOf: (id) => `${context.publicUrl}${context.prefix}/uploads/${id}`,
        },
        uploads,
      );
      if (response.failure !== null) throw uploads.body?.errored ?? asApiError(response.failure, uploads);
      return { status: response.status, headers: { ...pick(response.headers), ...expiryOf(uploads) } };
    } finally {
      uploads.body?.destroy();
    }
  }

  #requireToken(call: TusCall): void {
    if (this.#requests.take(String(this.#parts.ownerOf(call)))) return;
    throw new ApiError(
      429,
      "rate_limit_exceeded",
      "Rate limit exceeded",
      `An account may send ${partRate.perSecond} parts a second; send larger ones, or a whole file in one request.`,
      { headers: { "retry-after": "1" }, refusedBy: "limit:upload-parts" },
    );
  }
}

function requireVersion({ context }: TusCall): void {
  if (context.requestHeaders["tus-resumable"] === tusVersion) return;
  throw new ApiError(
    412,
    "invalid_request",
    "Precondition failed",
    `Uploads speak tus ${tusVersion}: send the header Tus-Resumable: ${tusVersion}, or use a tus client.`,
    { headers: { "tus-version": tusVersion } },
  );
}

/** Normalizes a header for @tus/server: a media type without parameters, a list without spaces. */
function protocolValue(name: string, value: string): string {
  if (name === "content-type") return mediaTypeOf(value) === partType ? partType : value;
  return name === "upload-metadata"
    ? value
        .split(",")
        .map((pair) => pair.trim())
        .join(",")
    : value;
}

const mediaTypeOf = (contentType: string): string => (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

const pick = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => responseHeaders.includes(name)));

/** Upload-Expires of an incomplete upload. Empty for a complete upload. */
const expiryOf = ({ upload }: { upload: ResumableUpload | null }): Record<string, string> =>
  upload === null || upload.received === upload.bytes ? {} : { "upload-expires": upload.expires_at.toUTCString() };

/** Converts refusals of @tus/server to ApiErrors. Returns any other error unchanged. */
function asApiError(thrown: unknown, { upload }: { upload: ResumableUpload | null }): unknown {
  const { status_code: status, body } = thrown as { status_code?: number; body?: string };
  if (thrown instanceof ApiError || status === undefined || status >= 500) return thrown;
  if (status === 409)
    return conflict(`Upload-Offset must be the upload's offset, ${upload?.received}; continue from there.`);
  if (status === 413)
    return new ApiError(
      413,
      "invalid_request",
      "Payload too large",
      "The body has more bytes than the file has left by its Upload-Length.",
    );
  const problem = body?.trim().replace(/\.$/, "") ?? "";
  const name = Object.keys(headerRules).find((header) => problem.toLowerCase().includes(header.toLowerCase()));
  return name === undefined ? invalidRequest(`${problem}.`) : invalidRequest(headerRules[name] ?? "", name);
}

/** The rules for the headers of the protocol, as sentences of an error. */
const headerRules: Readonly<Record<string, string>> = {
  "Upload-Length": "Upload-Length must be the size of the whole file in bytes, a whole number such as 1048576.",
  "Upload-Offset": "Upload-Offset must be where the body begins, a whole number; HEAD returns the upload's offset.",
  "Upload-Metadata": `Upload-Metadata must be pairs separated by commas, each a name, a space and the value in Base64, no name twice, such as: kind ${btoa("audio")},filename ${btoa("beat.wav")}`,
};

function requirePartType({ context }: TusCall): void {
  if (mediaTypeOf(context.requestHeaders["content-type"] ?? "") === partType) return;
  throw new ApiError(
    415,
    "invalid_request",
    "Unsupported media type",
    `Send the bytes with Content-Type: ${partType}.`,
  );
}

const hasBody = ({ context: { requestHeaders } }: TusCall): boolean =>
  requestHeaders["transfer-encoding"] !== undefined || Number(requestHeaders["content-length"] ?? 0) > 0;
