import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { type RawBuilder, sql } from "kysely";

/**
 * Marks the pending deliveries of a disabled endpoint as skipped; a replay can queue them again. Returns their number.
 */
export const skipPending = (db: Queryable, endpointId: number): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      update webhook_deliveries set state = 'skipped', next_attempt_at = null where id in (
        select delivery.id from webhook_deliveries delivery
        join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id and endpoint.state = 'disabled'
        where delivery.endpoint_id = ${endpointId} and delivery.state = 'pending'
        limit ${batchSize} for update of delivery skip locked)`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

/**
 * Deletes the deliveries that meet a condition on their columns, and their attempts. Returns the number of deliveries.
 */
export const deleteDeliveries = (db: Queryable, condition: RawBuilder<unknown>): Promise<number> =>
  inBatches(async () => {
    const { rows } = await sql<{ count: number }>`
      with deleted as (
        delete from webhook_deliveries where id in (
          select id from webhook_deliveries where ${condition} limit ${batchSize}) returning id
      ), attempts as (
        delete from webhook_attempts using deleted where delivery_id = deleted.id
      )
      select count(*) as count from deleted`.execute(db);
    return rows[0]?.count ?? 0;
  });
