import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { emitEvents } from "../../webhooks/outbox.ts";
import { beatUpdated, beatWithdrawn, changedFields } from "../beat-events.ts";
import { requireNotFrozen } from "../licensing/exclusive.ts";
import { type SingleBeat, withAnalysis } from "../production.ts";
import { findSingleBeats } from "../queries.ts";
import { requireTransition, statusOf, stored, wasPublished } from "../state.ts";
import { type BeatChange, requireVersion, wasChangedBy } from "./change-beat.ts";
import { lockOwnBeat, type PublishingContext } from "./own-beats.ts";
import { mediaOf, releaseMedia } from "./read-fields.ts";

/**
 * Takes one of the account's beats off sale, or deletes it if it was never on sale. Returns the beat in its last state.
 * A beat that is withdrawn already loses its schedule, and stays off sale when a suspension or takedown ends. Buyers
 * keep their licenses. Throws 403, 404 and 412 like `changeBeat`, and 409 if the exclusive license is held or sold.
 */
export const withdrawBeat = (context: PublishingContext, change: BeatChange): Promise<SingleBeat> =>
  transact(context.db, async (transaction) => {
    const before = await lockOwnBeat(transaction, change.beatId, change.userId);
    if (wasChangedBy(before, change.run)) return before;
    requireVersion(before, change.ifMatch);
    const { id, production } = before;
    const now = new Date(context.clock.nowMs());
    await requireNotFrozen(transaction, id, now);
    if (!wasPublished(before)) {
      requireTransition(before, null);
      const media = await mediaOf(transaction, id);
      await transaction.deleteFrom("beats").where("id", "=", id).execute();
      await releaseMedia(transaction, media, now);
      return withAnalysis({ ...before, production: production && { ...production, stage: stored.withdrawn.stage } });
    }
    if (statusOf(before) === "withdrawn") {
      await transaction
        .updateTable("beat_productions")
        .set({ publish_at: null })
        .where("beat_id", "=", id)
        .where("publish_at", "is not", null)
        .execute();
      // Otherwise the beat would be on sale again when the account's suspension or the beat's takedown ends.
      await transaction
        .updateTable("beats")
        .set({ is_suspended: false })
        .where("id", "=", id)
        .where("is_suspended", "=", true)
        .execute();
      return before;
    }

    await transaction
      .updateTable("beats")
      .set({ is_listed: stored.withdrawn.is_listed, updated_at: now })
      .where("id", "=", id)
      .execute();
    await transaction
      .updateTable("beat_productions")
      .set({ stage: stored.withdrawn.stage, version: sql`version + 1`, changed_by_run: change.run ?? null })
      .where("beat_id", "=", id)
      .execute();
    const after = (await findSingleBeats(transaction, [id])).get(id);
    if (after === undefined) throw new Error(`Beat ${id} was deleted while it was locked.`);
    requireTransition(before, after);
    const changedNames = changedFields(before, after, context.publicUrl);
    if (before.is_listed)
      await emitEvents(transaction, [
        beatUpdated(after, changedNames, context.publicUrl, now, change.requestId),
        beatWithdrawn(after, now, change.requestId),
      ]);
    return after;
  });
