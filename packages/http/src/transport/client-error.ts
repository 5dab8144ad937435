import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { closeWithLinger } from "../discard.ts";
import { errorBody } from "../error-response.ts";

/** Connections that were already refused. The parser fails again on further bytes, which are discarded. */
const refusedSockets = new WeakSet<Socket>();

/** Responds to bytes that Node's parser refused, and closes the connection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (refusedSockets.has(socket)) return;
  // During a TLS handshake nothing can be sent yet.
  const isInHandshake = socket instanceof TLSSocket && socket.getProtocol() === null;
  if (error.code === "ECONNRESET" || !socket.writable || isInHandshake || /^ERR_(SSL|TLS)_/.test(error.code ?? "")) {
    socket.destroy();
    return;
  }
  refuseConnection(asApiError(error.code), socket);
}

/** Writes a refusal to a connection without a valid request, and closes the connection. */
export function refuseConnection(refusal: ApiError, socket: Socket): void {
  refusedSockets.add(socket);
  const body = JSON.stringify(errorBody(refusal));
  socket.write(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  closeWithLinger(socket);
}

function asApiError(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return headersTooLarge;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError(
      408,
      "invalid_request",
      "Request timeout",
      "The request was too slow: its headers must arrive within 15 seconds.",
    );
  return malformed;
}

/** Maximum total size of a request's headers. */
export const maxHeaderBytes = 16_384;

export const headersTooLarge = new ApiError(
  431,
  "invalid_request",
  "Headers too large",
  "The headers may have at most 16 kB together.",
);

export const malformed = new ApiError(
  400,
  "invalid_request",
  "Invalid request",
  "This is not a well-formed HTTP request.",
  { headers: { connection: "close" } },
);
