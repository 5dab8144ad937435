import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { deleteDeliveries } from "../bulk-changes.ts";
import type { Endpoint } from "../endpoint.ts";
import { maxConcurrency } from "../health.ts";
import { type EndpointRequest, insertEndpoint } from "./endpoints.ts";

/**
 * Creates the temporary endpoint of `webhooks listen`. Only that process claims its deliveries (`DeliveryWorker` with its
 * scope). It counts toward no limit and causes no notice or mail. It is deleted 30 seconds after its last heartbeat.
 */
export const createForwardingEndpoint = (
  db: Queryable,
  { userId, url, eventTypes, secret }: Pick<EndpointRequest, "userId" | "url" | "eventTypes"> & { secret: string },
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<Endpoint> =>
  insertEndpoint(
    db,
    {
      user_id: userId,
      url,
      event_types: eventTypes === null ? null : [...eventTypes],
      kind: "listen",
      listener_seen_at: now,
      concurrency: maxConcurrency,
      created_at: now,
    },
    secret,
    secrets,
  );

/**
 * Records a heartbeat; due every few seconds. Throws an OperatorError if the endpoint was deleted because heartbeats
 * were missing.
 */
export async function recordHeartbeat(db: Queryable, id: number, now: Date): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_endpoints")
    .set({ listener_seen_at: now })
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    throw new OperatorError("The connection to the database was away for too long. Start listening again.");
}

/** Deletes a forwarding endpoint and its deliveries. */
export async function deleteForwardingEndpoint(db: Queryable, id: number): Promise<void> {
  await db.deleteFrom("webhook_endpoints").where("id", "=", id).where("kind", "=", "listen").execute();
  await deleteDeliveries(db, sql`endpoint_id = ${id}`);
}
