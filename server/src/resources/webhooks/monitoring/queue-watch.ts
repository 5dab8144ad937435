import type { Queryable } from "../../../database/connect.ts";
import { type DeliveryQueueState, deliveryQueueState } from "../delivery/queue.ts";
import { countDueMails, type DueMails } from "./mails.ts";

/** The last measured queues of deliveries and of mails about endpoints, so that a scrape of metrics costs no statement. */
export class DeliveryQueueWatch {
  state: DeliveryQueueState = { oldestDueSeconds: 0, pending: 0, sending: 0 };
  mails: DueMails = { waiting: 0, oldestSeconds: 0 };

  async measure(db: Queryable, now: Date): Promise<void> {
    this.state = await deliveryQueueState(db, now);
    this.mails = await countDueMails(db, now);
  }
}
