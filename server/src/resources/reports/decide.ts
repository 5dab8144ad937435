import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { readText } from "@beatmarket/http/input/read-text.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { isLanguage } from "../../../../contract/texts/languages.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAction, readReason } from "../audit/actions.ts";
import { type AuditAuthor, recordAudit, type SessionAuthor } from "../audit/queries.ts";
import type { QueuedFacts } from "../mails/facts.ts";
import { operatorsOf, queueMails } from "../mails/outbox.ts";
import type { TemplateName } from "../mails/templates.ts";
import { takeDownBeat } from "../takedowns/take-down.ts";
import { producersOf } from "../users/producers.ts";
import { counterMs, decideMs, type Report, selectReports } from "./report.ts";
import type { ReportParts } from "./report-beat.ts";

/**
 * Sends the notice to the producer, who may answer it within 14 days. Throws 404 for an unknown report, and 409 for a
 * report that is not open.
 */
export const sendNotice = async (parts: ReportParts, reportId: number, author: AuditAuthor): Promise<void> => {
  await change(parts, reportId, async (transaction, report, now) => {
    if (report.state !== "open")
      throw conflict(`Report ${report.id} is ${stateTexts[report.state]}, so no notice can be sent.`);
    const until = new Date(now.getTime() + counterMs);
    await update(transaction, report, { state: "notice_sent", noticed_at: now, counter_until: until });
    await record(transaction, report, { action: "report.notice_sent", author, now });
    await mailProducer(transaction, parts, report, "report-notice", {
      facts: { until: { moment: until.toISOString() } },
      now,
    });
  });
};

export interface Counter {
  reportId: number;
  /** The producer's account. */
  userId: number;
  text: string;
  author: SessionAuthor;
}

/**
 * Stores a producer's answer to a notice and mails it to all operators. Throws 400 for an invalid text, 404 for another
 * producer's beat or without a notice, and 409 after an answer, a decision or 14 days.
 */
export async function counterReport(
  parts: ReportParts,
  { reportId, userId, text: typedText, author }: Counter,
): Promise<Report> {
  const text = readText(typedText, "text");
  return change(parts, reportId, async (transaction, report, now) => {
    if (report.producer_id !== userId || report.noticed_at === null) throw unknownReport(reportId);
    if (report.state !== "notice_sent")
      throw conflict(`Report ${reportId} is ${stateTexts[report.state]}, so it cannot be countered any more.`);
    if (report.counter_until !== null && report.counter_until <= now)
      throw conflict(`The time to counter report ${reportId} ended on ${dayText(report.counter_until)}.`);
    const until = new Date(now.getTime() + decideMs);
    await update(transaction, report, { state: "countered", counter: text, countered_at: now, decide_until: until });
    await record(transaction, report, { action: "report.countered", author, now });
    const facts = {
      ...factsOf(report),
      counter: text,
      until: { moment: until.toISOString() },
      link: `${parts.publicUrl}/portal/admin/reports?beat=${report.beat_id}`,
    };
    const operators = await operatorsOf(transaction);
    await queueMails(
      transaction,
      operators.map((reader) => ({ ...reader, template: "report-countered", facts })),
      now,
    );
  });
}

export interface Decision {
  reportId: number;
  /** The reason, for the reporter and the producer. */
  reason: string;
  author: AuditAuthor;
}

/**
 * Upholds a report and takes the beat down, unless it is already taken down. Throws 409 without a notice, while the
 * producer may still answer the notice, and after a decision.
 */
export async function upholdReport(
  parts: ReportParts,
  { reportId, reason, author, withdrawFiles }: Decision & { withdrawFiles: boolean },
): Promise<void> {
  await change(parts, reportId, async (transaction, report, now) => {
    const sentence = readReason(reason);
    if (report.state === "open")
      throw conflict(
        `Send the notice of report ${reportId} first, so that its producer is heard. You can take the beat down before that.`,
      );
    if (report.state === "notice_sent" && report.counter_until !== null && report.counter_until > now)
      throw conflict(
        `The producer may counter report ${reportId} until ${dayText(report.counter_until)}. You can take the beat down before that.`,
      );
    await decide(parts, transaction, report, { state: "upheld", sentence, author, now });
    const beat = await transaction
      .selectFrom("beats")
      .select("is_taken_down")
      .where("id", "=", report.beat_id)
      .executeTakeFirstOrThrow();
    if (!beat.is_taken_down)
      await takeDownBeat(
        { ...parts, db: transaction },
        { beatId: report.beat_id, reason: sentence, withdrawFiles, author },
      );
  });
}

/**
 * Rejects a report. A beat that is taken down stays down until an operator restores it. Throws 409 after a decision.
 */
export async function rejectReport(parts: ReportParts, { reportId, reason, author }: Decision): Promise<void> {
  await change(parts, reportId, (transaction, report, now) =>
    decide(parts, transaction, report, { state: "rejected", sentence: readReason(reason), author, now }),
  );
}

async function decide(
  parts: ReportParts,
  transaction: Queryable,
  report: Report,
  { state, sentence, author, now }: { state: "upheld" | "rejected"; sentence: string; author: AuditAuthor; now: Date },
): Promise<void> {
  if (report.decided_at !== null) throw conflict(`Report ${report.id} is ${stateTexts[report.state]} already.`);
  await update(transaction, report, { state, decision: sentence, decided_at: now });
  await record(transaction, report, { action: `report.${state}`, author, now, reason: sentence });
  const facts = { ...factsOf(report), decision: sentence };
  const outcome = state === "upheld" ? ("report-upheld" as const) : ("report-rejected" as const);
  const language = isLanguage(report.language) ? report.language : undefined;
  if (report.email !== null)
    await queueMails(transaction, [{ userId: null, to: report.email, template: outcome, language, facts }], now);
  // A producer without a notice does not know of the report.
  if (report.noticed_at !== null)
    await mailProducer(transaction, parts, report, `${outcome}-producer`, { facts: { decision: sentence }, now });
}

const stateTexts = {
  open: "open",
  notice_sent: "with its producer",
  countered: "countered",
  upheld: "upheld",
  rejected: "rejected",
} as const;

const unknownReport = (id: number) => notFound(`There is no report ${id}.`);

/** Runs a change of a locked report in a transaction, and returns the changed report. */
const change = (
  { db, clock }: ReportParts,
  reportId: number,
  work: (transaction: Queryable, report: Report, now: Date) => Promise<void>,
): Promise<Report> =>
  transact(db, async (transaction) => {
    const find = () => selectReports(transaction).where("beat_reports.id", "=", reportId);
    const report = await find().forUpdate("beat_reports").executeTakeFirst();
    if (report === undefined) throw unknownReport(reportId);
    await work(transaction, report, new Date(clock.nowMs()));
    return find().executeTakeFirstOrThrow();
  });

const update = (
  transaction: Queryable,
  { id }: Report,
  columns: Partial<Omit<Report, "id" | "title" | "producer_id" | "producer_name">>,
) => transaction.updateTable("beat_reports").set(columns).where("id", "=", id).execute();

const record = (
  transaction: Queryable,
  { id, beat_id, title, producer_id }: Report,
  { action, author, now, reason }: { action: AuditAction; author: AuditAuthor; now: Date; reason?: string },
) =>
  recordAudit(transaction, {
    userId: producer_id,
    action,
    author,
    at: now,
    reason,
    subject: `Report ${id} of beat ${beat_id} (${title.slice(0, 100)})`,
  });

const factsOf = ({ beat_id, title, producer_name, reason, details }: Report) => ({
  beat: String(beat_id),
  title,
  producer: producer_name,
  reason: { text: `report.${reason}` as const },
  message: details ?? { text: "report.erased" as const },
});

async function mailProducer(
  transaction: Queryable,
  { publicUrl }: ReportParts,
  report: Report,
  template: TemplateName,
  { now, facts }: { now: Date; facts: QueuedFacts },
): Promise<void> {
  const readers = await producersOf(transaction, report.producer_id);
  const link = `${publicUrl}/portal/studio/beats/${report.beat_id}`;
  await queueMails(
    transaction,
    readers.map((reader) => ({ ...reader, template, facts: { ...factsOf(report), ...facts, link } })),
    now,
  );
}

/** Returns a readable time, such as 26 November 2026, 12:00 UTC. */
const dayText = (time: Date): string =>
  `${time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })}, ${time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })} UTC`;
