import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ApiError } from "../errors.ts";
import { errorBody } from "./error-answer.ts";

/** Answers, in the contract's form, a request so broken that it never became one, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
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
    return new ApiError(408, "invalid_request", "Request timeout", "The request was not complete within 30 seconds.");
  return malformed;
}

export const malformed = new ApiError(
  400,
  "invalid_request",
  "Invalid request",
  "This is not a well-formed HTTP request.",
);
