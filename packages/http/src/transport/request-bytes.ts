import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { type LeastRate, watchRate } from "./least-rate.ts";

/** Limits of a request's body. */
export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
  leastRate: LeastRate;
}

export const defaultBodyLimits: BodyLimits = {
  maxBytes: 100_000,
  timeoutMs: 30_000,
  leastRate: { bytes: 1_000, windowMs: 10_000 },
};

/**
 * Reads the body of a request; undefined without a body. Throws 413 if it is too large, 408 if it is too slow, and 400
 * if the connection ends early. Sends 100 Continue only after the first checks (RFC 9110 10.1.1), so that a client that
 * waits for it need not send a refused body.
 */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, timeoutMs, leastRate }: BodyLimits = defaultBodyLimits,
): Promise<Buffer | undefined> {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (coding === undefined && (length === undefined || length === "0")) return undefined;
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  continueSending(request, response);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () => {
      clearTimeout(timer);
      endWatch();
      request.off("data", add).off("end", complete).off("close", cutOff);
    };
    const refuse = (error: ApiError) => {
      stop();
      request.pause();
      reject(error);
    };
    const add = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) refuse(tooLarge(maxBytes));
    };
    const complete = () => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const cutOff = () => refuse(invalidRequest("The connection was closed before the body was complete."));
    const timer = setTimeout(() => refuse(tooSlow(timeoutMs)), timeoutMs);
    const endWatch = watchRate(
      leastRate,
      () => bytes,
      () => refuse(tooSlow(timeoutMs)),
    );
    request.on("data", add).on("end", complete).on("close", cutOff);
    // "close" follows an error.
    request.on("error", () => {});
  });
}

/** Sends 100 Continue to a client that waits for it. */
export function continueSending(request: IncomingMessage, response: ServerResponse): void {
  if (request.httpVersion === "1.1" && /^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
}

const tooLarge = (maxBytes: number): ApiError =>
  new ApiError(
    413,
    "invalid_request",
    "Payload too large",
    `The body may have at most ${maxBytes < 1_000 ? `${maxBytes} bytes` : `${Math.floor(maxBytes / 1_000)} kB`}.`,
  );

const tooSlow = (timeoutMs: number): ApiError =>
  new ApiError(
    408,
    "invalid_request",
    "Request timeout",
    `The body was too slow: it must arrive within ${timeoutMs / 1000} seconds, without long pauses.`,
    { headers: { connection: "close" } },
  );
