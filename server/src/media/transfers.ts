import { Readable } from "node:stream";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { NetworkQuota } from "@beatmarket/http/admission/network-quota.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";

/** A second and a half of WAV. It is more than players request first, and more than an unread response can send. */
const playBytes = 262_144;
const retrySeconds = 5;

const downloadLimits = { perNetwork: 64, total: 1_024 };

/** Transfers of files to clients, by the kind of file. */
export const openTransfers = () => ({
  /** Each may hold 2.9 MB that is no longer cached, or an open file. */
  previews: new Transfers({ perNetwork: 16, total: 64 }),
  /** Covers and waveforms. A page shows many, and each is sent with one read. */
  images: new Transfers({ perNetwork: 48, total: 256 }),
  /** Files of uploads in the studio. */
  uploads: new Transfers({ perNetwork: 16, total: 64 }),
  /**
   * Four concurrent files, each in 16 parts, like download programs fetch them. A link is paid for, so strangers take no
   * place.
   */
  downloads: new Transfers(downloadLimits, tooManyDownloads),
});
export type OpenTransfers = ReturnType<typeof openTransfers>;

/** Transfers of files to clients: a limited number for each client network and in total. */
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

  /** Sends what `open` opens, and holds a place until it is sent or aborted. Returns the refusal when no place is free. */
  async send(
    context: RequestContext,
    open: () => Iterable<Buffer> | Promise<Readable>,
    onSent?: OnSent,
  ): Promise<Readable> {
    const release = this.#quota.acquire(context.clientAddress);
    if (release === null) throw this.#refusal(retrySeconds);
    try {
      const source = await open();
      // Destroyed directly, since an iterator first waits for the read in progress.
      if (source instanceof Readable && onSent === undefined) return source.once("close", release);
      const sent = Readable.from(onSent === undefined ? source : observed(source, onSent), { objectMode: false });
      // A generator does not run before its first read, so destroying it earlier would leave the source open.
      return sent.once("close", () => {
        if (source instanceof Readable) source.destroy();
        release();
      });
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** Receives the number of bytes that the socket has taken so far. */
type OnSent = (bytes: number) => void;

async function* observed(source: Iterable<Buffer> | Readable, onSent: OnSent): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const part of source as AsyncIterable<Buffer>) {
    yield part;
    // The next part is requested when the socket has taken the ones before.
    sent += part.length;
    onSent(sent);
  }
}

/**
 * Calls `onPlay` once, when enough of a file of `fileBytes` was sent from its beginning to count as heard. Undefined for
 * other requests.
 */
export function playOf({ requestHeaders }: RequestContext, fileBytes: number, onPlay: () => void): OnSent | undefined {
  if (!/^(bytes=0-|$)/i.test(requestHeaders.range ?? "")) return undefined;
  let isPlayed = false;
  return (sent) => {
    if (isPlayed || sent < Math.min(playBytes, fileBytes)) return;
    isPlayed = true;
    onPlay();
  };
}

export const tooManyFiles = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many previews",
    `Too many previews were requested at once; try again in ${retryAfterSeconds} s.`,
    { headers: { "retry-after": String(retryAfterSeconds), "cache-control": "no-store" } },
  );

const tooManyDownloads = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many downloads",
    `A network may have ${downloadLimits.perNetwork} downloads at a time; let one end, or try again in ${retryAfterSeconds} s. What has arrived is kept: downloads resume.`,
    { headers: { "retry-after": String(retryAfterSeconds) }, refusedBy: "limit:downloads" },
  );
