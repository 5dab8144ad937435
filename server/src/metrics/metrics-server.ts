import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { listen } from "@beatmarket/http/transport/server.ts";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { type DeliveryQueue, registerDeliveries, registerMails } from "./capacity-metrics.ts";
import { MediaJobMetrics, type MediaQueue } from "./media-job-metrics.ts";
import { registerPool, type ServingParts } from "./serving-metrics.ts";
import type { StorageWatch } from "./storage.ts";

interface WorkerMetricsParts {
  pool: ServingParts["pool"];
  deliveryQueue: DeliveryQueue;
  mediaQueue: MediaQueue;
  storage: Pick<StorageWatch, "register">;
}

/** What /metrics of a process shows that serves no API: its own figures, and what it shares with the servers. */
export class WorkerMetrics {
  readonly registry = new Registry();
  readonly mediaJobs: MediaJobMetrics;

  constructor({ pool, deliveryQueue, mediaQueue, storage }: WorkerMetricsParts) {
    collectDefaultMetrics({ register: this.registry });
    registerPool(pool, this.registry);
    registerDeliveries(deliveryQueue, this.registry);
    registerMails({ webhooks: () => deliveryQueue.mails }, this.registry);
    storage.register(this.registry);
    this.mediaJobs = new MediaJobMetrics(mediaQueue, this.registry);
  }
}

interface Reader {
  authorization: string | undefined;
  /** The address of the socket's peer. */
  remoteAddress: string;
  /** Whether no proxy is in between. */
  isDirect: boolean;
}

/** Whether a caller may read /metrics: with the token of the configuration, or from this machine. */
export function mayReadMetrics({ authorization, remoteAddress, isDirect }: Reader, token: string | undefined): boolean {
  const sentToken = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (token !== undefined && sentToken !== undefined) {
    const [a, b] = [Buffer.from(sentToken), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  return isDirect && /^(127\.|::1$|::ffff:127\.)/.test(remoteAddress);
}

export interface MetricsServerOptions {
  port: number;
  host: string;
  registry: Registry;
  /** METRICS_TOKEN. */
  token: string | undefined;
  log: Pick<Logger, "info" | "warn">;
}

/** More than any set of scrapers and probes opens. */
const maxConnections = 32;
const requestTimeoutMs = 10_000;

/**
 * Serves /healthz and /metrics of a process without an API, by plain HTTP. Throws an OperatorError when the port is taken. Returns
 * what closes it.
 */
export async function serveMetrics(options: MetricsServerOptions): Promise<() => Promise<void>> {
  const { port, host, log } = options;
  const server = createServer({ requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs }, (...call) =>
    respond(options, ...call).catch((error) => {
      log.warn({ err: error }, "metrics could not be shown");
      call[1].destroy();
    }),
  );
  server.maxConnections = maxConnections;
  try {
    await listen(server, { port, host });
  } catch (error) {
    throw new OperatorError(
      `WORKER_METRICS_PORT: nothing can listen on port ${port} of ${host} (${(error as NodeJS.ErrnoException).code}). Set it to a free port, or stop what listens there.`,
      { cause: error },
    );
  }
  log.info(`metrics on http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics`);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

async function respond(
  { registry, token }: MetricsServerOptions,
  { method, url, headers, socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("cache-control", "no-store");
  const reader = {
    authorization: headers.authorization,
    remoteAddress: socket.remoteAddress ?? "",
    isDirect: true,
  };
  if (method === "GET" && url === "/healthz")
    response.setHeader("content-type", "application/json").end('{"status":"ok"}');
  else if (method === "GET" && url === "/metrics" && mayReadMetrics(reader, token))
    response.setHeader("content-type", registry.contentType).end(await registry.metrics());
  else response.writeHead(404).end();
}
