import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { publishingFailed } from "../beat-events.ts";
import { findSingleBeats } from "../queries.ts";
import { stored } from "../state.ts";
import { changeBeat } from "./change-beat.ts";
import type { EditContext } from "./own-beats.ts";
import { endSchedule } from "./publish-at.ts";

interface DueBeat {
  id: number;
  userId: number;
}

const maxBeatsPerRun = 100;

/**
 * Publishes the beats that are due, one at a time. If several processes run this concurrently, one of them does the
 * work.
 */
export async function publishDue(context: EditContext, stopping?: AbortSignal): Promise<void> {
  await runInOneProcess(context.db, "beatmarket:publish at", async (db) => {
    const onConnection = { ...context, db };
    for (const beat of await findDue(onConnection)) {
      if (stopping?.aborted === true) return;
      await publishOne(onConnection, beat);
    }
  });
}

async function findDue({ db, clock }: EditContext): Promise<DueBeat[]> {
  const { rows } = await sql<DueBeat>`
    select beats.id, user_id as "userId" from beat_productions join beats on beats.id = beat_id
    where publish_at <= ${new Date(clock.nowMs())}::timestamptz and stage <> ${stored.processing.stage}
    order by publish_at, beats.id limit ${maxBeatsPerRun}`.execute(db);
  return rows;
}

/** Publishes a beat under the rules of a request by its producer. Notifies the producer if the beat is refused. */
async function publishOne(context: EditContext, { id, userId }: DueBeat): Promise<void> {
  const change = { beatId: id, userId, requestId: null, ifMatch: undefined, isScheduled: true };
  try {
    await requireActive(context.db, userId);
    await changeBeat(context, change, { status: "published" });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    await transact(context.db, async (transaction) => {
      await transaction.selectFrom("beats").select("id").where("id", "=", id).forUpdate().execute();
      const beat = (await findSingleBeats(transaction, [id])).get(id);
      if (beat?.production?.publish_at == null) return;
      const now = new Date(context.clock.nowMs());
      await emitEvents(transaction, [publishingFailed(beat, error.details, now)]);
      await endSchedule(transaction, context, beat, error.details);
    });
  }
}

async function requireActive(db: Queryable, userId: number): Promise<void> {
  const user = await db.selectFrom("users").select("suspended_at").where("id", "=", userId).executeTakeFirst();
  if (user?.suspended_at != null) throw conflict("The account is suspended, so nothing of it is published.");
}
