import type { Queryable } from "../../../database/connection/connect.ts";
import { type DeliveryQueueState, deliveryQueueState } from "../delivery/queue.ts";

/** The queue as it was measured last, so that a scrape of metrics costs nothing. */
export class DeliveryQueueWatch {
  state: DeliveryQueueState = { oldestDueSeconds: 0, sending: 0 };

  async measure(db: Queryable, now: Date): Promise<void> {
    this.state = await deliveryQueueState(db, now);
  }
}
