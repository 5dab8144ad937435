import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";

// The exclusive license of a beat: available → held by an order until some moment → sold, or available again. Each
// step is one conditional update, so of any number of buyers one gets it.

/** Holds the exclusive for an order that is about to be paid; false when it is sold, or held by another. */
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
 * Sells the exclusive to a paid order: the one that holds it, or one that comes late while nobody else does. From then
 * on the beat is in no list. False when it went to another.
 */
export async function sellExclusive(
  db: Queryable,
  { beatId, orderId, now }: { beatId: number; orderId: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("beats")
    .set({ exclusive_state: "sold", exclusive_order_id: orderId, exclusive_held_until: null, is_listed: false })
    .where("id", "=", beatId)
    .where(sql<boolean>`(${isAvailable(now)} or (exclusive_state = 'held' and exclusive_order_id = ${orderId}))`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Gives the exclusive back when the order that held it has failed. */
export async function releaseExclusive(db: Queryable, beatId: number, orderId: number): Promise<void> {
  await release(db)
    .where("id", "=", beatId)
    .where("exclusive_state", "=", "held")
    .where("exclusive_order_id", "=", orderId)
    .execute();
}

/** Gives back what was held too long; returns how many. */
export async function releaseExpiredExclusives(db: Queryable, now: Date): Promise<number> {
  const { numUpdatedRows } = await release(db)
    .where("exclusive_state", "=", "held")
    .where("exclusive_held_until", "<=", now)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

const release = (db: Queryable) =>
  db.updateTable("beats").set({ exclusive_state: "available", exclusive_order_id: null, exclusive_held_until: null });

/** Whether licenses of the beat can be bought: it is on sale, and its exclusive is neither sold nor held. */
export const isAvailable = (now: Date) =>
  sql<boolean>`(is_listed and (exclusive_state = 'available'
    or (exclusive_state = 'held' and exclusive_held_until <= ${now})))`;
