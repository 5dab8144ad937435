import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server as TlsServer } from "node:tls";
import type { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { Proxies } from "@beatmarket/http/forwarded.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import { tlsOptions } from "@beatmarket/http/tls/options.ts";
import { LocalConnectionCounts } from "@beatmarket/http/transport/connection-counts.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { isOwnAddress } from "@beatmarket/http/transport/fixed-headers.ts";
import { createInternalServer } from "@beatmarket/http/transport/forwarder.ts";
import { SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { createServer, drain, listen } from "@beatmarket/http/transport/server.ts";
import { AggregatorRegistry, Counter, Gauge, type Registry } from "prom-client";
import { registerConnections, registerSendQueues } from "../metrics/capacity-metrics.ts";
import type { AppParts, ThreadSettings } from "./services/scope.ts";
import { HttpThreads } from "./threads/http-threads.ts";

/** Accepts the connections of clients. */
interface Front {
  server: Server | HttpsServer;
  proxies: Proxies;
  sendQueues: SendQueues;
  /** Call it when a valid key or session came over a connection. */
  vouchFor(socket: Socket): void;
  listen(address: { port: number; host: string }): Promise<void>;
  useCertificate(certificate: Certificate): void;
  /** Makes the other threads continue with `Connection: close`, so that proxies switch to other instances. */
  retire(): void;
  /** Stops accepting connections, and completes the running requests. */
  drain(): Promise<void>;
  /** The text of /metrics. */
  metrics: Pick<Registry, "contentType" | "metrics">;
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The front of a process that answers all requests in one thread. */
export function openFront({ config, clock, certificate }: AppParts, registry: Registry, handle: Handle): Front {
  const proxies = proxiesOf(config);
  const sendQueues = new SendQueues();
  // Tunnels, and proxies that pass TLS through, connect from an address of this machine, which their clients share.
  const connections = new ConnectionLimits(
    new LocalConnectionCounts(clock),
    (address) => proxies.trust(address) || isOwnAddress(address),
  );
  registerConnections(connections, registry);
  const server = createServer(certificate, handle, connections, sendQueues);
  registerSendQueues(sendQueues, () => portOf(server), registry);
  return {
    server,
    proxies,
    sendQueues,
    vouchFor: (socket) => connections.vouchFor(socket),
    listen: (address) => listen(server, address),
    useCertificate: (next) => {
      if (server instanceof TlsServer) server.setSecureContext(tlsOptions(next));
    },
    retire: () => {},
    drain: () => drain(server),
    metrics: registry,
  };
}

const proxiesOf = ({ tls, trustedProxies }: Pick<AppParts["config"], "tls" | "trustedProxies">): Proxies =>
  new Proxies({ endTls: tls.mode === "off", trusted: trustedProxies });

const portOf = (server: Server | HttpsServer): number => {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
};

/**
 * The front of a process whose threads accept the connections. The threads answer the reads of the catalogue, and
 * forward all other requests over a socket in a folder that only this user can enter.
 */
export function openThreadedFront(
  { config, certificate, database, logger, portal }: AppParts,
  settings: ThreadSettings,
  index: CatalogueIndex,
  registry: Registry,
  handle: Handle,
): Front {
  const { server, vouchFor } = createInternalServer(handle);
  let threads: HttpThreads | null = null;
  let folder: string | null = null;
  registerThreads(registry, settings.count, () => threads?.ends ?? 0);
  return {
    server,
    proxies: proxiesOf(config),
    sendQueues: new SendQueues(),
    vouchFor,
    listen: async ({ port, host }) => {
      await requireFree(port, host);
      folder = await mkdtemp(join(tmpdir(), "beatmarket-"));
      const socketPath = join(folder, "socket");
      await listen(server, { path: socketPath });
      const { publicUrl } = config;
      const data = { address: database.address, socketPath, port, publicUrl, portalFolder: portal.folder };
      threads = new HttpThreads({ ...settings, data, certificate, index, logger });
      await threads.listen();
    },
    useCertificate: (next) => threads?.useCertificate(next),
    retire: () => threads?.retire(),
    drain: async () => {
      // The other threads close first, because their running requests may need this thread.
      await threads?.close();
      await drain(server);
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
    metrics: {
      contentType: registry.contentType,
      metrics: async () => {
        const mainMetrics = (await registry.getMetricsAsJSON()) as object[];
        return AggregatorRegistry.aggregate([mainMetrics, ...((await threads?.metrics()) ?? [])]).metrics();
      },
    },
  };
}

/** Rejects if another process listens on the port. Otherwise, that process would get some of the connections. */
async function requireFree(port: number, host: string): Promise<void> {
  const server = createHttpServer();
  await listen(server, { port, host });
  await new Promise((resolve) => server.close(resolve));
}

function registerThreads(registry: Registry, count: number, ends: () => number): void {
  const registers = [registry];
  new Gauge({
    name: "beatmarket_http_threads",
    help: "Threads that answer HTTP (THREADS).",
    registers,
    collect() {
      this.set(count);
    },
  });
  new Counter({
    name: "beatmarket_http_thread_ends_total",
    help: "Threads that ended unexpectedly and were replaced.",
    registers,
    collect() {
      this.reset();
      this.inc(ends());
    },
  });
}
