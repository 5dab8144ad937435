import { createServer as createHttpServer, type IncomingMessage, METHODS, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import { notFound } from "../../errors.ts";
import { kindOf, type Workload } from "../admission/concurrency-limiter.ts";
import { sendError } from "../pipeline/error-response.ts";
import { Exchange } from "../pipeline/request-context.ts";
import type { Shortcut } from "../pipeline/shortcut.ts";
import type { Certificate } from "../tls/certificate.ts";
import { tlsOptions } from "../tls/options.ts";
import { refusePlainHttp } from "../tls/plain-http.ts";
import { answerClientError } from "./client-error.ts";
import { acceptTarget } from "./request-target.ts";

export interface ServerParts {
  /** Null behind a proxy that ends TLS. */
  certificate: Certificate | null;
  logger: Logger;
  /** Tried before the framework. */
  shortcut?: Shortcut;
  /** Bounds how many requests are under way, and for how long. */
  workload: Workload;
  /** Whether browsers may be told to keep to HTTPS: not on loopback hosts, where it would outlive the demo. */
  hsts: boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether it is answered under any load, as what watches over the process needs. */
    isVital?: boolean;
  }
}

const maxBodyBytes = 100_000;
const requestTimeoutMs = 30_000;
/** For a handshake, and then again for headers: enough for the slowest of honest clients. */
const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 15_000;
const slowOnesSoughtEveryMs = 5_000;
/** Each costs some 50 kB; further ones are closed as they come. */
const maxConnections = 10_000;
/** Longer than usual proxies keep theirs, so that they never reuse a connection we are about to close. */
const keepAliveTimeoutMs = 72_000;
const maxHeaderBytes = 16_384;
const drainMs = 1_000;
const drainPollMs = 25;

/** On every answer. What a browser shows, the explorer and covers, brings a content security policy of its own. */
const securityHeaders = { "x-content-type-options": "nosniff" };

/**
 * The router knows no answer for a path with stray percent signs; taken literally, it fits no resource and is refused
 * where every other wrong path is, after the key was checked.
 */
function routableUrl(url: string): string {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  if (!path.includes("%")) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + (mark < 0 ? "" : url.slice(mark));
  }
}

/**
 * Takes no new connections, and lets those there come to their end by themselves, as each next answer asks for: closing one
 * that seems idle would reset a request that is on its way. Those that stay idle are closed after a moment.
 */
async function drain(server: Server): Promise<void> {
  // Of an HTTP server, close() would also close the idle ones.
  Server.prototype.close.call(server);
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
  for (let waitedMs = 0; waitedMs < drainMs && (await connections()) > 0; waitedMs += drainPollMs)
    await sleep(drainPollMs);
}

/** A server without routes: transport, limits on what comes in, security headers, errors in the contract's form. */
export function createServer({ certificate, logger, shortcut, workload, hsts }: ServerParts): FastifyInstance {
  const fixedHeaders = { ...securityHeaders, ...(hsts && { "strict-transport-security": "max-age=31536000" }) };
  let isStopping = false;
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Calls go to the request log instead.
    logController: new LogController({ disableRequestLogging: true }),
    // Calls are told apart by the exchange's request id, so a logger for each one would be waste.
    childLoggerFactory: (its) => its,
    bodyLimit: maxBodyBytes,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: {
      // Whatever fits into a request: an id is refused by its route, after the key was checked.
      maxParamLength: maxHeaderBytes,
      // Query strings are read against the route's schema (parameters.ts).
      querystringParser: () => ({}),
    },
    serverFactory: (framework) => {
      const handler = (request: IncomingMessage, response: ServerResponse): void => {
        if (!acceptTarget(request, response)) return;
        request.exchange = new Exchange(request.url ?? "/", fixedHeaders);
        // A server that stops tells its clients so, which is the framework's part.
        const answered = !isStopping && shortcut !== undefined && shortcut(request, response);
        if (answered === false) framework(request, response);
        else if (answered !== true)
          answered.then(
            (isAnswered) => isAnswered || framework(request, response),
            (error) => response.destroy(error),
          );
      };
      const limits = {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: slowOnesSoughtEveryMs,
        keepAliveTimeout: keepAliveTimeoutMs,
      };
      if (certificate === null) return Object.assign(createHttpServer(limits, handler), { maxConnections });
      const tls = { ...tlsOptions(certificate), handshakeTimeout: handshakeTimeoutMs };
      const server = Object.assign(createHttpsServer({ ...limits, ...tls }, handler), { maxConnections });
      refusePlainHttp(server);
      return server;
    },
    rewriteUrl: ({ url = "/" }) => routableUrl(url),
    clientErrorHandler: answerClientError,
  });
  // A method nobody has is refused by the route it meets, after the key was checked, like any other.
  for (const method of METHODS)
    if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.addHook("preClose", async () => {
    isStopping = true;
    await drain(app.server);
  });
  app.decorateRequest("exchange");
  app.addHook("onRequest", (request, _reply, done) => {
    // Those that are injected, as tests do, come in here.
    request.raw.exchange ??= new Exchange(request.originalUrl, fixedHeaders);
    request.exchange = request.raw.exchange;
    done();
  });
  app.addHook("onRoute", (route) => {
    const { handler, config } = route;
    if (config?.isVital === true) return;
    route.handler = function (request, reply) {
      return workload.run(kindOf(request.method), () => handler.call(this, request, reply));
    };
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    reply.headers(request.exchange.headers);
    done(null, payload);
  });
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  app.setNotFoundHandler((request) => {
    throw notFound(
      `There is nothing at ${request.url.split("?")[0]}. The API is under /v1, its reference at /explorer.`,
    );
  });
  return app;
}
