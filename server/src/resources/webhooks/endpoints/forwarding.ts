import type { Queryable } from "../../../database/connection/connect.ts";
import { OperatorError } from "../../../errors.ts";
import { maxConcurrency } from "../monitoring/health.ts";
import type { Endpoint } from "./endpoint.ts";
import { type EndpointRequest, insertEndpoint } from "./endpoints.ts";
import type { SecretBox } from "./secret-box.ts";

/**
 * Makes an endpoint whose deliveries only the caller sends (`DeliveryWorker` with its scope). It counts for no limit and
 * brings no notice or mail. It lasts while it is kept alive, and then half a minute.
 */
export const addListener = (
  db: Queryable,
  { userId, url, eventTypes, secret }: Pick<EndpointRequest, "userId" | "url" | "eventTypes"> & { secret: string },
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<Endpoint> =>
  insertEndpoint(db, {
    user_id: userId,
    url,
    event_types: eventTypes === null ? null : [...eventTypes],
    kind: "listen",
    listener_seen_at: now,
    secret: secrets.seal(secret),
    concurrency: maxConcurrency,
    created_at: now,
  });

/** To be called every few seconds. Throws when the endpoint is gone because it was not. */
export async function keepListener(db: Queryable, id: number, now: Date): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_endpoints")
    .set({ listener_seen_at: now })
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    throw new OperatorError("The connection to the database was away for too long. Start listening again.");
}
