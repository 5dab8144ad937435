import { Readable } from "node:stream";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { NetworkQuota } from "@beatmarket/http/admission/network-quota.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";

/**
 * The number of bytes that count as a play: 1.5 s of WAV. Players request fewer bytes at first, and an unread response
 * sends fewer into the buffers.
 */
const playBytes = 262_144;
const retrySeconds = 5;

const downloadLimits = { perNetwork: 64, total: 1_024 };

/** Creates the limits of transfers to clients, by the kind of file. */
export const openTransfers = () => ({
  /** A transfer of a preview may hold an open file, or less than 2.9 MB that are no longer cached. */
  previews: new Transfers({ perNetwork: 16, total: 64 }),
  /** Covers and waveforms. A page shows many images, and each needs only one read. */
  images: new Transfers({ perNetwork: 48, total: 256 }),
  /** Files of uploads in the studio. */
  uploads: new Transfers({ perNetwork: 16, total: 64 }),
  /**
   * Files of orders. A client may download four files concurrently, each in 16 parts, like download programs do.
   * Strangers take no place, because only buyers have links.
   */
  downloads: new Transfers(downloadLimits, tooManyDownloads),
});
export type OpenTransfers = ReturnType<typeof openTransfers>;

/** Limits the number of transfers to clients, for each client network and in total. */
class Transfers {
  /** The maximum number of transfers. */
  readonly max: number;
  readonly #quota: NetworkQuota;
  readonly #refusal: (retryAfterSeconds: number) => ApiError;

  constructor(limits: { perNetwork: number; total: number }, refusal = tooManyFiles) {
    this.max = limits.total;
    this.#quota = new NetworkQuota(limits);
    this.#refusal = refusal;
  }

  /** The number of open transfers. */
  get open(): number {
    return this.#quota.open;
  }

  /** Returns the content of `open` as a stream, which holds a place until its end. Throws a 429 if no place is free. */
  async send(
    context: RequestContext,
    open: () => Iterable<Buffer> | Promise<Readable>,
    onSent?: OnSent,
  ): Promise<Readable> {
    const release = this.#quota.acquire(context.clientAddress);
    if (release === null) throw this.#refusal(retrySeconds);
    try {
      const source = await open();
      // The response destroys this stream directly. An iterator would first wait for the read in progress.
      if (source instanceof Readable && onSent === undefined) return source.once("close", release);
      const stream = Readable.from(onSent === undefined ? source : observeBytes(source, onSent), { objectMode: false });
      // A generator that is destroyed before its first read does not run, so the source is closed here.
      return stream.once("close", () => {
        if (source instanceof Readable) source.destroy();
        release();
      });
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** Receives the number of bytes that were passed to the socket so far. */
type OnSent = (bytes: number) => void;

async function* observeBytes(source: Iterable<Buffer> | Readable, onSent: OnSent): AsyncGenerator<Buffer> {
  let sentBytes = 0;
  for await (const part of source as AsyncIterable<Buffer>) {
    yield part;
    // The socket requests a part only after it has taken the previous parts.
    sentBytes += part.length;
    onSent(sentBytes);
  }
}

/**
 * Returns a function that calls `onPlay` once, when enough of a file was sent from the beginning to count as a play.
 * Undefined for a request that does not begin at the beginning.
 */
export function playOf({ requestHeaders }: RequestContext, fileBytes: number, onPlay: () => void): OnSent | undefined {
  if (!/^(bytes=0-|$)/i.test(requestHeaders.range ?? "")) return undefined;
  let isPlayed = false;
  return (sentBytes) => {
    if (isPlayed || sentBytes < Math.min(playBytes, fileBytes)) return;
    isPlayed = true;
    onPlay();
  };
}

export const tooManyFiles = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many files",
    `Too many files were requested at once; try again in ${retryAfterSeconds} s.`,
    { headers: { "retry-after": String(retryAfterSeconds), "cache-control": "no-store" } },
  );

const tooManyDownloads = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many downloads",
    `A network may have ${downloadLimits.perNetwork} downloads at a time; let one end, or try again in ${retryAfterSeconds} s. What has arrived is kept: downloads resume.`,
    { headers: { "retry-after": String(retryAfterSeconds) }, refusedBy: "limit:order-files" },
  );
