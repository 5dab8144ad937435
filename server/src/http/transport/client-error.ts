import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { ApiError } from "../../errors.ts";
import { errorBody } from "../pipeline/error-response.ts";

/** Gives the response time to arrive. */
const lingerMs = 2_000;

/** Responds to bytes that Node's parser refused, and closes the connection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // During a TLS handshake nothing can be sent yet.
  const isInHandshake = socket instanceof TLSSocket && socket.getProtocol() === null;
  if (error.code === "ECONNRESET" || !socket.writable || isInHandshake || /^ERR_(SSL|TLS)_/.test(error.code ?? "")) {
    socket.destroy();
    return;
  }
  // A client that never closes would hold the connection forever.
  setTimeout(() => socket.destroy(), lingerMs).unref();
  const refusal = asApiError(error.code);
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
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
  { headers: { connection: "close" } },
);
