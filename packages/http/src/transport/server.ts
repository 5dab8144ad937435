import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { closeWithLinger } from "../discard.ts";
import type { Certificate } from "../tls/certificate.ts";
import { tlsOptions } from "../tls/options.ts";
import { refusePlainHttp } from "../tls/plain-http.ts";
import { maxHeaderBytes, refuseConnection, respondToClientError } from "./client-error.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { protocols, serveHttp2 } from "./http2/http2.ts";
import { oneAtATime } from "./pipelined-requests.ts";
import { noProxy } from "./request-head.ts";
import { SendQueues } from "./send-queues.ts";
import { sliceBytes } from "./slices.ts";
import { resetConnection } from "./tcp-socket.ts";

/** Time limits of the TLS handshake and of the headers, long enough for slow clients. */
const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 15_000;
const slowClientCheckMs = 5_000;
/** Longer than the keep-alive of common proxies, so that they never reuse a connection that this server is closing. */
const keepAliveTimeoutMs = 72_000;
/**
 * Time limit without a byte in either direction during a request. Longer than any request takes or waits
 * (long-polls.ts).
 */
const idleTimeoutMs = 45_000;
/** Time limits for a client to acknowledge the end of a last response, and then to close the connection. */
const lastReadMs = 30_000;
const closeMs = 10_000;
const drainMs = 1_000;
const pollMs = 25;

/**
 * Creates a server with its limits: over TLS, or without TLS if a proxy ends TLS (`certificate` is null).
 */
export function createServer(
  certificate: Certificate | null,
  handle: RequestListener,
  connections: ConnectionLimits,
  sendQueues = new SendQueues(),
): Server | HttpsServer {
  const limits = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    // Bodies have their own limits, which differ by route (request-bytes.ts, discard.ts).
    requestTimeout: 0,
    connectionsCheckingInterval: slowClientCheckMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // request-head.ts refuses such a request with an error in this server's format.
    requireHostHeader: false,
  };
  const listener = oneAtATime(
    handle,
    (socket) => connections.penalize(socket),
    (socket) => (sendQueues.hasRoom(socket, sliceBytes) ? null : sendQueues.room(socket, sliceBytes)),
  );
  const server =
    certificate === null
      ? createHttpServer(limits, listener)
      : createHttpsServer(
          { ...limits, ...tlsOptions(certificate), handshakeTimeout: handshakeTimeoutMs, ALPNProtocols: protocols },
          listener,
        );
  server.timeout = idleTimeoutMs;
  // Node also emits "timeout" for an idle connection between requests.
  server.on("timeout", resetConnection);
  // 100 Continue is sent when the body is needed (request-bytes.ts).
  server.on("checkContinue", listener).on("checkExpectation", listener);
  server.on("connect", (_, socket) => refuseConnection(noProxy(), socket as Socket));
  server.on("clientError", respondToClientError);
  server.on(certificate === null ? "connection" : "secureConnection", (socket: Socket) =>
    closeWhenRead(socket, sendQueues),
  );
  const endChecks = sendQueues.start();
  server.on("close", endChecks);
  if (certificate !== null) {
    serveHttp2(server as HttpsServer, handle, connections);
    refusePlainHttp(server as HttpsServer);
  }
  connections.apply(server);
  return server;
}

/**
 * Replaces Node's closing of a connection after the last response, which would leave unread bytes in the kernel for
 * minutes without counting the connection towards a limit.
 */
function closeWhenRead(socket: Socket, sendQueues: SendQueues): void {
  sendQueues.watch(socket);
  const close = () => closeWithLinger(socket, closeMs);
  socket.destroySoon = () => {
    if (sendQueues.isRead(socket)) close();
    else void sendQueues.closeWhenRead(socket, lastReadMs, close);
  };
}

/** A port (`reusePort`: several threads listen on it), or the path of a socket. */
export type ListenAddress = { port: number; host: string; reusePort?: boolean } | { path: string };

/** Resolves when the server listens; rejects if it cannot. */
export function listen(server: Server | HttpsServer, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Stops accepting connections, and resolves when all open connections have ended. Each HTTP/2 connection gets a GOAWAY.
 * The caller sets `ResponseWriter.isStopping` before, so that each response has `Connection: close`. Closes idle
 * connections only after a grace period, since closing a connection that seems idle could reset a request in transit.
 */
export async function drain(server: Server | HttpsServer): Promise<void> {
  if (!server.listening) return;
  // http.Server's close() would also close idle connections immediately.
  NetServer.prototype.close.call(server);
  server.emit("draining");
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
  for (let waitedMs = 0; (await connections()) > 0; waitedMs += pollMs) {
    if (waitedMs >= drainMs) server.closeIdleConnections();
    await sleep(pollMs);
  }
}
