import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { IndexClient } from "@beatmarket/catalogue-index/index-client.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { Proxies } from "@beatmarket/http/forwarded.ts";
import { apiPrefixes } from "@beatmarket/http/pipeline/api-route.ts";
import type { Pipeline } from "@beatmarket/http/pipeline/pipeline.ts";
import { RequestContext } from "@beatmarket/http/request-context.ts";
import { processClock } from "@beatmarket/http/shared-memory/clock.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { isOwnAddress } from "@beatmarket/http/transport/fixed-headers.ts";
import { Forwarder } from "@beatmarket/http/transport/forwarder.ts";
import { checkHead } from "@beatmarket/http/transport/request-head.ts";
import { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import { readSendQueues } from "@beatmarket/http/transport/send-queue-table.ts";
import { freeBytes, SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { createServer, drain, listen } from "@beatmarket/http/transport/server.ts";
import { Registry } from "prom-client";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { registerConnections, registerSendQueues } from "../../metrics/capacity-metrics.ts";
import { countsIn } from "../thread-memory.ts";
import { openPipeline, type ThreadParts } from "./open-pipeline.ts";

interface HandlerParts {
  pipeline: Pipeline;
  forwarder: Forwarder;
  writer: ResponseWriter;
  connections: ConnectionLimits;
  /** Refusals of requests that cannot be forwarded, by the headers of the request. */
  refusals: WeakMap<IncomingHttpHeaders, ApiError>;
}

/** The catalogue's reads, below a prefix of the API. */
const catalogueReads = /^\/(?:beats(?:\/\d{1,15}(?:\/similar)?)?|users\/\d{1,15}|genres|producers|search)(?:\?|$)/;
const liveKey = /^bearer +(?!bm_test_)\S+ *$/i;

/** Whether a thread answers a request: a read of the catalogue with a live key, without a body. */
export const isOfThread = ({
  method,
  url = "",
  headers,
}: Pick<IncomingMessage, "method" | "url" | "headers">): boolean =>
  (method === "GET" || method === "HEAD") &&
  liveKey.test(headers.authorization ?? "") &&
  isCatalogueRead(url) &&
  headers["transfer-encoding"] === undefined &&
  (headers["content-length"] ?? "0") === "0" &&
  headers["x-http-method-override"] === undefined;

const isCatalogueRead = (url: string): boolean =>
  apiPrefixes.some((prefix) => url.startsWith(prefix) && catalogueReads.test(url.slice(prefix.length)));

/** Answers the requests of a thread's connections. The returned function never rejects. */
const threadHandler =
  ({ pipeline, forwarder, writer, connections, refusals }: HandlerParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isOfThread(request) || !hasValidHead(request)) return pipeline.handle(request, response);
    try {
      const { answer, isVouchedFor } = await forwarder.forward(request, response);
      if (isVouchedFor) connections.vouchFor(request.socket);
      writer.send(new RequestContext(request), response, answer);
    } catch (error) {
      if (response.headersSent || response.destroyed) return;
      refusals.set(request.headers, unavailable(error));
      await pipeline.handle(request, response);
    }
  };

/** Whether the head is valid. The pipeline refuses a request with an invalid head. */
function hasValidHead(request: IncomingMessage): boolean {
  try {
    checkHead(request);
    return true;
  } catch {
    return false;
  }
}

const unavailable = (cause: unknown): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "The server is starting or stopping. Try again in 2 seconds.",
    {
      headers: { "retry-after": "2" },
      cause,
    },
  );

export interface HttpThread {
  server: Server | HttpsServer;
  index: IndexClient;
  connections: ConnectionLimits;
  metrics: Registry;
  listen(): Promise<void>;
  /** Continues to serve, with `Connection: close` in responses. */
  retire(): void;
  /** Completes the running requests, and writes the data in memory. The database stays open. */
  close(): Promise<void>;
}

/**
 * Opens a thread that accepts connections. The thread answers the reads of the catalogue, and forwards all other
 * requests to the main thread.
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
  // The main thread has no clients, so the other threads share the memory for sending.
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
