import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { AnonymousPacing } from "@beatmarket/http/admission/anonymous-pacing.ts";
import { Proxies } from "@beatmarket/http/forwarded.ts";
import { Pipeline } from "@beatmarket/http/pipeline/pipeline.ts";
import { Router } from "@beatmarket/http/pipeline/router.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import { SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { createServer, drain, listen } from "@beatmarket/http/transport/server.ts";
import { registerConnections, registerSendQueues } from "../metrics/capacity-metrics.ts";
import type { MediaJobMetrics } from "../metrics/media-job-metrics.ts";
import { entryOf } from "../resources/request-log/entry.ts";
import { errorPages } from "../site/failure-page.ts";
import { startJobs } from "./background.ts";
import { servedAreas } from "./routes.ts";
import type { AppParts } from "./services/scope.ts";
import { openServices } from "./services.ts";

/** The built service. */
export interface App {
  server: Server | HttpsServer;
  /** Responds to a request. The server calls it for each request. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Shows an attempt at a media job in /metrics. */
  observeMediaJob: MediaJobMetrics["observe"];
  /** Shows the end of the certificate in use in /metrics. */
  showCertificate(certificate: Certificate): void;
  /** All served paths, including prefixes: `/v1/beats/:beat_id`. */
  paths: readonly string[];
  /** Listens, and starts the background jobs. */
  listen(address: { port: number; host: string }): Promise<void>;
  /**
   * Continues to serve, while /readyz is 503 and responses have `Connection: close`, so that proxies switch to other
   * instances.
   */
  retire(): void;
  /** Completes the running requests, stops the jobs, and writes what is still in memory. The database stays open. */
  close(): Promise<void>;
}

/**
 * Builds the service from its parts: open resources (services.ts), served routes (routes.ts), background jobs
 * (background.ts).
 */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config, database, clock, logger, certificate } = parts;
  const services = await openServices(parts);
  const sendQueues = new SendQueues();
  const writer = new ResponseWriter(sendQueues);
  const router = new Router(servedAreas(parts, services, () => writer.isStopping));
  const { admission, cache, concurrency, reads, catalogue, idempotencyKeys, requestLog, metrics } = services;
  const proxies = new Proxies({ endTls: config.tls.mode === "off", trusted: config.trustedProxies });
  // Tunnels, and proxies that pass TLS through, connect from this machine's own address, which their clients share.
  const connections = new ConnectionLimits(clock, (address) => proxies.trust(address) || isOwnAddress(address));
  registerConnections(connections, metrics.registry);
  const { handle } = new Pipeline({
    context: {
      fixedHeaders: fixedHeaders(config.publicUrl),
      proxies,
      publicUrl: config.publicUrl,
    },
    router,
    admission,
    accessWatch: services.accessWatch,
    anonymousPacing: new AnonymousPacing(clock),
    concurrency,
    cache,
    writer,
    errorPage: errorPages(services.readAssets),
    connections,
    record: (context) => {
      requestLog.add(entryOf(context, clock.nowMs()));
      metrics.observe(context);
    },
    primary: database,
    reads,
    version: catalogue,
    documentation: "/explorer",
    errorDocumentation: "/portal/docs/api/errors",
    idempotencyKeys,
    clock,
    logger,
  });
  const server = createServer(certificate, handle, connections, sendQueues);
  registerSendQueues(sendQueues, () => portOf(server), metrics.registry);
  requestLog.start();
  let stopJobs = async () => {};
  return {
    server,
    handle,
    observeMediaJob: (attempt) => metrics.mediaJobs.observe(attempt),
    showCertificate: metrics.showCertificate,
    paths: router.paths,
    listen: async (address) => {
      await services.exports.open();
      await listen(server, address);
      stopJobs = startJobs(parts, services);
    },
    retire: () => {
      writer.isStopping = true;
    },
    close: async () => {
      writer.isStopping = true;
      await services.waits.disposeAsync();
      await drain(server);
      await stopJobs();
      await services.resources.disposeAsync();
    },
  };
}

/** Set on every response. Pages set their own content security policy. */
const fixedHeaders = (publicUrl: string): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  // Not on loopback hosts, since browsers would remember it after the demo.
  ...(!isLoopback(publicUrl) && { "strict-transport-security": "max-age=31536000" }),
});

const portOf = (server: Server): number => {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
};

const isOwnAddress = (address: string): boolean => /^((::ffff:)?127\.0\.0\.1|::1)$/.test(address);

const isLoopback = (origin: string): boolean =>
  /^(localhost|127\..*|\[::1\]|.*\.localhost)$/.test(new URL(origin).hostname);
