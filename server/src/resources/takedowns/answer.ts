import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { readText } from "../../access/read-text.ts";
import type { Queryable } from "../../database/connect.ts";
import { operatorsOf, queueMails } from "../mails/outbox.ts";
import type { TakedownParts } from "./take-down.ts";
import { findTakedown } from "./takedowns.ts";

export interface Answer {
  beatId: number;
  /** The producer. */
  userId: number;
  text: string;
}

/**
 * Stores a producer's answer to a takedown, once, and mails it to all operators. Throws 400 for an invalid text, 404
 * for another producer's beat, and 409 for a beat that is not taken down, or a second answer.
 */
export async function answerTakedown(parts: TakedownParts, { beatId, userId, text: typed }: Answer): Promise<void> {
  const text = readText(typed, "text");
  const now = new Date(parts.clock.nowMs());
  await transact(parts.db, async (transaction) => {
    const beat = await transaction
      .selectFrom("beats")
      .innerJoin("users", "users.id", "beats.user_id")
      .select(["beats.title", "users.display_name as producer"])
      .where("beats.id", "=", beatId)
      .where("beats.user_id", "=", userId)
      .forUpdate("beats")
      .executeTakeFirst();
    if (beat === undefined) throw notFound(`You have no beat ${beatId}.`);
    const takedown = await findTakedown(transaction, beatId);
    if (takedown === undefined) throw conflict(`Beat ${beatId} is not taken down, so there is nothing to answer.`);
    if (takedown.answered_at !== null)
      throw conflict(
        "You have answered already. The operator of this marketplace decides about it, and you get a mail.",
      );
    await transaction
      .updateTable("takedowns")
      .set({ answer: text, answered_at: now })
      .where("id", "=", takedown.id)
      .execute();
    const facts = {
      ...{ beat: String(beatId), title: beat.title, producer: beat.producer, reason: takedown.reason, message: text },
      link: `${parts.publicUrl}/portal/admin/beats?q=${beatId}`,
    };
    const operators = await operatorsOf(transaction);
    await queueMails(
      transaction,
      operators.map((reader) => ({ ...reader, template: "takedown-answered", facts })),
      now,
    );
  });
}

/** Erases a user's answers to takedowns. */
export async function eraseTakedownAnswers(transaction: Queryable, userId: number): Promise<void> {
  await sql`update takedowns set answer = null where beat_id in (select id from beats where user_id = ${userId})`.execute(
    transaction,
  );
}
