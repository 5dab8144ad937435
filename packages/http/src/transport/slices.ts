import { Readable } from "node:stream";

/** Large bodies are written in parts of this size, the next one when the socket has taken the one before. */
export const sliceBytes = 65_536;

/**
 * A body in slices. TLS encrypts what is written at once into memory of the connection's own, so a body written whole
 * would be copied for each client that does not read it. The slices are views: all responses share one buffer.
 */
export function slicesOf(body: string | Buffer): Readable {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return Readable.from(partsOf(bytes));
}

/** The parts of a large body, as views. */
export function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}
