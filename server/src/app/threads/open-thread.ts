import type { Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { IndexClient } from "@beatmarket/catalogue-index/index-client.ts";
import { Proxies } from "@beatmarket/http/forwarded.ts";
import { processClock } from "@beatmarket/http/shared-memory/clock.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import { readSendQueues } from "@beatmarket/http/transport/send-queue-table.ts";
import { freeBytes, SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { createServer, drain, listen } from "@beatmarket/http/transport/server.ts";
import { Registry } from "prom-client";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { registerConnections, registerSendQueues } from "../../metrics/capacity-metrics.ts";
import { isOwnAddress } from "../every-response.ts";
import { countsIn } from "../thread-memory.ts";
import { Forwarder } from "./forwarder.ts";
import { openPipeline, type ThreadParts } from "./open-pipeline.ts";
import { threadHandler } from "./thread-handler.ts";

export interface HttpThread {
  server: Server | HttpsServer;
  index: IndexClient;
  connections: ConnectionLimits;
  metrics: Registry;
  listen(): Promise<void>;
  retire(): void;
  /** Completes the running requests, and writes what is still in memory. The database stays open. */
  close(): Promise<void>;
}

/**
 * Opens a thread that accepts connections. It answers the reads of the catalogue, and forwards all other requests to the
 * main thread.
 */
export async function openThread(parts: ThreadParts): Promise<HttpThread> {
  const { config, memory, port, certificate, socketPath } = parts;
  const metrics = new Registry();
  const counts = countsIn(memory);
  const proxies = new Proxies({ endTls: config.tls.mode === "off", trusted: config.trustedProxies });
  const connections = new ConnectionLimits(
    counts.connections(parts.index, (standing, network) => parts.askForRoom({ standing, network })),
    (address) => proxies.trust(address) || isOwnAddress(address),
  );
  registerConnections(connections, metrics);
  // The main thread sends to the threads alone.
  const sendQueues = new SendQueues(readSendQueues, freeBytes, memory.threads - 1);
  registerSendQueues(sendQueues, () => port, metrics);
  const writer = new ResponseWriter(sendQueues);
  const version = new CatalogueVersion(memory.version);
  const index = new IndexClient(version);
  const resources = new AsyncDisposableStack();
  const scope = {
    parts,
    clock: processClock,
    counts,
    proxies,
    connections,
    writer,
    version,
    index,
    metrics,
    resources,
  };
  const { pipeline, refusals } = await openPipeline(scope);
  const forwarder = new Forwarder(socketPath);
  const handle = threadHandler({ pipeline, forwarder, writer, connections, refusals });
  const server = createServer(certificate, handle, connections, sendQueues);
  return {
    server,
    index,
    connections,
    metrics,
    listen: () => listen(server, { port, host: config.host, reusePort: true }),
    retire: () => {
      writer.isStopping = true;
    },
    close: async () => {
      writer.isStopping = true;
      await drain(server);
      forwarder.close();
      index.close();
      await resources.disposeAsync();
    },
  };
}
