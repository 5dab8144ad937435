import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type Endpoint, requireEnabled } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import {
  countReplayable as count,
  replayDeliveries as replay,
  reserveReplay as reserve,
  type Selection,
  selectionInWords,
} from "@beatmarket/webhooks/replay.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { recordAudit } from "../audit/queries.ts";
import { type AuditedPrincipal, auditName, authorOf } from "./audit.ts";
import { eventRules } from "./outbox.ts";

/**
 * Queues deliveries of an endpoint again, and returns their number. Records the replay in the audit log before the
 * first batch.
 */
export async function replayDeliveries(
  db: Queryable,
  endpoint: Endpoint,
  selection: Selection,
  principal: AuditedPrincipal,
  now: Date,
): Promise<number> {
  requireEnabled(endpoint);
  await recordAudit(db, {
    userId: endpoint.userId,
    action: "webhook_endpoint.replayed",
    subject: `${auditName(endpoint)}: ${selectionInWords(selection)}`,
    author: authorOf(principal),
    at: now,
  });
  return replay(db, endpoint, selection, eventRules, now);
}

/** Counts the deliveries that an account's owner will replay. Throws 429 above the limit. Operators have no limit. */
export const reserveReplay = (
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "userId">,
  count: number,
  now: Date,
): Promise<void> =>
  transact(db, async (transaction) => {
    await lockUser(transaction, endpoint.userId);
    await reserve(transaction, endpoint, count, now);
  });

/** Returns the number of deliveries that `replayDeliveries` would queue, at most `atMost`. */
export const countReplayable = (
  db: Queryable,
  endpointId: number,
  selection: Selection,
  atMost: number,
): Promise<number> => count(db, endpointId, selection, atMost, eventRules);
