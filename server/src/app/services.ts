import type { BackupService } from "@beatmarket/backup/backup-service.ts";
import { CatalogueIndex, type CatalogueIndexParts } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { AccessWatch } from "@beatmarket/http/admission/access-watch.ts";
import { BadKeyThrottle } from "@beatmarket/http/admission/bad-key-throttle.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { ResponseCache } from "@beatmarket/http/cache/response-cache.ts";
import { type LoadRecent, MemoryRateLimitStore } from "@beatmarket/http/rate-limit/memory-store.ts";
import { redisAddress } from "@beatmarket/http/rate-limit/redis-address.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import { StoragePresence } from "@beatmarket/storage/presence.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Logger } from "pino";
import { Admission } from "../access/admission.ts";
import { bucketAt } from "../access/caller.ts";
import { IdempotencyKeys } from "../access/idempotency.ts";
import { allWindows } from "../access/plans.ts";
import type { Config } from "../config.ts";
import { CatalogueReads } from "../database/catalogue/catalogue-reads.ts";
import { CatalogueVersion } from "../database/catalogue/catalogue-version.ts";
import { Replica } from "../database/catalogue/replica.ts";
import type { Database, ReadServer } from "../database/connect.ts";
import { lastMigration } from "../database/migrations.ts";
import { LoopRenderer } from "../demo/loop/loop-renderer.ts";
import { DemoMasters } from "../demo/masters.ts";
import { DemoPreviews } from "../demo/previews.ts";
import type { Mailer } from "../mail/mailer.ts";
import { openTransfers } from "../media/transfers.ts";
import { Metrics } from "../metrics/metrics.ts";
import { diskFolders, StorageWatch } from "../metrics/storage.ts";
import { Accounts } from "../portal/auth/accounts.ts";
import { Attempts } from "../portal/auth/attempts.ts";
import { MailQueue } from "../portal/auth/mail-queue.ts";
import { explorerCaller } from "../portal/explorer/explorer-caller.ts";
import type { WebhookContext } from "../portal/webhooks/endpoint-routes.ts";
import { CallerCache } from "../resources/api-keys/caller-cache.ts";
import { BeatCatalogue } from "../resources/beats/catalogue/beat-catalogue.ts";
import type { PublishingContext } from "../resources/beats/publishing/context.ts";
import { PlayCounter } from "../resources/beats/write/plays.ts";
import { ChangeFeed } from "../resources/changes/feed.ts";
import { EventFeed } from "../resources/events/feed.ts";
import { EventStreams } from "../resources/events/streams.ts";
import { Exports } from "../resources/exports/exports.ts";
import { MediaQueueWatch } from "../resources/jobs/queries.ts";
import { currentTermsVersion, issueLicense, type LicenseParts } from "../resources/licenses/certificate.ts";
import { CertificatePrinter } from "../resources/licenses/pdf/printer.ts";
import { SigningKeys } from "../resources/licenses/signing/keys.ts";
import { openTerms } from "../resources/licenses/terms/folder.ts";
import { recordTerms } from "../resources/licenses/terms/terms.ts";
import type { Checkout, Shop } from "../resources/orders/checkout.ts";
import { ComparisonWatch } from "../resources/orders/comparison/comparisons.ts";
import { Deliveries } from "../resources/orders/delivery/deliveries.ts";
import { DownloadLinks } from "../resources/orders/delivery/links.ts";
import { RenditionWaits } from "../resources/orders/delivery/renditions/waits.ts";
import { openProviders } from "../resources/orders/payments/open-providers.ts";
import { PendingPaymentsWatch } from "../resources/orders/pending-watch.ts";
import { admittedSince } from "../resources/request-log/queries.ts";
import { RequestLog } from "../resources/request-log/request-log.ts";
import { DiskRoom } from "../resources/uploads/receiving/disk-room.ts";
import { PartDrafts } from "../resources/uploads/receiving/drafts.ts";
import { Tus } from "../resources/uploads/tus/tus.ts";
import { WebhookNotices } from "../resources/webhooks/monitoring/notices.ts";
import { DeliveryQueueWatch } from "../resources/webhooks/monitoring/queue-watch.ts";
import { PublicReads } from "../site/public-reads.ts";
import { scratchFolders } from "./media-jobs.ts";

export interface AppParts {
  config: Pick<
    Config,
    | "dataDir"
    | "host"
    | "publicUrl"
    | "requestLogMaxMb"
    | "accountStorageGb"
    | "databaseReplicaUrl"
    | "redisUrl"
    | "tls"
    | "trustedProxies"
    | "metricsToken"
    | "currency"
    | "stripe"
    | "allowsDuplicates"
    | "licenseTerms"
    | "storage"
    | "backup"
  >;
  database: Database;
  objects: StoredObjects;
  clock: Clock;
  logger: Logger;
  /** Null behind a proxy that ends TLS. */
  certificate: Certificate | null;
  portal: PortalParts;
  /** Absent without BACKUP_VAULT. */
  backups?: Pick<BackupService, "state" | "copyObjects">;
  /** Instead of those that the configuration names. */
  payments?: Checkout["payments"];
  /** For tests: which queries of the catalogue index catch up, and how long a start waits for the first build. */
  index?: Pick<CatalogueIndexParts, "catchesUpAlways" | "buildWaitMs">;
}

/** What the developer portal needs beside the rest. */
export interface PortalParts {
  mailer: Mailer;
  /** Whose account anybody may use with one click; null outside demo mode. */
  demoEmail: string | null;
  /** Mails are files in the data folder, since there is no mail server. */
  mailsAreFiles: boolean;
  /** The folder of the built web app. */
  folder: string;
  webhooks: WebhookContext;
}

/** Of an account, whatever it changes: more than hands can do, and no way to fill the database or somebody's server. */
const changeLimit = { limit: 120, windowSeconds: 60 };

export type Services = Awaited<ReturnType<typeof buildServices>>;

/** Builds what the routes and the background jobs work with, and starts what follows the database. */
export async function buildServices({
  config,
  database,
  objects,
  clock,
  logger,
  certificate,
  portal,
  backups,
  payments,
  index: indexSettings = {},
}: AppParts) {
  const db = database.query;
  const catalogue = new CatalogueVersion();
  const unfollowCatalogue = await catalogue.follow(database.listener, () =>
    logger.warn("the connection for change notices is lost; nothing is cached until it is back"),
  );
  const changes = await ChangeFeed.follow(db, catalogue, (error) =>
    logger.warn({ err: error }, "the newest change of the catalogue could not be read; waiting for the next notice"),
  );
  const events = new EventFeed(db);
  await events.follow(database.listener);
  const eventStreams = new EventStreams(events);
  const accessWatch = new AccessWatch(clock);
  await accessWatch.follow(database.listener);
  const replica =
    config.databaseReplicaUrl === undefined
      ? null
      : new Replica({ url: config.databaseReplicaUrl, primary: database, version: catalogue, log: logger });
  await replica?.start();
  const reads = new CatalogueReads(database, replica);
  const notices = new WebhookNotices(database, logger);
  await notices.start();
  const requestLog = new RequestLog(database, clock, logger, { maxBytes: config.requestLogMaxMb * 1_000_000 });
  const badKeys = new BadKeyThrottle(clock);
  const callers = new CallerCache(db, clock, logger, { isThrottled: (address) => badKeys.isThrottled(address) });
  const mailQueue = new MailQueue(portal.mailer, logger, clock);
  const attempts = new Attempts(db, clock);
  const accounts = new Accounts({
    db,
    clock,
    settings: { publicUrl: config.publicUrl, secrets: () => portal.webhooks.secrets.sessionSecrets },
    attempts,
    mailQueue,
    secrets: portal.webhooks.secrets,
  });
  const limitParts = {
    windows: allWindows,
    clock,
    loadRecent: (async (bucket, sinceMs, atMost) => {
      // What this process admitted may be evicted from its limits before it is in the log.
      await requestLog.flush();
      return admittedSince(db, bucketAt(bucket), sinceMs, atMost);
    }) as LoadRecent,
    log: logger,
  };
  // Loaded when needed: most servers never use Redis.
  const redis = config.redisUrl === undefined ? null : redisAddress(config.redisUrl);
  const sharedLimits =
    redis === null
      ? null
      : new (await import("@beatmarket/http/rate-limit/redis-store.ts")).RedisRateLimitStore({
          ...limitParts,
          address: redis,
        });
  await sharedLimits?.start();
  const providers = await openProviders(db, config.stripe);
  const rateLimits = sharedLimits ?? new MemoryRateLimitStore(limitParts);
  const concurrency = new ConcurrencyLimiter();
  const admission = new Admission({
    callers,
    findExplorerCaller: explorerCaller({
      db,
      clock,
      findAccount: (headers) => accounts.find(headers, () => {}),
      publicUrl: config.publicUrl,
    }),
    sessions: {
      find: (headers, setCookies) => accounts.find(headers, setCookies),
      countChange: ({ personId }) => attempts.count(`changes of account ${personId}`, changeLimit),
    },
    rateLimits,
    badKeys,
    concurrency,
    noticeFor: (userId) => notices.noticeFor(userId),
  });
  const storagePresence = new StoragePresence({ objects, log: logger });
  const storage = new StorageWatch({ db, folders: diskFolders(config), presence: storagePresence, log: logger });
  const mediaQueue = new MediaQueueWatch();
  const deliveryQueue = new DeliveryQueueWatch();
  const pendingPayments = new PendingPaymentsWatch();
  const cache = new ResponseCache(catalogue);
  const comparisons = new ComparisonWatch();
  const beatCatalogues = new WeakMap<ReadServer, BeatCatalogue>();
  const beatsOn = (server: ReadServer): BeatCatalogue => {
    const beats = beatCatalogues.get(server) ?? new BeatCatalogue(server, catalogue);
    beatCatalogues.set(server, beats);
    return beats;
  };
  const terms = await openTerms(config.licenseTerms);
  await recordTerms(db, terms, new Date(clock.nowMs()));
  const printer = new CertificatePrinter();
  const licenses: LicenseParts = {
    clock,
    publicUrl: config.publicUrl,
    terms,
    keys: new SigningKeys(db, portal.webhooks.secrets),
    printer,
    objects,
    scratch: scratchFolders(config.dataDir),
    issuing: new Map(),
  };
  const checkout: Shop = {
    db,
    clock,
    log: logger,
    payments: payments ?? providers.payments,
    currency: config.currency,
    publicUrl: config.publicUrl,
    termsVersion: currentTermsVersion(licenses),
    objects,
  };
  const links = new DownloadLinks({ publicUrl: config.publicUrl, secrets: portal.webhooks.secrets });
  const renditions = new RenditionWaits(db);
  await renditions.follow(database);
  // Where the catalogue is the demo's, a beat without a preview has a rendered loop, which is its recording as well.
  const loops = portal.demoEmail === null ? null : new LoopRenderer();
  const demoParts = loops === null ? null : { db, loops, objects, scratch: licenses.scratch };
  const drafts = new PartDrafts(config.dataDir);
  const publishing: PublishingContext = {
    db,
    clock,
    publicUrl: config.publicUrl,
    allowsDuplicates: config.allowsDuplicates,
  };
  const exports = new Exports({
    database,
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    clock,
    log: logger,
  });
  const publicReads = new PublicReads({
    clock,
    concurrency,
    findAccount: (context) => accounts.find(context.webHeaders, (cookies) => context.setCookies(cookies)),
  });
  const transfers = openTransfers();
  // The last of what can fail, since its thread would keep the process alive.
  const index = await CatalogueIndex.open({
    address: database.address,
    session: { applicationName: "beatmarket index", lastMigration },
    catalogue,
    dataDir: config.dataDir,
    log: logger,
    ...indexSettings,
  });
  return {
    catalogue,
    index,
    changes,
    events,
    eventStreams,
    accessWatch,
    exports,
    publicReads,
    transfers,
    unfollowCatalogue,
    replica,
    reads,
    notices,
    requestLog,
    metrics: new Metrics({
      requestLog,
      sharedLimits,
      catalogue,
      reads,
      changes,
      eventStreams,
      storage,
      index,
      mediaQueue,
      deliveryQueue,
      mailQueue,
      pendingPayments,
      capacity: {
        pool: database.pool,
        concurrency,
        cache,
        callers,
        rateLimits: rateLimits instanceof MemoryRateLimitStore ? rateLimits : null,
        publicPages: publicReads,
        badKeys,
        attempts,
        exports,
      },
      transfers,
      loops,
      certificate,
      comparisons,
      replica,
      backups: backups?.state ?? null,
    }),
    mediaQueue,
    deliveryQueue,
    pendingPayments,
    cache,
    comparisons,
    storage,
    storagePresence,
    callers,
    mailQueue,
    accounts,
    sharedLimits,
    rateLimits,
    concurrency,
    admission,
    stripe: providers.stripe,
    checkout,
    links,
    renditions,
    deliveries: new Deliveries({
      db,
      clock,
      publicUrl: config.publicUrl,
      links,
      renditions,
      masters: demoParts === null ? null : new DemoMasters(demoParts),
      issueLicense: (facts) => issueLicense(db, licenses, facts),
    }),
    licenses,
    printer,
    publishing,
    idempotencyKeys: new IdempotencyKeys(db, clock),
    beatsOn,
    plays: new PlayCounter(db, clock),
    loops,
    previews: demoParts === null ? null : new DemoPreviews(demoParts),
    drafts,
    tus: new Tus({
      db,
      drafts,
      objects,
      clock,
      room: new DiskRoom({ folders: uploadDisks(config), clock }),
      standardBytes: config.accountStorageGb * 1_000_000_000,
    }),
  };
}

/** The folders whose disks take uploads: parts in DATA_DIR, and objects where they are in another folder. */
function uploadDisks(config: Parameters<typeof diskFolders>[0]): string[] {
  const { data, storage } = diskFolders(config);
  return [data, storage].filter((folder) => folder !== undefined);
}
