import { Readable } from "node:stream";

/** Large bodies are written in parts of this size, each after the socket has accepted the previous part. */
export const sliceBytes = 65_536;

/**
 * Splits a body into slices. TLS encrypts written bytes immediately into memory of the connection, so that a body written
 * at once would be copied for each client that does not read it. The slices are views, so that all responses share one
 * buffer.
 */
export function slicesOf(body: string | Buffer): Readable {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return Readable.from(partsOf(bytes));
}

/** The parts of a large body, as views. */
export function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}
