import type { BackupState } from "@beatmarket/backup/backup-service.ts";
import type { IndexState } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import {
  type CapacityParts,
  type DeliveryQueue,
  type MailState,
  registerCapacity,
  registerCertificate,
  registerDeliveries,
  registerMails,
} from "./capacity-metrics.ts";
import { MediaJobMetrics, type MediaQueue } from "./metrics-server.ts";
import { CallMetrics, registerServing, type ServingParts } from "./serving-metrics.ts";
import {
  type LedgerComparisons,
  type Loops,
  type PendingPayments,
  registerBackups,
  registerIndex,
  registerLedger,
  registerLoops,
  registerPendingPayments,
  registerTransfers,
} from "./shop-metrics.ts";
import type { StorageWatch } from "./storage.ts";

export interface MetricsParts extends ServingParts {
  requestLog: ServingParts["requestLog"] & { readonly storedBytes: number | null };
  /** Null if the settings choose that each process counts for itself. */
  sharedLimits: { readonly isShared: boolean; readonly refusals: ReadonlyMap<string, number> } | null;
  catalogue: { readonly isFollowed: boolean };
  changes: { readonly waiting: number };
  eventStreams: { readonly size: number };
  storage: Pick<StorageWatch, "register">;
  index: { readonly state: IndexState };
  mediaQueue: MediaQueue;
  deliveryQueue: DeliveryQueue;
  /** The mail queue of the portal. */
  mailQueue: { readonly state: MailState };
  mailWatch: { readonly state: MailState };
  capacity: CapacityParts;
  transfers: Parameters<typeof registerTransfers>[0];
  /** Null except in the demo, because only the demo renders loops. */
  loops: Loops | null;
  /** Null behind a proxy that ends TLS. */
  certificate: Certificate | null;
  pendingPayments: PendingPayments;
  comparisons: LedgerComparisons;
  /** Null without a replica in the settings. */
  replica: { readonly isLeftOut: boolean; readonly behindBytes: number } | null;
  /** Null if the server makes no backups. */
  backups: Readonly<BackupState> | null;
}

/** The metrics of a server process, and the metrics of the whole service. */
export class Metrics {
  readonly registry = new Registry();
  readonly mediaJobs: MediaJobMetrics;
  /** Call this after a change of the certificate in use. */
  readonly showCertificate: (certificate: Certificate) => void;
  readonly #calls: CallMetrics;

  constructor(parts: MetricsParts) {
    const {
      requestLog,
      sharedLimits,
      catalogue,
      changes,
      eventStreams,
      storage,
      index,
      mediaQueue,
      comparisons,
      replica,
      backups,
    } = parts;
    collectDefaultMetrics({ register: this.registry });
    this.#calls = new CallMetrics(this.registry);
    storage.register(this.registry);
    registerServing(parts, this.registry);
    registerCapacity(parts.capacity, this.registry);
    registerTransfers(parts.transfers, this.registry);
    if (parts.loops !== null) registerLoops(parts.loops, this.registry);
    registerDeliveries(parts.deliveryQueue, this.registry);
    registerMails(
      {
        portal: () => parts.mailQueue.state,
        webhooks: () => parts.deliveryQueue.mails,
        money: () => parts.mailWatch.state,
      },
      this.registry,
    );
    this.showCertificate = registerCertificate(parts.certificate, this.registry);
    registerIndex(index, this.registry);
    registerPendingPayments(parts.pendingPayments, this.registry);
    registerLedger(comparisons, this.registry);
    if (backups !== null) registerBackups(backups, this.registry);
    this.mediaJobs = new MediaJobMetrics(mediaQueue, this.registry);
    const registers = [this.registry];
    new Gauge({
      name: "beatmarket_request_log_stored_bytes",
      help: "Bytes of the request log in the database after the last sweep, which runs every ten minutes.",
      registers,
      collect() {
        if (requestLog.storedBytes !== null) this.set(requestLog.storedBytes);
      },
    });
    if (sharedLimits !== null) {
      new Gauge({
        name: "beatmarket_rate_limits_shared",
        help: "1 while limits are counted across instances, 0 while Redis is unreachable or returns errors, so that each instance counts alone.",
        registers,
        collect() {
          this.set(sharedLimits.isShared ? 1 : 0);
        },
      });
      new Counter({
        name: "beatmarket_redis_errors_total",
        help: "Error replies of Redis, by their code, such as OOM or READONLY.",
        labelNames: ["code"],
        registers,
        collect() {
          this.reset();
          for (const [code, count] of sharedLimits.refusals) this.inc({ code }, count);
        },
      });
    }
    new Gauge({
      name: "beatmarket_catalogue_followed",
      help: "1 while this process is notified of changes by other processes, 0 while it is not and caches no responses.",
      registers,
      collect() {
        this.set(catalogue.isFollowed ? 1 : 0);
      },
    });
    new Gauge({
      name: "beatmarket_event_streams",
      help: "Event streams that are open.",
      registers,
      collect() {
        this.set(eventStreams.size);
      },
    });
    new Gauge({
      name: "beatmarket_waiting_requests",
      help: "Requests that wait for changes of the catalogue (GET /changes with wait).",
      registers,
      collect() {
        this.set(changes.waiting);
      },
    });
    if (replica === null) return;
    new Gauge({
      name: "beatmarket_replica_used",
      help: "1 while the replica is read, 0 while it is not, because it is unreachable, more than a second behind, or promoted.",
      registers,
      collect() {
        this.set(replica.isLeftOut ? 0 : 1);
      },
    });
    new Gauge({
      name: "beatmarket_replica_behind_bytes",
      help: "Bytes of the primary's write-ahead log up to the last known change that the replica has not replayed yet.",
      registers,
      collect() {
        this.set(replica.behindBytes);
      },
    });
  }

  observe(context: RequestContext): void {
    this.#calls.observe(context);
  }
}
