import { JobQueueWatch } from "@beatmarket/jobs/queue.ts";
import { DiskRoom } from "@beatmarket/resumable-uploads/disk-room.ts";
import { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import { Tus } from "@beatmarket/resumable-uploads/tus.ts";
import { StoragePresence } from "@beatmarket/storage/presence.ts";
import { DeliveryQueueWatch } from "@beatmarket/webhooks/monitoring/queue-watch.ts";
import { openTransfers } from "../media/transfers.ts";
import { Metrics } from "../metrics/metrics.ts";
import { StatusWatch } from "../metrics/status-watch.ts";
import { diskFolders, diskOf, StorageWatch } from "../metrics/storage.ts";
import { EventFeed } from "../resources/events/feed.ts";
import { EventStreams } from "../resources/events/streams.ts";
import { Exports } from "../resources/exports/exports.ts";
import { PendingPaymentsWatch } from "../resources/orders/checkout/reconciler.ts";
import { ComparisonWatch } from "../resources/orders/comparison.ts";
import { maxBytesOf } from "../resources/uploads/upload.ts";
import { uploadOwner, uploadStore } from "../resources/uploads/upload-store.ts";
import { readAssets } from "../site/assets.ts";
import { openBrand } from "../site/brand.ts";
import { openLegalTexts } from "../site/legal.ts";
import { PublicReads } from "../site/public-reads.ts";
import { openAdmission } from "./services/admission.ts";
import { openCatalogue } from "./services/catalogue.ts";
import type { AppParts, ServiceScope } from "./services/scope.ts";
import { openShop } from "./services/shop.ts";

export type Services = Awaited<ReturnType<typeof openServices>>;

/**
 * Opens the dependencies of the routes and the background jobs. If a dependency cannot be opened, closes the others.
 */
export async function openServices(parts: AppParts) {
  const scope: ServiceScope = { ...parts, waits: new AsyncDisposableStack(), resources: new AsyncDisposableStack() };
  try {
    return await openParts(scope);
  } catch (error) {
    await scope.waits.disposeAsync();
    await scope.resources.disposeAsync();
    throw error;
  }
}

async function openParts(scope: ServiceScope) {
  const { waits, resources } = scope;
  const catalogue = await openCatalogue(scope);
  const events = await openEvents(scope);
  const admission = await openAdmission(scope);
  const files = openFiles(scope);
  const shop = await openShop(scope);
  const brand = await openBrand(scope.config.site);
  const legal = await openLegalTexts(scope.config.site);
  const { accounts, concurrency } = admission;
  const publicReads = new PublicReads({
    clock: scope.clock,
    catalogue: catalogue.catalogue,
    concurrency,
    findAccount: (context) => accounts.find(context.webHeaders, (cookies) => context.setCookies(cookies)),
  });
  const watched = watches();
  const services = {
    waits,
    resources,
    ...catalogue,
    ...events,
    ...admission,
    ...files,
    ...shop,
    ...watched,
    publicReads,
    brand,
    legal,
    readAssets: () => readAssets(scope.portal.folder, brand),
    status: new StatusWatch({
      db: scope.database.query,
      clock: scope.clock,
      sharedLimits: admission.sharedLimits,
      deliveryQueue: watched.deliveryQueue,
      mediaQueue: watched.mediaQueue,
      isIndexReady: () => catalogue.index.state.isReady,
      storagePresence: files.storagePresence,
      paymentProvider: shop.stripe,
      isDiskFull: () => files.diskRoom.isFull(),
    }),
  };
  const metrics = new Metrics({
    ...services,
    pool: scope.database.pool,
    capacity: {
      ...services,
      rateLimits: "size" in services.rateLimits ? services.rateLimits : null,
      publicPages: publicReads,
    },
    certificate: scope.certificate,
    backups: scope.backups?.state ?? null,
  });
  return { ...services, metrics };
}

async function openEvents({ database, waits }: ServiceScope) {
  const events = new EventFeed(database.query);
  await events.follow(database.listener);
  waits.defer(() => events.stop());
  const eventStreams = new EventStreams(events);
  waits.defer(() => eventStreams.stop());
  return { events, eventStreams };
}

/** Values that background jobs measure and /metrics shows. */
const watches = () => ({
  mediaQueue: new JobQueueWatch(),
  deliveryQueue: new DeliveryQueueWatch(),
  pendingPayments: new PendingPaymentsWatch(),
  comparisons: new ComparisonWatch(),
});

/** Opens the services for files: uploads, exports, downloads, and the disks. */
function openFiles({ config, database, objects, clock, logger, waits }: ServiceScope) {
  const db = database.query;
  const storagePresence = new StoragePresence({ objects, log: logger });
  const drafts = new PartDrafts(config.dataDir);
  const folders = diskFolders(config);
  // The parts of unfinished uploads are in DATA_DIR, objects are in the storage.
  const diskRoom = new DiskRoom({
    folders: [folders.data, folders.storage].filter((folder) => folder !== undefined),
    clock,
    readDisk: diskOf,
  });
  const exports = new Exports({ database, dataDir: config.dataDir, publicUrl: config.publicUrl, clock, log: logger });
  waits.defer(() => exports.stop());
  /** The storage limit of an account of plan standard. */
  const standardBytes = config.accountStorageGb * 1_000_000_000;
  const tus = new Tus({
    store: uploadStore({ db, clock, standardBytes }),
    ownerOf: uploadOwner,
    maxBytes: Math.max(...Object.values(maxBytesOf)),
    drafts,
    objects,
    clock,
    room: diskRoom,
  });
  waits.defer(() => tus.stop());
  return {
    storagePresence,
    storage: new StorageWatch({ db, folders, presence: storagePresence, log: logger }),
    transfers: openTransfers(),
    diskRoom,
    drafts,
    exports,
    tus,
    standardBytes,
  };
}
