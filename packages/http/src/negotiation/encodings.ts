import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { memoized, preferences } from "./preferences.ts";

/** The supported content codings, best compression first. */
const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** Compressing a smaller body saves too few bytes to be worth the time. */
const minBytes = 1_000;

/**
 * Chooses the content coding with the highest q in the Accept-Encoding header (RFC 9110 12.5.3); among equal q, the
 * better compression. Null if no coding is accepted, if `identity` is preferred, or if the body is too small.
 */
export const chooseEncoding = (accepted: string | string[] | undefined, bodyBytes: number): Encoding | null =>
  typeof accepted !== "string" || bodyBytes < minBytes ? null : negotiate(accepted);

const negotiate = memoized((accepted): Encoding | null => {
  const qualities = new Map(preferences(accepted).map(({ value, q }) => [value === "x-gzip" ? "gzip" : value, q]));
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const identity = qualities.get("identity") ?? 0;
  const [best] = encodings
    .map((name) => ({ name, q: qualityOf(name) }))
    .filter(({ q }) => q > 0 && q >= identity)
    .sort((a, b) => b.q - a.q);
  return best?.name ?? null;
});

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/**
 * Bytes of a buffer for the compressed body. One such buffer is usually enough, since bodies shrink to a tenth. With
 * Node's default, 16 kB for each body would remain until the next garbage collection.
 */
const outputBytes = (bodyBytes: number): number => Math.min(16_384, Math.max(512, bodyBytes >>> 2));

/**
 * Compresses on the thread pool. Brotli at level 5 takes as long as gzip; higher levels compress only a little better.
 */
export const compress = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === "gzip"
    ? toGzip(body, { chunkSize: outputBytes(body.length) })
    : toBrotli(body, {
        chunkSize: outputBytes(body.length),
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      });
