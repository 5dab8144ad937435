import type { IncomingMessage } from "node:http";
import { ApiError, invalidRequest } from "../../errors.ts";

const defaultMaxBytes = 100_000;

/** Reads a request's body; undefined without one. 413 for more than `maxBytes`. */
export async function readBytes(request: IncomingMessage, maxBytes = defaultMaxBytes): Promise<Buffer | undefined> {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (coding === undefined && (length === undefined || length === "0")) return undefined;
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge(maxBytes));
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    const cutOff = () => reject(invalidRequest("The connection was closed before the body was complete."));
    request.on("error", cutOff);
    request.on("close", cutOff);
  });
}

// The rest of the body may never end, so the connection ends with the response.
const tooLarge = (maxBytes: number): ApiError =>
  new ApiError(
    413,
    "invalid_request",
    "Payload too large",
    `The body may have at most ${Math.floor(maxBytes / 1000)} kB.`,
    { headers: { connection: "close" } },
  );
