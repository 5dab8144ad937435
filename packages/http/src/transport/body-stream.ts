import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { type LeastRate, watchRate } from "./least-rate.ts";
import { continueSending, defaultBodyLimits } from "./request-bytes.ts";

/**
 * Streams the body of a request while it arrives, with backpressure and without a limit of size or time. Empty if the
 * request has no body. Fails with 400 if the connection ends early, and with 408 if the client sends more slowly than
 * `leastRate` while the reader waits. The reader may destroy the stream early; the connection stays open for the
 * response.
 */
export function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  leastRate: LeastRate = defaultBodyLimits.leastRate,
): Readable {
  const body = new PassThrough();
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const cutOff = () => {
    if (!request.readableEnded) body.destroy(cutOffError());
  };
  const endWatch = watchRate(
    leastRate,
    // NaN suspends the check while the reader, and not the client, is slow.
    () => (body.writableNeedDrain ? Number.NaN : bytes),
    () => body.destroy(stalled(leastRate)),
  );
  body.once("close", () => {
    endWatch();
    request.unpipe(body).off("data", count).off("close", cutOff).pause();
  });
  // Prevents a crash. The reader of the body also gets the error.
  body.on("error", () => {});
  // Prevents a crash. After an error comes "close", which calls `cutOff`.
  request.on("error", () => {});
  request.on("data", count).on("close", cutOff).pipe(body);
  continueSending(request, response);
  if (request.destroyed) cutOff();
  return body;
}

/** For the request log: the client can no longer read the response. */
const cutOffError = (): ApiError => invalidRequest("The connection was closed before the body was complete.");

const stalled = ({ bytes, windowMs }: LeastRate): ApiError =>
  new ApiError(
    408,
    "invalid_request",
    "Request timeout",
    `Fewer than ${bytes} bytes came within ${windowMs / 1000} seconds. If the upload can be resumed, the bytes that arrived are kept.`,
    { headers: { connection: "close" } },
  );
