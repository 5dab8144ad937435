import { APIConnectionError, BeatMarketError, ChecksumError, GoneError } from "./errors.ts";
import type { OrderFile, OrderFileKind } from "./models.ts";
import { transferRetries } from "./retry.ts";
import type { CallOptions, Download, Sender } from "./sender.ts";
import { TargetFile, unwritable } from "./target-file.ts";
import type { WireHead } from "./transport/transport.ts";

/** How far a download is. */
export interface DownloadProgress {
  kind: OrderFileKind;
  /** Bytes that are there. */
  received: number;
  /** Of the whole file. */
  bytes: number;
}

export interface DownloadOptions extends CallOptions {
  /** Called once it is known where the download begins, and after each chunk. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** A file of an order that is on the disk, as the service lists it. */
export interface DownloadedFile {
  kind: OrderFileKind;
  filename: string;
  bytes: number;
  sha256: string;
  path: string;
}

interface Asked {
  sender: Sender;
  /** As listed. */
  file: OrderFile;
  /** Lists it again, for a new link. */
  renew(): Promise<OrderFile>;
  orderId: number | string;
  destination: string;
  options: DownloadOptions;
}

/** Downloads a file by its link, without the API key. The destination has it complete, or is as it was. */
export async function downloadFile(asked: Asked): Promise<DownloadedFile> {
  const { file, orderId, destination, options } = asked;
  const { rename, rm, stat } = await import("node:fs/promises");
  const { kind, filename, bytes, sha256 } = file;
  const found = await stat(destination).catch(() => undefined);
  if (found?.isDirectory())
    throw new BeatMarketError(`The destination ${destination} is a folder; it takes the path of a file.`);
  const report = (received: number) => options.onProgress?.({ kind, received, bytes });
  const downloaded = { kind, filename, bytes, sha256, path: destination };
  if (found?.size === bytes && (await hashOf(destination)) === sha256) {
    report(bytes);
    return downloaded;
  }
  const path = `${destination}.part`;
  for (let keeps = true; ; keeps = false) {
    const bytesBefore = await receive(asked, path, keeps, report);
    const hash = await hashOf(path);
    if (hash === sha256) {
      await rename(path, destination).catch((cause) => {
        throw unwritable(destination, cause);
      });
      return downloaded;
    }
    await rm(path, { force: true });
    // What was there may have been of another file.
    if (bytesBefore === 0)
      throw new ChecksumError(
        `The file ${kind} of order ${orderId} came with other bytes than the service lists (SHA-256 ${hash}, not ${sha256}) and was deleted; download it again.`,
      );
  }
}

/** Brings the file to its full length. Returns how many bytes there were before. */
async function receive(
  { sender, file, renew, orderId, options }: Asked,
  path: string,
  keeps: boolean,
  report: (received: number) => void,
): Promise<number> {
  const target = await TargetFile.open(path, { keeps });
  try {
    if (target.bytes > file.bytes) target.bytes = 0;
    const bytesBefore = target.bytes;
    const download = new PartDownload(target, file.bytes, report);
    let { url } = file;
    const attempt = async () => {
      try {
        await sender.sendWithoutKey({ url, download, options });
      } catch (error) {
        if (!(error instanceof GoneError)) throw error;
        ({ url } = await renew());
        await sender.sendWithoutKey({ url, download, options });
      }
      if (target.bytes < file.bytes)
        throw new APIConnectionError(`The file ended after ${target.bytes} of ${file.bytes} bytes.`);
    };
    report(bytesBefore);
    const repetition = {
      what: `the download of the ${file.kind} of order ${orderId}`,
      maxRetries: transferRetries(options.maxRetries ?? sender.maxRetries),
      signal: options.signal,
      hasAdvanced: () => target.hasAdvanced(),
    };
    if (bytesBefore < file.bytes)
      await sender.retry(attempt, repetition).catch((error) => {
        // The caller compares what came.
        if (!(error instanceof ChecksumError)) throw error;
      });
    await target.flush();
    return bytesBefore;
  } finally {
    await target.close();
  }
}

/** Takes a file of an order over several attempts. Its bytes never change: the checksum decides about what was put together. */
class PartDownload implements Download {
  readonly #target: TargetFile;
  readonly #bytes: number;
  readonly #report: (received: number) => void;

  constructor(target: TargetFile, bytes: number, report: (received: number) => void) {
    this.#target = target;
    this.#bytes = bytes;
    this.#report = report;
  }

  headers(): Record<string, string> {
    const { bytes } = this.#target;
    return { "accept-encoding": "identity", ...(bytes > 0 && { range: `bytes=${bytes}-` }) };
  }

  receive({ status, header }: WireHead): ((chunk: Uint8Array) => Promise<void>) | undefined {
    if (status !== 200 && status !== 206) return undefined;
    const from = status === 206 ? this.#target.bytes : 0;
    if (status === 206 && !header("content-range")?.startsWith(`bytes ${from}-`))
      throw new APIConnectionError(`The response has the bytes ${header("content-range")}, not those from ${from}.`);
    const write = this.#target.writeFrom(from);
    return async (chunk) => {
      const { bytes } = this.#target;
      // One byte too many is enough to be another file.
      await write(chunk.subarray(0, this.#bytes + 1 - bytes));
      if (this.#target.bytes > this.#bytes) throw new ChecksumError(`There are more than ${this.#bytes} bytes.`);
      this.#report(this.#target.bytes);
    };
  }

  hasAdvanced(): boolean {
    return this.#target.hasAdvanced();
  }
}

async function hashOf(path: string): Promise<string> {
  const [{ createHash }, { createReadStream }] = await Promise.all([import("node:crypto"), import("node:fs")]);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
