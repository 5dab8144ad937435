import { pathOf } from "./arguments.ts";
import type { CallOptions } from "./call-options.ts";
import { APITimeoutError, BeatMarketError, NotFoundError, UploadRejectedError } from "./errors.ts";
import type { Upload, UploadKind } from "./generated/models.ts";
import { operations } from "./generated/operations.ts";
import { isObject, unexpected } from "./reading.ts";
import { Resource } from "./resource.ts";
import { type ResponseInfo, traced } from "./response.ts";
import { pause } from "./retry.ts";
import { runtime } from "./runtime/runtime.ts";
import { numberOf } from "./settings.ts";

const defaultPartBytes = 8_000_000;
/** The slowest connection on which a part still arrives in time. */
const slowestBytesPerMs = 64;
const firstPollMs = 1_000;
const longestPollMs = 8_000;

/** A file that the program opened, such as a `FileHandle` of node:fs/promises. It is read from its start, and stays open. */
export interface OpenedFile {
  stat(): Promise<{ size: number }>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/** An upload's content: the path of a file (on Node, Deno and Bun), an opened file, a `Blob` or `File`, or bytes. */
export type Uploadable = string | OpenedFile | Blob | Uint8Array;

/** Progress of an upload. */
export interface UploadProgress {
  /** The id for `resume`, which works in a later process too. */
  uploadId: string;
  /** Number of bytes that the service has received. */
  sent: number;
  /** Size of the whole file. */
  bytes: number;
}

export interface TransferOptions extends CallOptions {
  /** Called when the upload's id is known, and after each part. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** The size of a part, held in memory. A file that fits into one part is sent in one request. Default 8,000,000. */
  partBytes?: number | undefined;
}

export interface UploadOptions extends TransferOptions {
  kind: UploadKind;
  /** Default: the name of the file, or the kind for content without a name. */
  filename?: string | undefined;
}

/** A file that is read in parts. */
interface Source {
  /** Undefined for bytes without a name. */
  name?: string | undefined;
  bytes: number;
  /** Reads at most `count` bytes from `offset` on. */
  read(offset: number, count: number): Promise<Uint8Array<ArrayBuffer>>;
  close?(): Promise<void>;
}

/**
 * An upload whose bytes are sent. `offset` is the number of bytes that the service has; undefined if it must be
 * requested.
 */
interface Transfer {
  id: string;
  source: Source;
  offset?: number | undefined;
  options: TransferOptions;
}

/** The hand-written methods of uploads. */
export abstract class UploadsTransfers extends Resource {
  abstract get(uploadId: string, options?: CallOptions): Promise<Upload>;

  /** @internal */
  protected async transferUpload(file: Uploadable, uploadOptions: UploadOptions): Promise<Upload> {
    return this.#withSource(file, async (source) => {
      const { kind, filename = source.name ?? kind, ...options } = uploadOptions ?? {};
      if (typeof kind !== "string" || typeof filename !== "string")
        throw new BeatMarketError(
          'An upload takes its kind, such as { kind: "audio" }, and a filename that is a text.',
        );
      const part = source.bytes <= partBytesOf(options) ? await source.read(0, source.bytes) : undefined;
      const created = await this.#send("POST", "/uploads", options, part, {
        "upload-length": String(source.bytes),
        "upload-metadata": `kind ${base64(kind)},filename ${base64(filename)}`,
      });
      // The host in the address is ignored: the key is sent only to the base URL.
      const [, id] = /\/uploads\/([^/?#]+)$/.exec(created.headers.get("location") ?? "") ?? [];
      if (id === undefined) throw unexpected(created, "The response has no address of an upload.");
      return this.#transfer({ id: decodeURIComponent(id), source, offset: part?.length ?? 0, options });
    });
  }

  /** @internal */
  protected async transferResume(uploadId: string, file: Uploadable, options: TransferOptions = {}): Promise<Upload> {
    return this.#withSource(file, (source) => this.#transfer({ id: uploadId, source, options }));
  }

  /** @internal */
  protected async transferWait(
    uploadId: string,
    { timeoutMs = 600_000, ...options }: CallOptions = {},
  ): Promise<Upload> {
    return traced(async () => {
      const endMs = performance.now() + numberOf("timeoutMs", timeoutMs, 1);
      for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
        const upload = await this.get(uploadId, options);
        if (upload.status === "ready") return upload;
        if (upload.status === "rejected") throw new UploadRejectedError(upload);
        const leftMs = endMs - performance.now();
        if (leftMs <= 0) throw new APITimeoutError(`The upload ${uploadId} is ${upload.status} after ${timeoutMs} ms.`);
        await pause(Math.min(pollMs, leftMs), options.signal);
      }
    });
  }

  async #withSource(file: Uploadable, use: (source: Source) => Promise<Upload>): Promise<Upload> {
    return traced(async () => {
      const source = await sourceOf(file);
      try {
        return await use(source);
      } finally {
        await source.close?.();
      }
    });
  }

  /** Sends the bytes that the service does not have. After a failure it requests the offset, and continues from there. */
  async #transfer({ id, source, offset, options }: Transfer): Promise<Upload> {
    const attempts = this.sender.attempts(`upload ${id}`, options, { isTransfer: true });
    let reported: number | undefined;
    const report = (sent: number) => {
      if (sent === reported) return;
      if (reported !== undefined) attempts.restart();
      reported = sent;
      options.onProgress?.({ uploadId: id, sent, bytes: source.bytes });
    };
    for (let received = offset; received === undefined || received < source.bytes || reported === undefined; ) {
      try {
        received ??= await this.#offset(id, source, options);
        report(received);
        if (received < source.bytes) received = await this.#append(id, source, received, options);
        report(received);
      } catch (failure) {
        received = undefined;
        await attempts.after(failure);
      }
    }
    return this.get(id, options);
  }

  async #offset(id: string, source: Source, options: TransferOptions): Promise<number> {
    const response = await this.#send("HEAD", uploadPath(id), once(options)).catch(async (error) => {
      // The response to HEAD has no body with a reason, so a GET fetches it.
      if (error instanceof NotFoundError) await this.get(id, options);
      throw error;
    });
    const bytes = Number(response.headers.get("upload-length"));
    if (bytes === source.bytes) return offsetIn(response);
    throw new BeatMarketError(
      `The file has ${source.bytes} bytes, and the upload ${id} is for a file with ${bytes}; resume it with the same file.`,
    );
  }

  async #append(id: string, source: Source, offset: number, options: TransferOptions): Promise<number> {
    const part = await source.read(offset, partBytesOf(options));
    const headers = { "upload-offset": String(offset) };
    return offsetIn(await this.#send("PATCH", uploadPath(id), once(options), part, headers));
  }

  async #send(
    method: string,
    path: string,
    options: CallOptions,
    part?: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<ResponseInfo> {
    const ofPart = part && {
      "content-type": "application/offset+octet-stream",
      "upload-checksum": `sha256 ${base64(new Uint8Array(await crypto.subtle.digest("SHA-256", part)))}`,
    };
    const { response } = await this.sender.send({
      method,
      url: this.sender.url(path, null, options),
      headers: { "tus-resumable": "1.0.0", ...headers, ...ofPart },
      body: part,
      operation: null,
      operationId: operationIds[method],
      extraMs: Math.ceil((part?.length ?? 0) / slowestBytesPerMs),
      options,
    });
    if (response.headers.has("tus-resumable")) return response;
    throw unexpected(response, "The response is not from a tus server: is the base URL right?");
  }
}

/** Limits a request to one attempt: the transfer as a whole is retried. */
const once = (options: CallOptions): CallOptions => ({ ...options, maxRetries: 0 });

/** The operations of tus, which have no methods of their own. */
const operationIds: Readonly<Record<string, string>> = {
  POST: "createUpload",
  HEAD: "getUploadOffset",
  PATCH: "appendToUpload",
};

const uploadPath = (id: string): string => pathOf(operations.getUpload, { upload_id: id });

const partBytesOf = ({ partBytes = defaultPartBytes }: TransferOptions): number => numberOf("partBytes", partBytes, 1);

function offsetIn(response: ResponseInfo): number {
  const offset = response.headers.get("upload-offset");
  if (offset === null || !/^\d+$/.test(offset)) throw unexpected(response, "The response has no Upload-Offset.");
  return Number(offset);
}

/** Encodes a text (as UTF-8) or bytes. */
const base64 = (of: string | Uint8Array): string =>
  btoa(String.fromCharCode(...(typeof of === "string" ? new TextEncoder().encode(of.toWellFormed()) : of)));

/** Opens an upload's content. Rejects with a BeatMarketError if the file cannot be read. */
async function sourceOf(file: Uploadable): Promise<Source> {
  if (typeof file === "string") return openFile(file);
  if (isOpened(file)) return sourceOfOpened(file, "file");
  if (file instanceof Uint8Array)
    return { bytes: file.length, read: async (offset, count) => file.slice(offset, offset + count) };
  if (!(file instanceof Blob))
    throw new BeatMarketError("An upload takes the path of a file, a FileHandle, a Blob, or bytes.");
  const { size: bytes, name } = file as Blob & { name?: string };
  return { name, bytes, read: async (at, count) => new Uint8Array(await file.slice(at, at + count).arrayBuffer()) };
}

const isOpened = (file: unknown): file is OpenedFile =>
  isObject(file) && typeof file.stat === "function" && typeof file.read === "function";

async function openFile(path: string): Promise<Source> {
  const { open, basename } = await runtime.fileSystem();
  const file = await open(path, "r").catch((cause) => {
    throw new BeatMarketError(`The file ${path} cannot be read.`, { cause });
  });
  const source = await sourceOfOpened(file, `file ${path}`);
  return { ...source, name: basename(path), close: () => file.close() };
}

async function sourceOfOpened(file: OpenedFile, shown: string): Promise<Source> {
  const reading = <T>(work: Promise<T>) =>
    work.catch((cause) => {
      throw new BeatMarketError(`The ${shown} cannot be read.`, { cause });
    });
  const { size: bytes } = await reading(file.stat());
  const read: Source["read"] = async (offset, count) => {
    const part = new Uint8Array(Math.min(count, bytes - offset));
    for (let at = 0; at < part.length; ) {
      const { bytesRead } = await reading(file.read(part, at, part.length - at, offset + at));
      if (bytesRead === 0)
        throw new BeatMarketError(`The ${shown} became shorter while it was uploaded; upload it again.`);
      at += bytesRead;
    }
    return part;
  };
  return { bytes, read };
}
