import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Certificate } from "../tls/certificate.ts";
import { tlsOptions } from "../tls/options.ts";
import { refusePlainHttp } from "../tls/plain-http.ts";
import { respondToClientError } from "./client-error.ts";

const requestTimeoutMs = 30_000;
/** For a handshake, and then again for headers: enough for the slowest of honest clients. */
const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 15_000;
const slowClientCheckMs = 5_000;
/** About 50 kB each. Connections beyond this are refused. */
const maxConnections = 10_000;
/** Longer than usual proxies keep theirs, so that they never reuse a connection we are about to close. */
const keepAliveTimeoutMs = 72_000;
const maxHeaderBytes = 16_384;
const drainMs = 1_000;
const pollMs = 25;

/** The listening socket with its limits: over TLS, or plain behind a proxy that ends TLS (`certificate` is null). */
export function createServer(certificate: Certificate | null, handle: RequestListener): Server | HttpsServer {
  const limits = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: slowClientCheckMs,
    keepAliveTimeout: keepAliveTimeoutMs,
  };
  const server =
    certificate === null
      ? createHttpServer(limits, handle)
      : createHttpsServer({ ...limits, ...tlsOptions(certificate), handshakeTimeout: handshakeTimeoutMs }, handle);
  server.maxConnections = maxConnections;
  server.on("clientError", respondToClientError);
  if (certificate !== null) refusePlainHttp(server as HttpsServer);
  return server;
}

/** Resolves when the server listens; rejects when it cannot. */
export function listen(server: Server | HttpsServer, address: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Takes no new connections, and waits for the open ones to end by themselves, as each response now asks for: closing one
 * that seems idle would reset a request that is on its way. Connections still idle after a moment are closed.
 */
export async function drain(server: Server | HttpsServer): Promise<void> {
  if (!server.listening) return;
  // Of an HTTP server, close() would also close the idle ones.
  NetServer.prototype.close.call(server);
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
  for (let waitedMs = 0; (await connections()) > 0; waitedMs += pollMs) {
    if (waitedMs >= drainMs) server.closeIdleConnections();
    await sleep(pollMs);
  }
}
