import type { Clock } from "@beatmarket/foundation/clock.ts";
import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { readText } from "@beatmarket/http/input/read-text.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { readReason } from "../audit/actions.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import { hideBeatRow, lockBeat, restoreBeatRow } from "../beats/write/taken-down.ts";
import { type NewMail, operatorsOf, queueMails } from "../mails/outbox.ts";
import { producersOf, type Reader } from "../users/producers.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { findTakedown, type Takedown } from "./takedowns.ts";

interface TakedownParts {
  db: Queryable;
  clock: Clock;
  publicUrl: string;
}

export interface TakedownRequest {
  beatId: number;
  /** The reason, for the producer and for buyers whose files are withdrawn. */
  reason: string;
  withdrawFiles: boolean;
  author: AuditAuthor;
}

/**
 * Removes a beat from all lists, pages and sales. Writes the events, the audit entry and the mails in the same
 * transaction. Throws 400 without a reason, 404 for an unknown beat, and 409 for a draft and for a beat that is already
 * taken down.
 */
export async function takeDownBeat(parts: TakedownParts, request: TakedownRequest): Promise<Takedown> {
  const reason = readReason(request.reason);
  const { beatId, withdrawFiles, author } = request;
  const { publicUrl } = parts;
  const now = new Date(parts.clock.nowMs());
  return transact(parts.db, async (transaction) => {
    const beat = await lockBeat(transaction, beatId);
    const events = await hideBeatRow(transaction, beat, { publicUrl, now });
    await transaction
      .insertInto("takedowns")
      .values({ beat_id: beatId, reason, withdraws_files: withdrawFiles, taken_down_at: now })
      .execute();
    await emitEvents(transaction, events);
    await recordAudit(transaction, {
      userId: beat.user_id,
      action: "beat.taken_down",
      author,
      at: now,
      reason,
      subject: `${subjectOf(beat)}${withdrawFiles ? ", with the files of its buyers" : ""}`,
    });
    const facts = { beat: String(beatId), title: beat.title, reason };
    const outcome = { text: withdrawFiles ? ("mail.filesWithdrawn" as const) : ("mail.buyersKeep" as const) };
    const toProducer = (await producersOf(transaction, beat.user_id)).map((reader) => ({
      ...reader,
      template: "taken-down" as const,
      facts: { ...facts, outcome, link: `${publicUrl}/portal/studio/beats/${beatId}` },
    }));
    await queueMails(transaction, toProducer, now);
    if (withdrawFiles) await mailBuyers(transaction, beatId, "files-withdrawn", { facts, publicUrl, now });
    const takedown = await findTakedown(transaction, beatId);
    if (takedown === undefined) throw new Error(`Beat ${beatId} is not taken down.`);
    return takedown;
  });
}

export type RestoreRequest = Omit<TakedownRequest, "withdrawFiles">;

/**
 * Ends a takedown. The beat gets the state that it would have without the takedown, and buyers can get their files
 * again. Throws 400 without a reason, 404 for an unknown beat, and 409 for a beat that is not taken down.
 */
export async function restoreBeat(parts: TakedownParts, request: RestoreRequest): Promise<void> {
  const reason = readReason(request.reason);
  const { beatId, author } = request;
  const { publicUrl } = parts;
  const now = new Date(parts.clock.nowMs());
  await transact(parts.db, async (transaction) => {
    const beat = await lockBeat(transaction, beatId);
    const takedown = await findTakedown(transaction, beatId);
    const events = await restoreBeatRow(transaction, beat, { publicUrl, now });
    await transaction
      .updateTable("takedowns")
      .set({ restored_at: now })
      .where("beat_id", "=", beatId)
      .where("restored_at", "is", null)
      .execute();
    await emitEvents(transaction, events);
    await recordAudit(transaction, {
      userId: beat.user_id,
      action: "beat.restored",
      author,
      at: now,
      reason,
      subject: subjectOf(beat),
    });
    const facts = { beat: String(beatId), title: beat.title, reason };
    const toProducer = (await producersOf(transaction, beat.user_id)).map((reader) => ({
      ...reader,
      template: "restored" as const,
      facts: { ...facts, link: `${publicUrl}/portal/studio/beats/${beatId}` },
    }));
    await queueMails(transaction, toProducer, now);
    if (takedown?.withdraws_files === true)
      await mailBuyers(transaction, beatId, "files-restored", { facts, publicUrl, now });
  });
}

const subjectOf = ({ id, title }: { id: number; title: string }) => `Beat ${id} (${title.slice(0, 100)})`;

/** Limits the size of a statement, because a beat may have many thousand buyers. */
const mailsPerStatement = 1_000;

async function mailBuyers(
  transaction: Queryable,
  beatId: number,
  template: "files-withdrawn" | "files-restored",
  { facts, publicUrl, now }: { facts: NewMail["facts"]; publicUrl: string; now: Date },
): Promise<void> {
  const buyers = await buyersOf(transaction, beatId);
  for (let index = 0; index < buyers.length; index += mailsPerStatement)
    await queueMails(
      transaction,
      buyers.slice(index, index + mailsPerStatement).map(({ userId, to, order_id }) => ({
        userId,
        to,
        template,
        facts: { ...facts, order: String(order_id), link: `${publicUrl}/library`, opens: "library" },
      })),
      now,
    );
}

export interface BuyerOfBeat extends Reader {
  order_id: number;
}

/**
 * Returns the buyer of each completed order of a beat, with the e-mail address of the receipt. Omits orders that were
 * refunded in full, and buyers without an address.
 */
async function buyersOf(db: Queryable, beatId: number): Promise<BuyerOfBeat[]> {
  const { rows } = await sql<BuyerOfBeat>`
    select orders.id as order_id, users.id as "userId", coalesce(checkouts.email, users.email) as "to"
    from orders join users on users.id = orders.user_id left join checkouts on checkouts.payment_key = orders.checkout_key
    where orders.beat_id = ${beatId} and orders.status = 'completed'
      and not (refunded_at is not null and refunded_cents = orders.amount_cents)
      and coalesce(checkouts.email, users.email) is not null
    order by orders.id`.execute(db);
  return rows;
}

export interface Answer {
  beatId: number;
  /** The producer's account. */
  userId: number;
  text: string;
}

/**
 * Stores a producer's answer to a takedown, and mails it to all operators. Throws 400 for an invalid text, 404 for
 * another producer's beat, and 409 for a beat that is not taken down and for a second answer.
 */
export async function answerTakedown(parts: TakedownParts, { beatId, userId, text: typedText }: Answer): Promise<void> {
  const text = readText(typedText, "text");
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
      beat: String(beatId),
      title: beat.title,
      producer: beat.producer,
      reason: takedown.reason,
      message: text,
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
