import { conflict } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { NewEvent } from "../../webhooks/outbox.ts";
import { beatSoldExclusively, beatUpdated } from "../beat-events.ts";
import { findSingleBeats } from "../queries.ts";
import { stored } from "../state.ts";

// The exclusive license of a beat: available → held by an order until a time → sold, or available again. After a full
// refund it is available again. Each step is one conditional update, so exactly one of several buyers gets the license.

/** Holds the exclusive license for an order that is about to be paid. False unless the beat is for sale. */
export async function holdExclusive(
  db: Queryable,
  { beatId, orderId, now, until }: { beatId: number; orderId: number; now: Date; until: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("beats")
    .set({ exclusive_state: "held", exclusive_order_id: orderId, exclusive_held_until: until })
    .where("id", "=", beatId)
    .where(isAvailable(now))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Sells the exclusive license to a paid order: the order that holds the license, or an order without a hold if the beat
 * is for sale. The beat then leaves all lists. False for any other order.
 */
export async function sellExclusive(
  db: Queryable,
  { beatId, orderId, now }: { beatId: number; orderId: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("beats")
    .set({
      exclusive_state: "sold",
      exclusive_order_id: orderId,
      exclusive_held_until: null,
      is_listed: stored.withdrawn.is_listed,
    })
    .where("id", "=", beatId)
    .where(sql<boolean>`(${isAvailable(now)} or (exclusive_state = 'held' and exclusive_order_id = ${orderId}))`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Releases the exclusive license that a failed order held. */
export async function releaseExclusive(db: Queryable, beatId: number, orderId: number): Promise<void> {
  await release(db)
    .where("id", "=", beatId)
    .where("exclusive_state", "=", "held")
    .where("exclusive_order_id", "=", orderId)
    .execute();
}

/**
 * Makes the exclusive license that the order bought available again, and puts the beat on sale. False if the license no
 * longer belongs to that order.
 */
export async function returnExclusive(
  db: Queryable,
  { beatId, orderId }: { beatId: number; orderId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await release(db)
    .set({ is_listed: stored.published.is_listed })
    .where("id", "=", beatId)
    .where("exclusive_state", "=", "sold")
    .where("exclusive_order_id", "=", orderId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Releases expired holds and returns how many. */
export async function releaseExpiredExclusives(db: Queryable, now: Date): Promise<number> {
  const { numUpdatedRows } = await release(db)
    .where("exclusive_state", "=", "held")
    .where("exclusive_held_until", "<=", now)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

const release = (db: Queryable) =>
  db.updateTable("beats").set({ exclusive_state: "available", exclusive_order_id: null, exclusive_held_until: null });

/**
 * Whether an order froze the beat, so that no field may change: its exclusive license is sold, or held at `now`. Play
 * counts may still change, and so may the producer's account if a claim is proven. `now` may be a placeholder of a
 * statement.
 */
export const isFrozen = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`(exclusive_state = 'sold' or (exclusive_state = 'held' and exclusive_held_until > ${now}::timestamptz))`;

/** Throws 409 for a frozen beat, with the reason. The caller has locked the beat's row. */
export async function requireNotFrozen(db: Queryable, beatId: number, now: Date): Promise<void> {
  const reason = await findFrozenReason(db, beatId, now);
  if (reason !== null) throw conflict(reason);
}

/** The reason why a beat may not change now, as a sentence for its producer; null if the beat may change. */
export async function findFrozenReason(db: Queryable, beatId: number, now: Date): Promise<string | null> {
  const frozen = await db
    .selectFrom("beats")
    .select("exclusive_held_until")
    .where("id", "=", beatId)
    .where(isFrozen(now))
    .executeTakeFirst();
  if (frozen === undefined) return null;
  if (frozen.exclusive_held_until === null)
    return `The exclusive license of beat ${beatId} is sold, so nothing about the beat can change unless that order is refunded in full.`;
  return `The exclusive license of beat ${beatId} is being bought, so nothing about the beat can change until that payment ends, at the latest at ${timestamp(frozen.exclusive_held_until)}.`;
}

/**
 * Whether licenses of the beat are for sale: it is listed, and its exclusive license is neither sold nor held. `now`
 * may be an expression.
 */
export const isAvailable = (now: Date | RawBuilder<unknown>) =>
  sql<boolean>`(is_listed and (exclusive_state = 'available'
    or (exclusive_state = 'held' and exclusive_held_until <= ${now})))`;

/**
 * The events for every subscriber after a beat was sold exclusively or is for sale again. They do not name the buyer.
 */
export async function availabilityEvents(
  transaction: Queryable,
  beatId: number,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<NewEvent[]> {
  const beats = await findSingleBeats(transaction, [beatId]);
  return [...beats.values()].flatMap((beat) => [
    beatUpdated(beat, ["licenses", "available"], publicUrl, now),
    ...(beat.exclusive_state === "sold" ? [beatSoldExclusively(beat, now)] : []),
  ]);
}
