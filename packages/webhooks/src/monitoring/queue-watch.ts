import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { type DeliveryQueueState, deliveryQueueState } from "../delivery/queue.ts";

/** The last measured queues of deliveries and of mails about endpoints, so that a scrape of metrics needs no query. */
export class DeliveryQueueWatch {
  state: DeliveryQueueState = { oldestDueSeconds: 0, lateSeconds: 0, pending: 0, sending: 0 };
  mails: DueMails = { waiting: 0, oldestSeconds: 0 };

  async measure(db: Queryable, now: Date): Promise<void> {
    this.state = await deliveryQueueState(db, now);
    this.mails = await countDueMails(db, now);
  }
}

/**
 * The number of mails about endpoints that no mail server has accepted yet, and how long the oldest of them has been
 * due; 0 without any.
 */
export interface DueMails {
  waiting: number;
  oldestSeconds: number;
}

export async function countDueMails(db: Queryable, now: Date): Promise<DueMails> {
  const { rows } = await sql<DueMails>`
    select count(*)::int as waiting,
      coalesce(greatest(0, extract(epoch from ${now}::timestamptz
        - min(case mail_due when 'disabled' then disabled_at else failing_mail_at end))), 0)::float8 as "oldestSeconds"
    from webhook_endpoints where mail_due is not null`.execute(db);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 };
}
