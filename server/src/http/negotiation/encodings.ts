import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** What bodies can be compressed with, best first. */
const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** Below this, compressing saves nothing that the headers do not cost. */
const minBytes = 1_000;
const maxRemembered = 500;
const remembered = new Map<string, Encoding | null>();

/**
 * Which encoding an Accept-Encoding header asks for (RFC 9110 12.5.3): of those we have the one with the highest q, the
 * denser one where they tie; null for none, or where the body is too small to gain.
 */
export function chooseEncoding(accepted: string | string[] | undefined, bodyBytes: number): Encoding | null {
  if (typeof accepted !== "string" || bodyBytes < minBytes) return null;
  let encoding = remembered.get(accepted);
  if (encoding === undefined) {
    encoding = negotiate(accepted);
    if (remembered.size < maxRemembered && accepted.length < 200) remembered.set(accepted, encoding);
  }
  return encoding;
}

function negotiate(accepted: string): Encoding | null {
  const qualities = new Map<string, number>();
  for (const item of accepted.split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    qualities.set(name === "x-gzip" ? "gzip" : name, q === undefined ? 1 : Number(q.slice(2)));
  }
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const identity = qualities.get("identity") ?? 0;
  const [best] = encodings
    .map((name) => ({ name, q: qualityOf(name) }))
    .filter(({ q }) => q > 0 && q >= identity)
    .sort((a, b) => b.q - a.q);
  return best?.name ?? null;
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Compresses in a thread of its own. Level 5 of brotli gives most of what there is to gain for the time of gzip. */
export const compress = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === "gzip"
    ? toGzip(body)
    : toBrotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      });
