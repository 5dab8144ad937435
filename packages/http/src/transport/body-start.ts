import type { Readable } from "node:stream";

/** More than the request log keeps of a body. */
const maxBytes = 8_192;
/** A slower body is not awaited. */
const timeoutMs = 500;

/**
 * Reads the beginning of a body that is refused and discarded, at most 8 kB: until it ends, breaks off, or half a
 * second is over. Undefined if no bytes arrived, or if a part was read before.
 */
export function readStart(body: Readable): Promise<Buffer | undefined> {
  if (body.readableDidRead) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      body.off("data", add).off("end", finish).off("close", finish);
      resolve(bytes === 0 ? undefined : Buffer.concat(chunks, Math.min(bytes, maxBytes)));
    };
    const add = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes >= maxBytes) finish();
    };
    const timer = setTimeout(finish, timeoutMs);
    // "close" follows an error.
    body.on("error", () => {});
    body.on("data", add).on("end", finish).on("close", finish);
  });
}
