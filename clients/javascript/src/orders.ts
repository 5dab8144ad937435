import { pathOf } from "./arguments.ts";
import type { CallOptions } from "./call-options.ts";
import { BeatMarketError, ChecksumError, GoneError } from "./errors.ts";
import { download, safeFilename, save, sha256Of, TargetFile, writing } from "./files.ts";
import type { FileKind, OrderFile, OrderFiles } from "./generated/models.ts";
import { operations } from "./generated/operations.ts";
import { Resource } from "./resource.ts";
import { type ResponseInfo, traced } from "./response.ts";
import { transferRetries } from "./retry.ts";
import { runtime } from "./runtime/runtime.ts";

/** Progress of a download. */
export interface DownloadProgress {
  kind: FileKind;
  /** Bytes downloaded so far. */
  received: number;
  /** Size of the whole file. */
  bytes: number;
}

export interface DownloadOptions extends CallOptions {
  /** Called with the bytes that an earlier call downloaded (or 0), and after each chunk. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** A downloaded file of an order, with its data as the service lists it. */
export interface DownloadedFile {
  kind: FileKind;
  filename: string;
  bytes: number;
  sha256: string;
  path: string;
}

/** A downloaded ZIP of all files of an order. */
export interface OrderArchive {
  path: string;
  response: ResponseInfo;
}

/** A file of an order and its destination. */
interface FileRequest {
  orderId: number | string;
  file: OrderFile;
  destination: string;
  options: DownloadOptions;
}

/** The hand-written methods of orders: downloads. */
export abstract class OrdersTransfers extends Resource {
  abstract files(orderId: number | string, options?: CallOptions): Promise<OrderFiles>;

  /** @internal */
  protected async transferDownload(
    orderId: number | string,
    kind: FileKind,
    destination: string,
    options: DownloadOptions = {},
  ): Promise<DownloadedFile> {
    return traced(async () => {
      const files = await this.#listing(orderId, options);
      return this.#download({ orderId, file: fileOf(files, kind, orderId), destination, options });
    });
  }

  /** @internal */
  protected async transferDownloadAll(
    orderId: number | string,
    folder: string,
    options: DownloadOptions = {},
  ): Promise<DownloadedFile[]> {
    return traced(async () => {
      const { mkdir, join } = await runtime.fileSystem();
      const files = await this.#listing(orderId, options);
      await mkdir(folder, { recursive: true }).catch((cause) => {
        throw new BeatMarketError(`The folder ${folder} cannot be created.`, { cause });
      });
      const taken = new Set<string>();
      const downloaded: DownloadedFile[] = [];
      for (const file of files) {
        const name = safeFilename(file.filename, file.kind, taken);
        taken.add(name.toLowerCase());
        downloaded.push(await this.#download({ orderId, file, destination: join(folder, name), options }));
      }
      return downloaded;
    });
  }

  /** @internal */
  protected async transferArchive(
    orderId: number | string,
    path: string,
    options?: CallOptions,
  ): Promise<OrderArchive> {
    const url = this.sender.url(pathOf(operations.downloadOrderArchive, { order_id: orderId }), null, options);
    const attempts = this.sender.attempts(`GET ${url}`, options);
    let etag: string | null = null;
    let response: ResponseInfo | undefined;
    const open = async (at: number) => {
      const rest = etag === null ? {} : { range: `bytes=${at}-`, "if-range": etag };
      const opened = await this.sender.open(url, rest, options, "downloadOrderArchive", attempts.number);
      [etag, response] = [opened.header("etag"), opened.info];
      return opened;
    };
    await traced(() => save(path, download({ open, attempts, overlap: 1 })));
    return { path, response: response as unknown as ResponseInfo };
  }

  /** Lists the files of an order. While the service creates them, retries `maxRetries` times, or as a download does. */
  async #listing(orderId: number | string, options: DownloadOptions, maxRetries?: number): Promise<OrderFile[]> {
    const retries = maxRetries ?? transferRetries(options.maxRetries ?? this.sender.maxRetries);
    const { files } = await this.files(orderId, { ...options, maxRetries: retries });
    if (Array.isArray(files) && files.length > 0) return files;
    throw new BeatMarketError(`The order ${orderId} has no files: its license is refunded.`);
  }

  /** Downloads through the link, without the API key. The destination is either complete or unchanged. */
  async #download(request: FileRequest): Promise<DownloadedFile> {
    const { file, orderId, destination, options } = request;
    const { rename, rm, stat } = await runtime.fileSystem();
    const { kind, filename, bytes, sha256 } = file;
    const existingFile = await stat(destination).catch(() => undefined);
    if (existingFile?.isDirectory())
      throw new BeatMarketError(`The destination ${destination} is a folder; it takes the path of a file.`);
    const downloaded = { kind, filename, bytes, sha256, path: destination };
    if (existingFile?.size === bytes && (await sha256Of(destination)) === sha256) {
      options.onProgress?.({ kind, received: bytes, bytes });
      return downloaded;
    }
    const path = `${destination}.part`;
    for (let resumes = true; ; resumes = false) {
      const bytesBefore = await this.#receive(request, path, resumes);
      const hash = await sha256Of(path);
      if (hash === sha256) {
        await writing(destination, () => rename(path, destination));
        return downloaded;
      }
      await rm(path, { force: true });
      // The part of an earlier call may belong to another file: then the next round downloads the whole file.
      if (bytesBefore === 0)
        throw new ChecksumError(
          `The file ${kind} of order ${orderId} came with other bytes than the service lists (SHA-256 ${hash}, not ${sha256}) and was deleted; download it again.`,
        );
    }
  }

  /** Downloads the file to `path`. Resolves to the number of bytes that an earlier call had downloaded. */
  async #receive({ orderId, file, options }: FileRequest, path: string, resumes: boolean): Promise<number> {
    const { kind, bytes: total } = file;
    const target = await TargetFile.open(path, { resumes });
    try {
      const at = target.bytes > total ? 0 : target.bytes;
      const report = (received: number) => options.onProgress?.({ kind, received, bytes: total });
      report(at);
      const what = `the download of the ${kind} of order ${orderId}`;
      const attempts = this.sender.attempts(what, options, { isTransfer: true });
      let { url } = file;
      const open = async (from: number) => {
        const headers = { "accept-encoding": "identity", ...(from > 0 && { range: `bytes=${from}-` }) };
        try {
          return await this.sender.openLink(url, headers, options, attempts.number);
        } catch (error) {
          if (!(error instanceof GoneError)) throw error;
          ({ url } = fileOf(await this.#listing(orderId, options, 0), kind, orderId));
          return this.sender.openLink(url, headers, options, attempts.number);
        }
      };
      if (at < total)
        for await (const chunk of download({ open, attempts, at, total })) {
          // One byte too many is enough to detect another file.
          await target.write({ at: chunk.at, bytes: chunk.bytes.subarray(0, total + 1 - chunk.at) });
          if (target.bytes > total) break;
          report(target.bytes);
        }
      await target.flush();
      return at;
    } finally {
      await target.close();
    }
  }
}

/** Returns the file of this kind. If the order has no such file, throws a BeatMarketError that lists its files. */
function fileOf(files: OrderFile[], kind: FileKind, orderId: number | string): OrderFile {
  const file = files.find((file) => file.kind === kind);
  if (file !== undefined) return file;
  throw new BeatMarketError(
    `The order ${orderId} has no ${kind}; it has ${files.map((file) => file.kind).join(", ")}.`,
  );
}
