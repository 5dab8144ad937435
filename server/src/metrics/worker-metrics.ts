import { collectDefaultMetrics, Registry } from "prom-client";
import {
  type CapacityParts,
  type DeliveryQueue,
  registerDeliveries,
  registerMails,
  registerPool,
} from "./capacity-metrics.ts";
import { MediaJobMetrics, type MediaQueue } from "./media-job-metrics.ts";
import type { StorageWatch } from "./storage.ts";

export interface WorkerMetricsParts {
  pool: CapacityParts["pool"];
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
