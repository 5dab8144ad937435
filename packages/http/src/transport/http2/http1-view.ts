import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from "node:http2";
import type { Socket } from "node:net";

/** The stream of a response over HTTP/2; undefined over HTTP/1. */
export const streamOf = (response: ServerResponse): ServerHttp2Stream | undefined =>
  (response as unknown as Partial<Http2ServerResponse>).stream;

/**
 * Changes a request to the form of HTTP/1.1, as a gateway would (RFC 9113 8.3.1): `Host` from `:authority`, no
 * pseudo-headers, and `Transfer-Encoding` for a body without a length. Returns undefined if `Host` differs from
 * `:authority`, or if the scheme is not HTTP. Calls `onBody` with the number of bytes of each part of the body.
 */
export function asHttp1(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  socket: Socket,
  onBody: (bytes: number) => void,
): { request: IncomingMessage; response: ServerResponse } | undefined {
  const {
    ":authority": authority,
    ":method": _method,
    ":path": _path,
    ":scheme": scheme = "",
    ...headers
  } = request.headers;
  // Node's list of headers that the client marked as never indexed.
  delete (headers as { [sensitiveHeaders]?: unknown })[sensitiveHeaders];
  // This server serves no other scheme than HTTP's (RFC 9110 7.4).
  if (!/^https?$/i.test(scheme) && request.method !== "CONNECT") return undefined;
  if (authority !== undefined && headers.host !== undefined && headers.host !== authority) return undefined;
  if (authority !== undefined) headers.host = authority;
  const { stream } = request;
  if (!stream.endAfterHeaders && headers["content-length"] === undefined) headers["transfer-encoding"] = "chunked";
  const isClosed = { get: () => stream.destroyed || stream.closed };
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null) => {
    if (chunk !== null) onBody(chunk.length);
    return push(chunk);
  };
  // Replaces Node's socket object of the stream, which throws after the stream has ended, by the connection's socket.
  Object.defineProperties(request, {
    httpVersion: { value: "1.1" },
    httpVersionMajor: { value: 1 },
    headers: { value: headers },
    socket: { value: socket },
    destroyed: isClosed,
  });
  Object.defineProperty(response, "destroyed", isClosed);
  return { request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse };
}

/**
 * Resets a stream whose response is being sent, with RST_STREAM. After `close(code)`, the source that pipes into the
 * stream would call `destroy`, and Node 26.10 would then loop forever at the client's next window update.
 */
export const resetStream = (stream: ServerHttp2Stream): void => {
  stream.destroy(new Error("The stream was reset: its client reads too slowly, or nothing at all."));
};

/** The size of a request's header list, without the overhead that HPACK adds for each header. */
export function headerBytes({ rawHeaders }: Http2ServerRequest): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
