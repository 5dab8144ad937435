import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { NewEvent } from "../../webhooks/outbox.ts";
import { beatTakenDown, beatUpdated, beatWithdrawn, changedFields } from "../beat-events.ts";
import type { SingleBeat } from "../production.ts";
import { findSingleBeats } from "../queries.ts";
import { isShown, wasPublished } from "../state.ts";

// The effect of a takedown on a beat's row. Until the takedown ends, a trigger keeps the beat off every list, also
// after edits, imports and refunds (migration 0057).

/** Locks a beat in any state, also against concurrent settlements of orders. Throws 404 for an unknown beat. */
export async function lockBeat(transaction: Queryable, beatId: number): Promise<SingleBeat> {
  await transaction.selectFrom("beats").select("id").where("id", "=", beatId).forUpdate().executeTakeFirst();
  const beat = (await findSingleBeats(transaction, [beatId])).get(beatId);
  if (beat === undefined) throw notFound(`Beat ${beatId} does not exist.`);
  return beat;
}

interface Change {
  publicUrl: string;
  now: Date;
}

/**
 * Takes a locked beat off sale and off every list and page. Returns the events. Throws 409 for a beat that is taken
 * down already or was never published.
 */
export async function hideBeatRow(transaction: Queryable, before: SingleBeat, change: Change): Promise<NewEvent[]> {
  const { id } = before;
  if (before.is_taken_down) throw conflict(`Beat ${id} is taken down already.`);
  if (!wasPublished(before))
    throw conflict(`Beat ${id} is a draft, which only its producer sees. There is nothing to take down.`);
  await setTakenDown(transaction, id, {
    is_taken_down: true,
    // Whether the beat goes on sale again when the takedown ends.
    is_suspended: sql<boolean>`is_listed or is_suspended`,
    is_listed: false,
    updated_at: change.now,
  });
  return eventsOf(transaction, before, change);
}

/**
 * Restores a locked beat to the state that it would have without the takedown. Returns the events. Throws 409 for a
 * beat that is not taken down.
 */
export async function restoreBeatRow(transaction: Queryable, before: SingleBeat, change: Change): Promise<NewEvent[]> {
  const { id } = before;
  if (!before.is_taken_down) throw conflict(`Beat ${id} is not taken down.`);
  await setTakenDown(transaction, id, {
    is_taken_down: false,
    is_suspended: false,
    is_listed: sql<boolean>`is_suspended and exclusive_state <> 'sold'`,
    updated_at: change.now,
  });
  return eventsOf(transaction, before, change);
}

const setTakenDown = (
  transaction: Queryable,
  id: number,
  columns: { is_taken_down: boolean; is_suspended: unknown; is_listed: unknown; updated_at: Date },
) =>
  transaction
    .updateTable("beats")
    .set(columns as object)
    .where("id", "=", id)
    .execute();

async function eventsOf(transaction: Queryable, before: SingleBeat, { publicUrl, now }: Change): Promise<NewEvent[]> {
  const after = (await findSingleBeats(transaction, [before.id])).get(before.id);
  if (after === undefined) throw new Error(`Beat ${before.id} was deleted while it was locked.`);
  const changedNames = changedFields(before, after, publicUrl);
  return [
    ...(before.is_listed || after.is_listed ? [beatUpdated(after, changedNames, publicUrl, now)] : []),
    ...(isShown(before) && !isShown(after) ? [beatWithdrawn(after, now), beatTakenDown(after, now)] : []),
  ];
}

/**
 * Those of the ids whose beats are taken down. With `isLocked`, no other of the beats can be taken down until the
 * transaction ends.
 */
export async function findTakenDown(
  db: Queryable,
  beatIds: readonly number[],
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<Set<number>> {
  const beats = db
    .selectFrom("beats")
    .select(["id", "is_taken_down"])
    .where(sql<boolean>`id = any(${[...new Set(beatIds)]}::bigint[])`)
    .orderBy("id");
  const rows = await (isLocked ? beats.forKeyShare() : beats).execute();
  return new Set(rows.filter(({ is_taken_down }) => is_taken_down).map(({ id }) => id));
}
