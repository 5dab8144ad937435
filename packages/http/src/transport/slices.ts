import { Readable } from "node:stream";

/** Large bodies are written in slices of this size, each after the socket has accepted the previous slice. */
export const sliceBytes = 65_536;

/**
 * Streams a body in slices. TLS encrypts a write immediately, into memory of its own. A body written whole would be
 * held again for each slow client. The slices are views, so that all responses share one buffer.
 */
export function sliceStream(body: string | Buffer): Readable {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return Readable.from(slicesOf(bytes));
}

/** The slices of a large body, as views. */
export function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let index = 0; index < bytes.length; index += sliceBytes) yield bytes.subarray(index, index + sliceBytes);
}
