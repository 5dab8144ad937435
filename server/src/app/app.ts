import type { ServerResponse } from "node:http";
import { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { AnonymousPacing } from "@beatmarket/http/admission/anonymous-pacing.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { Pipeline } from "@beatmarket/http/pipeline/pipeline.ts";
import { Router } from "@beatmarket/http/pipeline/router.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { fixedHeaders } from "@beatmarket/http/transport/fixed-headers.ts";
import { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import type { SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { entryOf } from "../resources/request-log/entry.ts";
import { errorPages } from "../site/failure-page.ts";
import { dailyJob, dueJobs, startJobs, tallyJob } from "./background.ts";
import { type Handle, openFront, openThreadedFront } from "./front.ts";
import { servedAreas } from "./routes.ts";
import { openSandboxes } from "./sandboxes/dispatch.ts";
import type { App, AppParts } from "./services/scope.ts";
import { openServices } from "./services.ts";

/**
 * Builds the service from its parts: open resources (services.ts), served routes (routes.ts), background jobs
 * (background.ts).
 */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config, database, clock, logger } = parts;
  const services = await openServices(parts);
  const { admission, cache, concurrency, reads, catalogue, idempotencyKeys, requestLog, metrics, counts } = services;
  const respond: Handle = (request, response) => (sandboxes?.dispatch.handle ?? pipeline.handle)(request, response);
  const { index } = services;
  // Threads need the index of this process: requireServable (config.ts) rejects THREADS together with CATALOGUE_ENGINE.
  const front =
    parts.threads !== undefined && index instanceof CatalogueIndex
      ? openThreadedFront(parts, parts.threads, index, metrics.registry, respond)
      : openFront(parts, metrics.registry, respond);
  const { server, proxies, sendQueues } = front;
  const writer =
    parts.sandbox === undefined ? new ResponseWriter(sendQueues) : new PrefixedWriter(parts.sandbox.path, sendQueues);
  const router = new Router(
    servedAreas(parts, services, { isStopping: () => writer.isStopping, metrics: front.metrics }),
  );
  const pipeline: Pipeline = new Pipeline({
    context: {
      fixedHeaders: fixedHeaders(config.publicUrl),
      proxies,
      publicUrl: config.publicUrl,
    },
    router,
    admission,
    accessWatch: services.accessWatch,
    anonymousPacing: new AnonymousPacing(clock, undefined, counts?.anonymous),
    concurrency,
    cache,
    writer,
    errorPage: errorPages(services.readAssets),
    connections: front,
    record: (context) => {
      requestLog.add(entryOf(context, clock.nowMs()));
      metrics.observe(context);
    },
    primary: database,
    reads,
    version: catalogue,
    versions: services.versions,
    documentation: "/explorer",
    errorDocumentation: "/portal/docs/api/errors",
    idempotencyKeys,
    clock,
    logger,
  });
  const sandboxes = openSandboxes(parts, services, pipeline.handle, buildApp);
  requestLog.start();
  let stopJobs = async () => {};
  const start = async () => {
    await services.exports.open();
    stopJobs = startJobs(parts, services);
  };
  return {
    server,
    handle: respond,
    useCertificate: front.useCertificate,
    observeMediaJob: (attempt) => metrics.mediaJobs.observe(attempt),
    showCertificate: metrics.showCertificate,
    paths: router.paths,
    simulation: {
      checkout: services.checkout,
      jobs: dueJobs(services),
      tallyOrders: tallyJob(parts, services),
      daily: dailyJob(parts, services),
      publishLicenseLog: () =>
        services.licenseLog
          .publish()
          .catch((err) => logger.warn({ err }, "publishing the license log failed; the next change tries again")),
    },
    start,
    listen: async (address) => {
      await services.exports.open();
      await front.listen(address);
      stopJobs = startJobs(parts, services);
      sandboxes?.start();
    },
    retire: () => {
      writer.isStopping = true;
      front.retire();
    },
    close: async () => {
      writer.isStopping = true;
      await services.waits.disposeAsync();
      await front.drain();
      await sandboxes?.close();
      await stopJobs();
      await services.resources.disposeAsync();
    },
  };
}

/** The beginning of an attribute with a root-relative URL, such as `href="/`. */
const rootRelativeUrl = /\b(href|action|src|formaction)="\/(?!\/)/g;

/** Adds the path of a sandbox to the root-relative URLs of its pages, and to its redirects. */
class PrefixedWriter extends ResponseWriter {
  readonly #path: string;

  constructor(path: string, sendQueues: SendQueues) {
    super(sendQueues);
    this.#path = path;
  }

  override send(context: RequestContext, response: ServerResponse, content: HttpResponse): void {
    const location = content.headers?.location;
    const headers =
      typeof location === "string" && location.startsWith("/")
        ? { ...content.headers, location: this.#path + location }
        : content.headers;
    const body = isPage(headers) && isText(content.body) ? this.#prefixed(content.body) : content.body;
    super.send(context, response, {
      ...content,
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
    });
  }

  #prefixed(body: string | Buffer): string {
    return body.toString().replaceAll(rootRelativeUrl, `$1="${this.#path}/`);
  }
}

const isPage = (headers: HttpResponse["headers"]): boolean =>
  String(headers?.["content-type"]).startsWith("text/html") && headers?.["content-encoding"] === undefined;

const isText = (body: HttpResponse["body"]): body is string | Buffer =>
  typeof body === "string" || Buffer.isBuffer(body);
