import type { Clock } from "@beatmarket/foundation/clock.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import { readReason } from "../audit/reason.ts";
import { hideBeat, lockBeat, showBeatAgain } from "../beats/write/taken-down.ts";
import { type NewMail, queueMails } from "../mails/outbox.ts";
import { producersOf } from "../users/producer-readers.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { buyersOf } from "./readers.ts";
import { findTakedown, type Takedown } from "./takedowns.ts";

export interface TakedownParts {
  db: Queryable;
  clock: Clock;
  publicUrl: string;
}

export interface TakedownRequest {
  beatId: number;
  /** The reason, for the producer, and for buyers whose files are withdrawn. */
  reason: string;
  withdrawFiles: boolean;
  author: AuditAuthor;
}

/**
 * Removes a beat from all lists, pages and sales, with its event, its audit entry and its mails, in one transaction.
 * Throws 400 without a reason, 404 for an unknown beat, and 409 for a draft and for a beat that is already taken down.
 */
export async function takeDownBeat(parts: TakedownParts, request: TakedownRequest): Promise<Takedown> {
  const reason = readReason(request.reason);
  const { beatId, withdrawFiles, author } = request;
  const { publicUrl } = parts;
  const now = new Date(parts.clock.nowMs());
  return transact(parts.db, async (transaction) => {
    const beat = await lockBeat(transaction, beatId);
    const events = await hideBeat(transaction, beat, { publicUrl, now });
    await transaction
      .insertInto("takedowns")
      .values({ beat_id: beatId, reason, withdraws_files: withdrawFiles, taken_down_at: now })
      .execute();
    await emitEvents(transaction, events);
    await recordAudit(transaction, {
      ...{ userId: beat.user_id, action: "beat.taken_down", author, at: now, reason },
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
 * Ends a takedown: the beat gets the state that it would have without it, and buyers get their files again. Throws as
 * `takeDownBeat` does, and 409 for a beat that is not taken down.
 */
export async function restoreBeat(parts: TakedownParts, request: RestoreRequest): Promise<void> {
  const reason = readReason(request.reason);
  const { beatId, author } = request;
  const { publicUrl } = parts;
  const now = new Date(parts.clock.nowMs());
  await transact(parts.db, async (transaction) => {
    const beat = await lockBeat(transaction, beatId);
    const takedown = await findTakedown(transaction, beatId);
    const events = await showBeatAgain(transaction, beat, { publicUrl, now });
    await transaction
      .updateTable("takedowns")
      .set({ restored_at: now })
      .where("beat_id", "=", beatId)
      .where("restored_at", "is", null)
      .execute();
    await emitEvents(transaction, events);
    await recordAudit(transaction, {
      ...{ userId: beat.user_id, action: "beat.restored", author, at: now, reason },
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

/** A statement has at most 65,535 parameters. */
const mailsPerStatement = 1_000;

async function mailBuyers(
  transaction: Queryable,
  beatId: number,
  template: "files-withdrawn" | "files-restored",
  { facts, publicUrl, now }: { facts: NewMail["facts"]; publicUrl: string; now: Date },
): Promise<void> {
  const buyers = await buyersOf(transaction, beatId);
  for (let at = 0; at < buyers.length; at += mailsPerStatement)
    await queueMails(
      transaction,
      buyers.slice(at, at + mailsPerStatement).map(({ userId, to, order_id }) => ({
        ...{ userId, to, template },
        facts: { ...facts, order: String(order_id), link: `${publicUrl}/library`, opens: "library" },
      })),
      now,
    );
}
