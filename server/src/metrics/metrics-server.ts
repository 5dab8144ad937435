import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { listen } from "@beatmarket/http/transport/server.ts";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type DeliveryQueue, registerDeliveries, registerMails } from "./capacity-metrics.ts";
import { registerPool, type ServingParts } from "./serving-metrics.ts";
import type { StorageWatch } from "./storage.ts";

interface WorkerMetricsParts {
  pool: ServingParts["pool"];
  deliveryQueue: DeliveryQueue;
  mediaQueue: MediaQueue;
  storage: Pick<StorageWatch, "register">;
}

/** The metrics of a process without an API: its own metrics, and the queues that it shares with the servers. */
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

/** Whether a caller may read /metrics: with the token from the settings, or from this machine. */
export function mayReadMetrics({ authorization, remoteAddress, isDirect }: Reader, token: string | undefined): boolean {
  const sentToken = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (token !== undefined && sentToken !== undefined) {
    const a = Buffer.from(sentToken);
    const b = Buffer.from(token);
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

/** More connections than scrapers and probes open. */
const maxConnections = 32;
const requestTimeoutMs = 10_000;

/**
 * Serves /healthz and /metrics of a process without an API, by plain HTTP. Throws an OperatorError if it cannot listen.
 * Returns a function that closes the server.
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

/** The last measured state of the queue of media jobs. */
export interface MediaQueue {
  readonly state: { waiting: number; running: number; oldestSeconds: number };
}

/** The attempts of this process at media jobs, and the queue of all processes. */
export class MediaJobMetrics {
  readonly #seconds: Histogram<"kind">;
  readonly #failures: Counter<"kind">;

  constructor(queue: MediaQueue, registry: Registry) {
    const registers = [registry];
    new Gauge({
      name: "beatmarket_media_jobs",
      help: "Waiting and running media jobs (analysis, previews, covers), over all processes, measured at least every 15 seconds.",
      labelNames: ["state"],
      registers,
      collect() {
        this.set({ state: "waiting" }, queue.state.waiting);
        this.set({ state: "running" }, queue.state.running);
      },
    });
    new Gauge({
      name: "beatmarket_media_jobs_oldest_seconds",
      help: "Waiting time of the media job that has been due the longest; 0 without any.",
      registers,
      collect() {
        this.set(queue.state.oldestSeconds);
      },
    });
    this.#seconds = new Histogram({
      name: "beatmarket_media_job_seconds",
      help: "Duration of attempts at media jobs in this process.",
      labelNames: ["kind"],
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    });
    this.#failures = new Counter({
      name: "beatmarket_media_job_failures_total",
      help: "Failed attempts at media jobs in this process.",
      labelNames: ["kind"],
      registers,
    });
  }

  observe({ kind, durationMs, hasFailed }: { kind: string; durationMs: number; hasFailed: boolean }): void {
    this.#seconds.observe({ kind }, durationMs / 1_000);
    if (hasFailed) this.#failures.inc({ kind });
  }
}
