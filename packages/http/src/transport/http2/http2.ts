import type { RequestListener } from "node:http";
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerOptions,
} from "node:http2";
import type { Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { type Clock, systemClock } from "@beatmarket/foundation/clock.ts";
import type { ConnectionLimits } from "../connection-limits.ts";
import { Http2Connection, streamWindowBytes } from "./http2-connection.ts";
import { IdleTraffic } from "./idle-traffic.ts";

/** Maximum streams of one connection, enough for any page. nghttp2 refuses further streams (RFC 9113 5.1.2). */
const maxStreams = 100;
/** nghttp2 refuses larger header lists. A list between `maxHeaderBytes` and this limit gets 431. */
const maxHeaderListBytes = 65_536;
/** The window of all bodies of a connection together. Node widens it as bytes arrive, so it limits only the speed. */
const connectionWindowBytes = 1_048_576;
/** Maximum of malformed frames before Node closes the connection. Streams beyond `maxStreams` also count. */
const maxInvalidFrames = 100;
/** Limit of stream resets by the client. Beyond the limit nghttp2 closes the connection ("rapid reset"). */
const streamResets = { burst: 200, perSecond: 20 };
const maxStreamId = 2 ** 31 - 1;
export const idleCheckIntervalMs = 1_000;
/** Time limit of a connection without an open stream, like the keep-alive of HTTP/1.1. */
const idleTimeoutMs = 72_000;

const options: ServerOptions = {
  settings: {
    maxConcurrentStreams: maxStreams,
    maxHeaderListSize: maxHeaderListBytes,
    initialWindowSize: streamWindowBytes,
  },
  maxSessionInvalidFrames: maxInvalidFrames,
  streamResetBurst: streamResets.burst,
  streamResetRate: streamResets.perSecond,
};

/** The protocols that TLS offers, most preferred first. */
export const protocols = ["h2", "http/1.1"];

/**
 * Serves HTTP/2 on the connections of an HTTPS server whose clients chose HTTP/2 (ALPN). On "draining", sends GOAWAY so
 * that clients send no further requests, and still handles the running requests (RFC 9113 6.8).
 */
export function serveHttp2(
  server: Server,
  handle: RequestListener,
  connections: ConnectionLimits,
  clock: Clock = systemClock,
): void {
  const startHttp1 = server.listeners("secureConnection");
  server.removeAllListeners("secureConnection");
  // This server never listens itself.
  const http2 = createServer(options);
  const open = new Map<ServerHttp2Session, Http2Connection>();
  const idle = new IdleTraffic(clock);

  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol !== "h2") {
      for (const start of startHttp1) start.call(server, socket);
      return;
    }
    http2.once("session", (session: ServerHttp2Session) => {
      session.setLocalWindowSize(connectionWindowBytes);
      // Streams have their own time limit.
      session.setTimeout(idleTimeoutMs, () => open.get(session)?.closeIdle());
      open.set(session, new Http2Connection(session, { socket, handle, connections, idle }));
      session.once("close", () => open.delete(session));
    });
    http2.emit("connection", socket);
  });

  const listener = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const { session } = request.stream;
    if (session !== undefined) open.get(session as ServerHttp2Session)?.add(request, response);
  };
  // 100 Continue is sent when the body is needed (request-bytes.ts). CONNECT has no path, so it is refused.
  for (const event of ["request", "checkContinue", "checkExpectation", "connect"]) http2.on(event, listener);

  for (const [method, close] of [
    ["closeIdleConnections", (session: ServerHttp2Session) => session.close()],
    ["closeAllConnections", (session: ServerHttp2Session) => session.destroy()],
  ] as const) {
    const closeHttp1 = server[method].bind(server);
    server[method] = () => {
      for (const session of open.keys()) close(session);
      closeHttp1();
    };
  }
  const counting = setInterval(() => {
    for (const connection of open.values()) connection.countIdleBytes();
  }, idleCheckIntervalMs).unref();
  server.on("close", () => clearInterval(counting));
  server.on("draining", () => {
    for (const session of open.keys()) if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, maxStreamId);
  });
}
