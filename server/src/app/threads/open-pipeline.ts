import type { IncomingHttpHeaders } from "node:http";
import type { IndexClient } from "@beatmarket/catalogue-index/index-client.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { AccessWatch } from "@beatmarket/http/admission/access-watch.ts";
import { AnonymousPacing } from "@beatmarket/http/admission/anonymous-pacing.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { ResponseCache } from "@beatmarket/http/cache/response-cache.ts";
import type { Proxies } from "@beatmarket/http/forwarded.ts";
import { apiHeaders, apiPrefixes } from "@beatmarket/http/pipeline/api-route.ts";
import { Pipeline } from "@beatmarket/http/pipeline/pipeline.ts";
import { Router } from "@beatmarket/http/pipeline/router.ts";
import type { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { fixedHeaders } from "@beatmarket/http/transport/fixed-headers.ts";
import type { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import { Replica } from "@beatmarket/postgres/connection/replica.ts";
import { openCallLog } from "@beatmarket/request-log/call-log.ts";
import { RequestLog } from "@beatmarket/request-log/request-log.ts";
import { WebhookNotices } from "@beatmarket/webhooks/monitoring/notices.ts";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { Admission } from "../../access/admission.ts";
import { IdempotencyKeys } from "../../access/idempotency.ts";
import type { Config } from "../../config.ts";
import { CatalogueReads, type CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { type Database, replicaSession } from "../../database/connect.ts";
import { CallMetrics, registerServing } from "../../metrics/serving-metrics.ts";
import { AccountVersions } from "../../resources/api-keys/account-versions.ts";
import { CallerCache } from "../../resources/api-keys/caller-cache.ts";
import { beatReadRoutes } from "../../resources/beats/routes.ts";
import { genreRoutes } from "../../resources/genres/genres.ts";
import { entryOf } from "../../resources/request-log/entry.ts";
import { searchRoutes } from "../../resources/search/routes.ts";
import { userRoutes } from "../../resources/users/routes.ts";
import { readAssets } from "../../site/assets.ts";
import { openBrand } from "../../site/brand.ts";
import { errorPages } from "../../site/failure-page.ts";
import { openRateLimits } from "../services/admission.ts";
import { beatCatalogues } from "../services/catalogue.ts";
import type { ThreadCounts } from "../thread-memory.ts";
import type { Room, ThreadData } from "./http-threads.ts";

export interface ThreadParts extends ThreadData {
  config: Pick<
    Config,
    | "host"
    | "redisUrl"
    | "databaseReplicaUrl"
    | "requestLogMaxMb"
    | "requestLogEngine"
    | "tls"
    | "trustedProxies"
    | "site"
  >;
  database: Database;
  logger: Logger;
  /** Asks the other threads to close a connection. */
  askForRoom(room: Room): void;
}

interface PipelineScope {
  parts: ThreadParts;
  clock: Clock;
  counts: ThreadCounts;
  proxies: Proxies;
  connections: ConnectionLimits;
  writer: ResponseWriter;
  version: CatalogueVersion;
  index: IndexClient;
  metrics: Registry;
  resources: AsyncDisposableStack;
}

/** Opens the pipeline of a thread, for the reads of the catalogue. */
export async function openPipeline(scope: PipelineScope) {
  const { parts, clock, counts, proxies, connections, writer, version, metrics } = scope;
  const { database, logger, publicUrl } = parts;
  const { threads } = counts;
  const concurrency = new ConcurrencyLimiter(threads);
  const cache = new ResponseCache(version, threads);
  const reads = new CatalogueReads(database, await openReplica(scope));
  // The errors with which the pipeline answers requests that could not be forwarded, by the headers of the request.
  const refusals = new WeakMap<IncomingHttpHeaders, ApiError>();
  const { admission, requestLog, callers } = await openThreadAdmission(scope, concurrency, refusals);
  const { pool } = database;
  registerServing({ pool, concurrency, cache, callers, requestLog, reads }, metrics, ["read"]);
  const versions = new AccountVersions(database.query, clock, logger);
  scope.resources.defer(() => versions.close());
  const calls = new CallMetrics(metrics);
  const brand = await openBrand(parts.config.site);
  const pipeline = new Pipeline({
    context: { fixedHeaders: fixedHeaders(publicUrl), proxies, publicUrl },
    router: new Router(areasOf(scope)),
    admission,
    // It watches no calls: no route of a thread has `waits` or `streamsBody`.
    accessWatch: new AccessWatch(clock),
    anonymousPacing: new AnonymousPacing(clock, undefined, counts.anonymous),
    concurrency,
    cache,
    writer,
    errorPage: errorPages(() => readAssets(parts.portalFolder, brand)),
    connections,
    record: (context) => {
      requestLog.add(entryOf(context, clock.nowMs()));
      calls.observe(context);
    },
    primary: database,
    reads,
    version,
    versions,
    documentation: "/explorer",
    errorDocumentation: "/portal/docs/api/errors",
    idempotencyKeys: new IdempotencyKeys(database.query, clock),
    clock,
    logger,
  });
  requestLog.start();
  return { pipeline, refusals };
}

async function openReplica({ parts, version, resources }: PipelineScope): Promise<Replica | null> {
  const { config, database, logger } = parts;
  if (config.databaseReplicaUrl === undefined) return null;
  const replica = new Replica({
    url: config.databaseReplicaUrl,
    session: replicaSession,
    primary: database,
    version,
    log: logger,
  });
  await replica.start();
  resources.defer(() => replica.close());
  return replica;
}

async function openThreadAdmission(
  { parts, clock, counts, resources }: PipelineScope,
  concurrency: ConcurrencyLimiter,
  refusals: WeakMap<IncomingHttpHeaders, ApiError>,
) {
  const { config, database, logger } = parts;
  const { badKeys, threads } = counts;
  const notices = new WebhookNotices(database, logger);
  await notices.start();
  resources.defer(() => notices.stop());
  const maxBytes = config.requestLogMaxMb * 1_000_000;
  const { store } = openCallLog({ engine: config.requestLogEngine, database, clock, log: logger });
  const requestLog = new RequestLog(database, clock, logger, { maxBytes, store, threads });
  resources.defer(() => requestLog.stop());
  const isThrottled = (address: string) => badKeys.isThrottled(address);
  const callers = new CallerCache(database.query, clock, logger, { isThrottled, threads });
  resources.defer(() => callers.close());
  const limitParts = { config, clock, logger, resources };
  const { rateLimits } = await openRateLimits(limitParts, requestLog, { store, counts });
  const admission = new Admission({
    callers,
    // Requests of the explorer have a session instead of a key: the thread forwards them to the main thread.
    findExplorerCaller: async () => null,
    sessions: { find: async () => null, countChange: async () => {} },
    rateLimits,
    badKeys,
    concurrency,
    mode: "live",
    refusalOf: (headers) => refusals.get(headers) ?? null,
    noticeFor: (userId) => notices.noticeFor(userId),
  });
  return { admission, requestLog, callers };
}

function areasOf({ parts, index, version }: PipelineScope) {
  const beatsOn = beatCatalogues(version);
  const routes = [
    ...beatReadRoutes(beatsOn, index, parts.database.query),
    ...userRoutes,
    ...genreRoutes,
    ...searchRoutes(beatsOn, index),
  ];
  const notFound = (path: string) => `There is nothing at ${path}.`;
  return [
    {
      prefixes: apiPrefixes,
      routes: routes.filter(({ method }) => method === "GET"),
      fallback: { access: { by: "key", permission: null }, headers: apiHeaders, notFound } as const,
    },
    { prefixes: [""], routes: [], fallback: { access: { by: "anyone" }, notFound } as const },
  ];
}
