import { APITimeoutError, BeatMarketError, NotFoundError, UploadRejectedError } from "./errors.ts";
import type { List } from "./list.ts";
import type { ListUploadsQuery, Upload, UploadKind } from "./models.ts";
import { list, one, segment } from "./resources.ts";
import type { APIPromise } from "./response.ts";
import { pause, transferRetries } from "./retry.ts";
import { type CallOptions, type ParsedResponse, type Sender, unexpected } from "./sender.ts";
import { numberOf } from "./settings.ts";
import { openSource, type Uploadable, type UploadSource } from "./upload-source.ts";

const defaultPartBytes = 8_000_000;
/** The slowest line on which a part still arrives in time. */
const slowestBytesPerMs = 64;
const partHeaders = { "content-type": "application/offset+octet-stream" };
const firstPollMs = 1_000;
const longestPollMs = 8_000;

/** How far an upload is. */
export interface UploadProgress {
  /** What `resume` takes, also in a later process. */
  uploadId: string;
  /** Bytes that the service has. */
  sent: number;
  /** Of the whole file. */
  bytes: number;
}

export interface TransferOptions extends CallOptions {
  /** Called once the upload's id is known, and after each part. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** The size of a part, which is held in memory. A smaller file is one request. Default 8,000,000. */
  partBytes?: number | undefined;
}

export interface UploadOptions extends TransferOptions {
  kind: UploadKind;
  /** Default: the name of the file. */
  filename?: string | undefined;
}

/** An upload while its bytes are sent. `offset` is how many the service has, undefined when that has to be asked. */
interface Transfer {
  id: string;
  source: UploadSource;
  offset: number | undefined;
  options: TransferOptions;
}

/** The files that beats are made of: audio, stems and covers. */
export class Uploads {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /**
   * Uploads a file, in parts and by tus 1.0: a part that fails is sent again from where the service has it. Resolves to the
   * upload, which the service analyses from then on; `wait` waits for that. `timeoutMs` is the limit of each part, and grows
   * by a second for each 64 kB of it. When it rejects, `resume` goes on with the id that `onProgress` got.
   */
  upload(file: Uploadable, { kind, filename, ...options }: UploadOptions): Promise<Upload> {
    return this.#withSource(file, async (source) => {
      const name = filename ?? source.name ?? kind;
      const isOnePart = source.bytes <= partBytesOf(options);
      const part = isOnePart ? await source.read(0, source.bytes) : undefined;
      const created = await this.#send("POST", "/uploads", options, part, {
        "upload-length": String(source.bytes),
        "upload-metadata": `kind ${base64(kind)},filename ${base64(name)}`,
      });
      return this.#transfer({ id: createdId(created), source, offset: part?.length ?? 0, options });
    });
  }

  /**
   * Sends the rest of a file whose upload was begun, also by another process. Rejects with a BeatMarketError if the file has
   * another size, and with a NotFoundError if the upload has expired.
   */
  resume(uploadId: string, file: Uploadable, options: TransferOptions = {}): Promise<Upload> {
    return this.#withSource(file, (source) => this.#transfer({ id: uploadId, source, offset: undefined, options }));
  }

  /** Gets an upload. Rejects with a NotFoundError if the account has none with this id. */
  get(uploadId: string, options: CallOptions = {}): APIPromise<Upload> {
    return one(this.#sender, { path: pathOf(uploadId) }, "upload", options);
  }

  /** Lists uploads, newest first: `await` returns one page, `for await` iterates over all. */
  list(query: ListUploadsQuery = {}, options: CallOptions = {}): List<Upload> {
    return list(this.#sender, "/uploads", "uploads", query, options);
  }

  /**
   * Waits until an upload is ready, and resolves to it. Rejects with an UploadRejectedError if its file was rejected, and
   * with an APITimeoutError after `timeoutMs` (10 minutes).
   */
  async wait(
    uploadId: string,
    { timeoutMs = 600_000, ...options }: Omit<CallOptions, "timeoutMs"> & { timeoutMs?: number | undefined } = {},
  ): Promise<Upload> {
    const endMs = performance.now() + numberOf("timeoutMs", timeoutMs, 1);
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
      const upload = await this.get(uploadId, options);
      if (upload.status === "ready") return upload;
      if (upload.status === "rejected") throw new UploadRejectedError(upload);
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new APITimeoutError(`The upload ${uploadId} is ${upload.status} after ${timeoutMs} ms.`);
      await pause(Math.min(pollMs, leftMs), options.signal);
    }
  }

  /** Has an upload analysed again that was rejected for a reason of the service's own, and returns it. */
  retry(uploadId: string, options: CallOptions = {}): APIPromise<Upload> {
    return one(this.#sender, { method: "POST", path: `${pathOf(uploadId)}/retry` }, "upload", options);
  }

  /** Deletes an upload, complete or not. Rejects with an InvalidRequestError (409) if a beat uses it. */
  async delete(uploadId: string, options: CallOptions = {}): Promise<void> {
    await this.#send("DELETE", pathOf(uploadId), options);
  }

  async #withSource(file: Uploadable, use: (source: UploadSource) => Promise<Upload>): Promise<Upload> {
    const source = await openSource(file);
    try {
      return await use(source);
    } finally {
      await source.close();
    }
  }

  /** Sends what the service does not have. After a failure it asks for the offset, and goes on from there. */
  async #transfer(transfer: Transfer): Promise<Upload> {
    const { id, source, options } = transfer;
    let reported: number | undefined;
    let hasAdvanced = false;
    const report = (sent: number) => {
      if (sent === reported) return;
      hasAdvanced = reported !== undefined;
      reported = sent;
      options.onProgress?.({ uploadId: id, sent, bytes: source.bytes });
    };
    const sendRest = async () => {
      let offset = transfer.offset ?? (await this.#offset(transfer));
      transfer.offset = undefined;
      report(offset);
      while (offset < source.bytes) {
        offset = await this.#append(transfer, offset);
        report(offset);
      }
    };
    await this.#sender.retry(sendRest, {
      what: `upload ${id}`,
      maxRetries: transferRetries(options.maxRetries ?? this.#sender.maxRetries),
      signal: options.signal,
      hasAdvanced: () => {
        const its = hasAdvanced;
        hasAdvanced = false;
        return its;
      },
    });
    return this.get(id, options);
  }

  async #offset({ id, source, options }: Transfer): Promise<number> {
    const { response } = await this.#send("HEAD", pathOf(id), once(options)).catch(async (error) => {
      // The response to HEAD cannot say why.
      if (error instanceof NotFoundError) await this.get(id, options);
      throw error;
    });
    const bytes = Number(response.headers.get("upload-length"));
    if (bytes === source.bytes) return offsetIn(response);
    throw new BeatMarketError(
      `The file has ${source.bytes} bytes, and the upload ${id} is of one with ${bytes}; resume it with the same file.`,
    );
  }

  async #append({ id, source, options }: Transfer, offset: number): Promise<number> {
    const part = await source.read(offset, partBytesOf(options));
    const { response } = await this.#send("PATCH", pathOf(id), once(options), part, {
      "upload-offset": String(offset),
    });
    return offsetIn(response);
  }

  async #send(
    method: string,
    path: string,
    options: CallOptions,
    part?: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<ParsedResponse> {
    const ofPart = part && { ...partHeaders, "upload-checksum": `sha256 ${await digest(part)}` };
    const received = await this.#sender.send({
      method,
      url: this.#sender.url(path),
      headers: { "tus-resumable": "1.0.0", ...headers, ...ofPart },
      content: part,
      hasEnvelope: false,
      waitMs: Math.ceil((part?.length ?? 0) / slowestBytesPerMs),
      options,
    });
    if (received.response.headers.has("tus-resumable")) return received;
    throw unexpected(received.response, "The response is none of tus: is the base URL right?");
  }
}

/** One attempt: the transfer as a whole is what is tried again. */
const once = ({ timeoutMs, signal }: CallOptions): CallOptions => ({ timeoutMs, signal, maxRetries: 0 });

const pathOf = (uploadId: string): string => `/uploads/${segment("upload", uploadId)}`;

const partBytesOf = ({ partBytes = defaultPartBytes }: TransferOptions): number => numberOf("partBytes", partBytes, 1);

/** The id in `Location`. Its host is left alone: the key goes to the base URL only. */
function createdId({ response }: ParsedResponse): string {
  const [, id] = /\/uploads\/([^/?#]+)$/.exec(response.headers.get("location") ?? "") ?? [];
  if (id === undefined) throw unexpected(response, "The response has no address of an upload.");
  return decodeURIComponent(id);
}

function offsetIn(response: ParsedResponse["response"]): number {
  const offset = response.headers.get("upload-offset");
  if (offset === null || !/^\d+$/.test(offset)) throw unexpected(response, "The response has no Upload-Offset.");
  return Number(offset);
}

const digest = async (part: Uint8Array<ArrayBuffer>): Promise<string> =>
  base64(new Uint8Array(await crypto.subtle.digest("SHA-256", part)));

/** Of a text in UTF-8, or of bytes. */
const base64 = (of: string | Uint8Array): string =>
  btoa(String.fromCharCode(...(typeof of === "string" ? new TextEncoder().encode(of.toWellFormed()) : of)));
