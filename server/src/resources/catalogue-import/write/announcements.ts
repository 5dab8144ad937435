import type { Queryable } from "../../../database/connection/connect.ts";
import { transact } from "../../../database/connection/transaction.ts";
import type { BeatDetail, ImportedBeat } from "../../beats/beat.ts";
import { findBeatDetails } from "../../beats/queries.ts";
import { beatDetailReference, beatReference } from "../../beats/reference.ts";
import { findImported } from "../../beats/write/upsert.ts";
import { emitEvents, type NewEvent } from "../../webhooks/events/outbox.ts";

/** Emits events for the beats that an import creates and changes, in the same transactions. */
export class Announcements {
  readonly #context: { publicUrl: string; path: string; query: string };
  readonly #now: Date;

  constructor(publicUrl: string, now: Date) {
    this.#context = { publicUrl, path: "", query: "" };
    this.#now = now;
  }

  /** Runs `insert`, which creates these beats, and emits beat.created for each. */
  async create(
    connection: Queryable,
    beats: readonly ImportedBeat[],
    insert: (db: Queryable) => Promise<void>,
  ): Promise<void> {
    await transact(connection, async (db) => {
      await insert(db);
      const { known } = await findImported(db, beats);
      const made = await detailsOf(db, known);
      await emitEvents(
        db,
        [...made.values()].map((beat) => this.#fact("beat.created", beatReference(beat, this.#context))),
      );
    });
  }

  /** Runs `update`, which changes these beats, and emits beat.updated for those whose response changes. */
  async update(
    connection: Queryable,
    beats: readonly { id: number }[],
    update: (db: Queryable) => Promise<void>,
  ): Promise<void> {
    await transact(connection, async (db) => {
      const before = await detailsOf(db, beats);
      await update(db);
      const after = await detailsOf(db, beats);
      const facts: NewEvent[] = [];
      for (const [id, beat] of after) {
        const changed = this.#changedFields(before.get(id), beat);
        if (changed.length > 0)
          facts.push(this.#fact("beat.updated", { ...beatReference(beat, this.#context), changed }));
      }
      await emitEvents(db, facts);
    });
  }

  /** The names of the fields whose value in the response changed. */
  #changedFields(before: BeatDetail | undefined, after: BeatDetail): string[] {
    if (before === undefined) return [];
    const was: Record<string, unknown> = beatDetailReference(before, this.#context).beat;
    return Object.entries(beatDetailReference(after, this.#context).beat)
      .filter(([name, value]) => name !== "updated_at" && JSON.stringify(value) !== JSON.stringify(was[name]))
      .map(([name]) => name);
  }

  #fact(type: "beat.created" | "beat.updated", data: object): NewEvent {
    return { type, data, at: this.#now, audience: "everyone" };
  }
}

const detailsOf = (db: Queryable, beats: readonly { id: number }[]): Promise<Map<number, BeatDetail>> =>
  findBeatDetails(
    db,
    beats.map(({ id }) => id),
  );
