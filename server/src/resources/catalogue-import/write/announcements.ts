import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { ImportedBeat } from "../../beats/beat.ts";
import { beatCreated, beatUpdated, changedFields } from "../../beats/beat-events.ts";
import type { SingleBeat } from "../../beats/production.ts";
import { findSingleBeats } from "../../beats/queries.ts";
import { findImported } from "../../beats/write/upsert.ts";
import { emitEvents, type NewEvent } from "../../webhooks/outbox.ts";

/** Emits events for created and changed beats, in the transactions of an import. */
export class Announcements {
  readonly #publicUrl: string;
  readonly #now: Date;

  constructor(publicUrl: string, now: Date) {
    this.#publicUrl = publicUrl;
    this.#now = now;
  }

  /** Runs `insert`, which creates the beats, and emits beat.created for each. */
  async create(
    connection: Queryable,
    beats: readonly ImportedBeat[],
    insert: (db: Queryable) => Promise<void>,
  ): Promise<void> {
    await transact(connection, async (db) => {
      await insert(db);
      const { existingBeats } = await findImported(db, beats);
      const details = await detailsOf(db, existingBeats);
      await emitEvents(
        db,
        [...details.values()].map((beat) => beatCreated(beat, this.#publicUrl, this.#now)),
      );
    });
  }

  /** Runs `update`, which changes the beats, and emits beat.updated for each beat whose response changes. */
  update<Result>(
    connection: Queryable,
    beats: readonly { id: number }[],
    update: (db: Queryable) => Promise<Result>,
  ): Promise<Result> {
    return transact(connection, async (db) => {
      const before = await detailsOf(db, beats);
      const result = await update(db);
      const after = await detailsOf(db, beats);
      const newEvents: NewEvent[] = [];
      for (const [id, beat] of after) {
        const oldBeat = before.get(id);
        const changedNames = oldBeat === undefined ? [] : changedFields(oldBeat, beat, this.#publicUrl);
        if (changedNames.length > 0) newEvents.push(beatUpdated(beat, changedNames, this.#publicUrl, this.#now));
      }
      await emitEvents(db, newEvents);
      return result;
    });
  }
}

const detailsOf = (db: Queryable, beats: readonly { id: number }[]): Promise<Map<number, SingleBeat>> =>
  findSingleBeats(
    db,
    beats.map(({ id }) => id),
  );
