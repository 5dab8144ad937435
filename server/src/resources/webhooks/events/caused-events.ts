import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { DeliveryState } from "../deliveries.ts";

/** An event caused by an API request, and its deliveries to the account's own endpoints. */
export interface CausedEvent {
  id: string;
  type: string;
  createdAt: Date;
  deliveries: { id: number; endpointId: number; url: string; state: DeliveryState; attempts: number }[];
}

/** The events caused by a request of the account, oldest first. Hides deliveries to other accounts. */
export async function eventsOfCall(db: Queryable, userId: number, requestId: string): Promise<CausedEvent[]> {
  const { rows } = await sql<CausedEvent>`
    select events.id, events.type, events.created_at as "createdAt", coalesce(own.deliveries, '[]') as deliveries
    from events left join lateral (
      select json_agg(json_build_object('id', delivery.id, 'endpointId', endpoint.id, 'url', endpoint.url,
                                        'state', delivery.state, 'attempts', delivery.attempts)
                      order by delivery.id) as deliveries
      from webhook_endpoints endpoint
      join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id and delivery.event_id = events.id
      where endpoint.user_id = ${userId}
    ) own on true
    where events.request_id = ${requestId} order by events.id`.execute(db);
  return rows;
}
