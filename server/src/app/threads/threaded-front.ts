import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { drain, listen } from "@beatmarket/http/transport/server.ts";
import { AggregatorRegistry, Counter, Gauge, type Registry } from "prom-client";
import { type Front, type Handle, proxiesOf } from "../front.ts";
import type { AppParts, ThreadSettings } from "../services/scope.ts";
import { createInternalServer } from "./forwarder.ts";
import { HttpThreads } from "./http-threads.ts";

/**
 * The front of a process whose threads accept the connections: they answer the reads of the catalogue, and forward all
 * other requests over a socket in a folder that only this user can enter.
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
      // Their running requests may need this thread.
      await threads?.close();
      await drain(server);
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
    metrics: {
      contentType: registry.contentType,
      metrics: async () => {
        const own = (await registry.getMetricsAsJSON()) as object[];
        return AggregatorRegistry.aggregate([own, ...((await threads?.metrics()) ?? [])]).metrics();
      },
    },
  };
}

/** Rejects if another process listens on the port, which would otherwise get a part of the connections. */
async function requireFree(port: number, host: string): Promise<void> {
  const server = createServer();
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
