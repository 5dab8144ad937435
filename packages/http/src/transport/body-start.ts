import type { Readable } from "node:stream";

/** More bytes than the request log stores. */
const maxBytes = 8_192;
/** The time limit for a slow body. */
const timeoutMs = 500;

/**
 * Reads the beginning of a refused body: at most 8 kB, for at most half a second. Returns undefined if no bytes arrive,
 * or if a part of the body was read before.
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
