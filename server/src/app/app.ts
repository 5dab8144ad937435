import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import examples from "../../../contract/examples.json" with { type: "json" };
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { CatalogueReads } from "../database/catalogue/catalogue-reads.ts";
import { CatalogueVersion } from "../database/catalogue/catalogue-version.ts";
import { Replica } from "../database/catalogue/replica.ts";
import type { Database, ReadServer } from "../database/connection/connect.ts";
import { explorerRoutes } from "../explorer/explorer.ts";
import { BadKeyThrottle } from "../http/admission/bad-key-throttle.ts";
import { Workload } from "../http/admission/concurrency-limiter.ts";
import { Gate } from "../http/admission/gate.ts";
import { AnswerCache } from "../http/cache/response-cache.ts";
import { operationsRoutes } from "../http/health.ts";
import { IdempotencyKeys } from "../http/idempotency.ts";
import { openApiDocument } from "../http/openapi/document.ts";
import { connectionTo } from "../http/openapi/samples.ts";
import type { DocumentedEvent } from "../http/openapi/webhooks.ts";
import { mountApi } from "../http/pipeline/api.ts";
import type { RecordCall } from "../http/pipeline/request-context.ts";
import { catalogueShortcut } from "../http/pipeline/shortcut.ts";
import { bucketAt } from "../http/rate-limit/buckets.ts";
import { type LoadRecent, MemoryRateLimitStore } from "../http/rate-limit/memory-store.ts";
import type { Certificate } from "../http/tls/certificate.ts";
import { createServer } from "../http/transport/server.ts";
import { PageAnchors } from "../listing/page-anchors.ts";
import type { Mailer } from "../mail/mailer.ts";
import { mediaRoutes } from "../media/media.ts";
import { Metrics } from "../metrics/metrics.ts";
import { Accounts } from "../portal/auth/accounts.ts";
import { Postbox } from "../portal/auth/postbox.ts";
import { sweepAuth } from "../portal/auth/sweep.ts";
import { explorerCaller } from "../portal/explorer/explorer-caller.ts";
import { portalApi } from "../portal/mount.ts";
import { portalRoutes } from "../portal/portal.ts";
import { webApp } from "../portal/web-app.ts";
import type { WebhookTerms } from "../portal/webhooks/endpoint-routes.ts";
import { repeat, type StopRepeating } from "../repeat.ts";
import { CallerCache } from "../resources/api-keys/caller-cache.ts";
import { BeatReader } from "../resources/beats/catalogue/beat-catalogue.ts";
import { PlayCounter } from "../resources/beats/plays.ts";
import { beatRoutes } from "../resources/beats/routes.ts";
import { BeatUpdated, ReferenceBeat } from "../resources/beats/schema.ts";
import { genreRoutes } from "../resources/genres/routes.ts";
import type { Checkout } from "../resources/orders/checkout/checkout.ts";
import { Reconciler } from "../resources/orders/checkout/reconciler.ts";
import { Sandbox } from "../resources/orders/payments/sandbox.ts";
import { stripeWebhook } from "../resources/orders/payments/stripe-webhook.ts";
import { orderRoutes } from "../resources/orders/routes.ts";
import { Purchase } from "../resources/orders/schema.ts";
import { tallyOrders } from "../resources/orders/tally.ts";
import { entryOf } from "../resources/request-log/entry.ts";
import { admittedSince } from "../resources/request-log/queries.ts";
import { RequestLog } from "../resources/request-log/request-log.ts";
import { producerNames } from "../resources/search/producer-names.ts";
import { searchRoutes } from "../resources/search/routes.ts";
import { SearchTotals } from "../resources/search/totals/totals.ts";
import type { ProducerNames } from "../resources/users/profile.ts";
import { userRoutes } from "../resources/users/routes.ts";
import { ProfileSchema, UserUpdated } from "../resources/users/schema.ts";
import type { EventType } from "../resources/webhooks/events/event-types.ts";
import { WebhookNotices } from "../resources/webhooks/monitoring/notices.ts";

export interface AppParts {
  config: Pick<
    Config,
    "publicUrl" | "databaseReplicaUrl" | "redisUrl" | "tls" | "metricsToken" | "currency" | "stripe"
  >;
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Null behind a proxy that ends TLS. */
  certificate: Certificate | null;
  portal: PortalParts;
  /** Instead of those that the configuration names. */
  payments?: Checkout["payments"];
}

/** What the developer portal needs beside the rest. */
export interface PortalParts {
  /** Session cookies are signed with it. */
  secret: string;
  mailer: Mailer;
  /** Whose account anybody may use with one click; null outside demo mode. */
  demoEmail: string | null;
  /** Mails are files in the data folder, since there is no mail server. */
  mailsAreFiles: boolean;
  /** The folder of the built web app. */
  folder: string;
  webhooks: WebhookTerms;
}

/** The operation table: every resource of the API. */
export const apiRoutes = (
  beatsOn: (server: ReadServer) => BeatReader,
  anchors: PageAnchors,
  searchTotals: SearchTotals,
  names: ProducerNames,
  checkout: Checkout,
) => [
  ...beatRoutes(beatsOn),
  ...userRoutes(anchors, names),
  ...genreRoutes,
  ...searchRoutes(beatsOn, searchTotals),
  ...orderRoutes(checkout),
];

/** What webhooks tell of (contract 6.1), with the schemas of those who emit it. */
export const apiEvents: readonly (DocumentedEvent & { type: EventType })[] = [
  { type: "beat.created", summary: "A new beat was uploaded.", audience: "every subscriber", data: ReferenceBeat },
  { type: "beat.updated", summary: "A beat was updated.", audience: "every subscriber", data: BeatUpdated },
  {
    type: "beat.purchased",
    summary: "A beat was purchased.",
    audience: "the seller, the purchaser, and accounts that the operator marked marketplace",
    data: Purchase,
  },
  { type: "user.registered", summary: "A new user registered.", audience: "every subscriber", data: ProfileSchema },
  { type: "user.updated", summary: "A user's profile was updated.", audience: "every subscriber", data: UserUpdated },
];

/** Builds the server from its parts. Closing it writes what is still in memory; the database stays open. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, database, clock, logger, certificate } = parts;
  const behindProxy = config.tls.mode === "off";
  const db = database.query;
  const catalogue = new CatalogueVersion();
  const unfollow = await catalogue.follow(database.listener, () =>
    logger.warn("notices of changes are lost; no answer is kept until they are back"),
  );
  const replica =
    config.databaseReplicaUrl === undefined
      ? null
      : new Replica({ url: config.databaseReplicaUrl, primary: database, version: catalogue, log: logger });
  await replica?.start();
  const reads = new CatalogueReads(database, replica);
  const requestLog = new RequestLog(database, clock, logger);
  const notices = new WebhookNotices(database, logger);
  await notices.start();
  const callers = new CallerCache(db, clock, logger);
  const { secret, mailer, demoEmail, mailsAreFiles, folder, webhooks } = parts.portal;
  const postbox = new Postbox(mailer, logger);
  const accounts = new Accounts({ db, clock, settings: { publicUrl: config.publicUrl, secret }, postbox });
  const limitParts = {
    clock,
    loadRecent: ((bucket, sinceMs, atMost) => admittedSince(db, bucketAt(bucket), sinceMs, atMost)) as LoadRecent,
    log: logger,
  };
  const sharedLimits =
    config.redisUrl === undefined
      ? null
      : new (await import("../http/rate-limit/redis-store.ts")).RedisRateLimitStore({
          ...limitParts,
          url: config.redisUrl,
        });
  await sharedLimits?.start();
  const rateLimits = sharedLimits ?? new MemoryRateLimitStore(limitParts);
  const metrics = new Metrics({ requestLog, sharedLimits, catalogue, reads, replica });
  const gate = new Gate({
    callers,
    findExplorerCaller: explorerCaller({
      db,
      clock,
      findAccount: (headers) => accounts.find(headers, () => {}),
      publicUrl: config.publicUrl,
    }),
    rateLimits,
    badKeys: new BadKeyThrottle(clock),
    noticeFor: (userId) => notices.noticeFor(userId),
    behindProxy,
  });

  const record: RecordCall = (call, status) => {
    requestLog.add(entryOf(call, status, gate.address(call), clock.nowMs()));
    metrics.observe(call.exchange, status);
  };
  const cache = new AnswerCache(catalogue);
  const stripe =
    config.stripe === null
      ? null
      : new (await import("../resources/orders/payments/stripe.ts")).StripePayments(config.stripe);
  const sandbox = new Sandbox(db);
  const payments = parts.payments ?? (stripe === null ? [sandbox] : [stripe, sandbox]);
  const checkout: Checkout = { db, clock, log: logger, payments, currency: config.currency };
  const idempotencyKeys = new IdempotencyKeys(db, clock);
  const anchors = new PageAnchors(catalogue);
  const beatReaders = new WeakMap<ReadServer, BeatReader>();
  const beatsOn = (server: ReadServer): BeatReader => {
    const reader = beatReaders.get(server) ?? new BeatReader(server, anchors, catalogue);
    beatReaders.set(server, reader);
    return reader;
  };
  const searchTotals = new SearchTotals(db);
  const routes = apiRoutes(beatsOn, anchors, searchTotals, producerNames(database), checkout);
  const workload = new Workload();
  const apiParts = {
    routes,
    gate,
    primary: database,
    clock,
    catalogue,
    reads,
    publicUrl: config.publicUrl,
    record,
    cache,
  };
  const shortcut = catalogueShortcut({ ...apiParts, workload });
  const app = createServer({ certificate, logger, shortcut, workload, hsts: !isLoopback(config.publicUrl) });
  mountApi(app, { ...apiParts, idempotencyKeys });
  app.register(operationsRoutes, { db, metrics: metrics.registry, metricsToken: config.metricsToken, behindProxy });
  if (stripe !== null && config.stripe?.webhookSecret !== undefined) app.register(stripeWebhook, { stripe, checkout });
  const plays = new PlayCounter(db, clock);
  app.register(mediaRoutes, { db, onPlay: (beatId, request) => plays.add(beatId, gate.address(request)) });
  const connection = connectionTo(config.publicUrl, { ownAuthority: config.tls.mode === "own" });
  const document = openApiDocument(routes, apiEvents, examples, connection);
  const documentText = JSON.stringify(document);
  app.get("/openapi.json", async (_request, reply) => reply.type("application/json; charset=utf-8").send(documentText));
  app.register(explorerRoutes, { document });
  app.get("/", async (_request, reply) => reply.redirect("/portal"));
  app.register(portalApi, {
    prefix: "/portal/api",
    routes: portalRoutes({
      accounts,
      permissionOf: new Map(routes.map(({ operationId, permission }) => [operationId, permission])),
      rateLimits,
      baseUrl: connection.baseUrl,
      caFile: connection.caFile ?? null,
      demoEmail,
      mailsAreFiles,
      webhooks,
    }),
    findAccount: (headers, setCookies) => accounts.find(headers, setCookies),
    db,
    clock,
    publicUrl: config.publicUrl,
    behindProxy,
  });
  app.register(webApp, { folder });

  requestLog.start();
  const jobs: StopRepeating[] = [];
  app.addHook("onListen", async () => {
    const every = (ms: number, what: string, job: (stopping: AbortSignal) => Promise<void>) =>
      jobs.push(repeat(ms, job, (error) => logger.warn({ err: error }, `${what} failed; trying again`)));
    const reconciler = new Reconciler(checkout, catalogue);
    every(60_000, "settling open orders", (stopping) => reconciler.run(stopping));
    every(1_000, "counting orders", async () => {
      if ((await tallyOrders(db)) > 0) catalogue.bump();
    });
    every(1_000, "counting matches of common words", () => searchTotals.keep());
    every(3_600_000, "looking for common words", () => searchTotals.expectCommonWords());
    every(10_000, "counting plays", async () => {
      if (await plays.flush()) catalogue.bump();
    });
    every(600_000, "forgetting Idempotency-Keys", () => idempotencyKeys.sweep());
    every(600_000, "forgetting ended sessions", () => sweepAuth(db, clock.nowMs()));
  });
  app.addHook("onClose", async () => {
    await Promise.all(jobs.map((stop) => stop()));
    await plays.flush().catch((error) => logger.warn({ err: error }, "the last plays were not counted"));
    unfollow();
    await replica?.close();
    await notices.stop();
    await callers.close();
    await postbox.empty();
    sharedLimits?.stop();
    await requestLog.stop();
  });
  return app;
}

const isLoopback = (origin: string): boolean =>
  /^(localhost|127\..*|\[::1\]|.*\.localhost)$/.test(new URL(origin).hostname);
