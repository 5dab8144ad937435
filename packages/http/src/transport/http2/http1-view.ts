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
 * A request as the rest of the service reads requests, which is what a gateway to HTTP/1.1 would make of it (RFC 9113
 * 8.3.1): `Host` from `:authority`, no pseudo-headers, and `Transfer-Encoding` for a body without a length. Undefined for
 * one whose `Host` is another than its `:authority`, and for one of another scheme.
 * `onBody` is called with the bytes of the body as they come.
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
  // Node's list of those that the client never lets be indexed.
  delete (headers as { [sensitiveHeaders]?: unknown })[sensitiveHeaders];
  // Of another scheme than HTTP's nothing is served here (RFC 9110 7.4).
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
  // The socket of the connection, where Node shows one object for each stream, whose use fails once the stream has ended.
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
 * Ends a stream whose response is on its way, with RST_STREAM. `close(code)` would be followed by the `destroy` of
 * whatever pipes into the stream, and Node 26.10 then spins for ever at the client's next window update.
 */
export const resetStream = (stream: ServerHttp2Stream): void => {
  stream.destroy(new Error("The stream was reset: its client reads too slowly, or nothing at all."));
};

/** Bytes of a request's header list, without what HPACK adds to each. */
export function headerBytes({ rawHeaders }: Http2ServerRequest): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
