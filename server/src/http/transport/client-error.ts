import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { ApiError } from "../../errors.ts";
import { errorBody } from "../pipeline/error-response.ts";

/** For the answer to arrive. */
const lingerMs = 2_000;

/** Answers, in the contract's form, a request so broken that it never became one, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // In a handshake there is nothing yet that an answer could be sent by.
  const isInHandshake = socket instanceof TLSSocket && socket.getProtocol() === null;
  if (error.code === "ECONNRESET" || !socket.writable || isInHandshake || /^ERR_(SSL|TLS)_/.test(error.code ?? "")) {
    socket.destroy();
    return;
  }
  // One who never closes would keep the connection for good.
  setTimeout(() => socket.destroy(), lingerMs).unref();
  const answer = asApiError(error.code);
  const body = JSON.stringify(errorBody(answer));
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function asApiError(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError(431, "invalid_request", "Headers too large", "The headers may have at most 16 kB together.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError(
      408,
      "invalid_request",
      "Request timeout",
      "The request came too slowly: its headers have 15 seconds, all of it has 30.",
    );
  return malformed;
}

export const malformed = new ApiError(
  400,
  "invalid_request",
  "Invalid request",
  "This is not a well-formed HTTP request.",
);
