import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from "node:http2";
import { buffer } from "node:stream/consumers";
import type { Target } from "./raw-bytes.ts";

export interface Http2Response {
  status: number;
  /** Without pseudo-headers. */
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** Opens a connection over HTTP/2; the caller closes it. */
export async function connectHttp2({ port, ca }: Target): Promise<ClientHttp2Session> {
  const session = connect(`https://localhost:${port}`, { ca });
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

/** Sends a request. A body is sent whole, without a Content-Length unless `headers` has one. */
export function send(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): ClientHttp2Stream {
  const stream = session.request(headers, { endStream: body === undefined });
  stream.on("error", () => {});
  if (body !== undefined) stream.end(body);
  return stream;
}

/** Resolves to the complete response. Rejects when the stream ends without a response. */
export async function response(stream: ClientHttp2Stream): Promise<Http2Response> {
  const [{ ":status": status = 0, ...headers }] = (await once(stream, "response")) as [
    IncomingHttpHeaders & IncomingHttpStatusHeader,
  ];
  // Removes Node's list of headers that must not be indexed.
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers)) as Http2Response["headers"],
    body: await buffer(stream),
  };
}
