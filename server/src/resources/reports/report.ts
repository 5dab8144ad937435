import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** The reasons for a report, with their texts in forms, pages and mails. */
export const reportReasons = {
  copyright: "It copies a work of mine or of somebody I represent",
  sample: "It has a sample that is not cleared",
  impersonation: "It pretends to be by somebody else",
  offensive: "It is offensive or unlawful",
  other: "Another reason",
} as const;
export type ReportReason = keyof typeof reportReasons;
export const isReportReason = (name: string): name is ReportReason => Object.hasOwn(reportReasons, name);

export const reportStates = ["open", "notice_sent", "countered", "upheld", "rejected"] as const;
export type ReportState = (typeof reportStates)[number];

const dayMs = 86_400_000;
/** The time in which a producer may answer a notice. */
export const counterMs = 14 * dayMs;
/** The time in which an operator should decide after the producer's answer. */
export const decideMs = 14 * dayMs;

export interface Report {
  id: number;
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  reason: ReportReason;
  /** The reporter's text. Null after it was erased together with the address. */
  details: string | null;
  email: string | null;
  /** The language of the page with the form. Null for reports of an earlier release. */
  language: string | null;
  state: ReportState;
  created_at: Date;
  noticed_at: Date | null;
  counter_until: Date | null;
  /** The producer's answer to the notice. */
  counter: string | null;
  countered_at: Date | null;
  decide_until: Date | null;
  /** The operator's reason. */
  decision: string | null;
  decided_at: Date | null;
}

export const selectReports = (db: Queryable) =>
  db
    .selectFrom("beat_reports")
    .innerJoin("beats", "beats.id", "beat_reports.beat_id")
    .innerJoin("users", "users.id", "beats.user_id")
    .select([
      "beat_reports.id",
      "beat_reports.beat_id",
      "beats.title",
      "beats.user_id as producer_id",
      "users.display_name as producer_name",
      "beat_reports.reason",
      "beat_reports.details",
      "beat_reports.email",
      "beat_reports.language",
      "beat_reports.state",
      "beat_reports.created_at",
      "noticed_at",
      "counter_until",
      "counter",
      "countered_at",
      "decide_until",
      "decision",
      "decided_at",
    ])
    .$narrowType<Pick<Report, "reason" | "state">>();

/** Returns the reports of a beat about which the producer got a notice, newest first. */
export const listNoticed = (db: Queryable, beatId: number, limit: number): Promise<Report[]> =>
  selectReports(db)
    .where("beat_reports.beat_id", "=", beatId)
    .where("noticed_at", "is not", null)
    .orderBy("beat_reports.id", "desc")
    .limit(limit)
    .execute();

/** A report in the queue of operators. */
export interface QueuedReport extends Report {
  /** Whether the operator has to act: the report is new, or the time for the answer or the decision is over. */
  is_due: boolean;
  /** The number of upheld reports about the producer's beats. It shows repeat infringers to the operator. */
  producer_upheld: number;
  is_taken_down: boolean;
}

export interface QueueFilter {
  /** Undefined selects all undecided reports. */
  state?: ReportState | "all" | undefined;
  producerId?: number | undefined;
  beatId?: number | undefined;
  beforeId?: number | undefined;
  limit: number;
  now: Date;
}

/** Returns the reports of the queue, newest first. */
export const listReports = (db: Queryable, filter: QueueFilter): Promise<QueuedReport[]> => {
  const { state, producerId, beatId, beforeId, limit, now } = filter;
  let query = selectReports(db)
    .select([
      "beats.is_taken_down",
      sql<boolean>`(state = 'open' or (state = 'notice_sent' and counter_until <= ${now}::timestamptz)
        or (state = 'countered' and decide_until <= ${now}::timestamptz))`.as("is_due"),
      sql<number>`(select count(*)::int from beat_reports other join beats of_producer on of_producer.id = other.beat_id
        where of_producer.user_id = beats.user_id and other.state = 'upheld')`.as("producer_upheld"),
    ])
    .orderBy("beat_reports.id", "desc")
    .limit(limit);
  if (state === undefined) query = query.where("decided_at", "is", null);
  else if (state !== "all") query = query.where("beat_reports.state", "=", state);
  if (producerId !== undefined) query = query.where("beats.user_id", "=", producerId);
  if (beatId !== undefined) query = query.where("beats.id", "=", beatId);
  if (beforeId !== undefined) query = query.where("beat_reports.id", "<", beforeId);
  return query.execute();
};

const storageYears = 3;

/** Deletes reports whose decision is older than three years. No claims are possible after that time. */
export async function deleteOldReports(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - storageYears);
  await sql`delete from beat_reports where decided_at < ${before}::timestamptz`.execute(db);
}

/**
 * Erases the texts that a user wrote as reporter or producer. The report and its reason stay. Call this function before
 * the user's address is erased.
 */
export async function eraseReports(transaction: Queryable, userId: number): Promise<void> {
  await sql`update beat_reports set details = null, email = null
    where email = (select email from users where id = ${userId})`.execute(transaction);
  await sql`update beat_reports set counter = null where beat_id in (select id from beats where user_id = ${userId})`.execute(
    transaction,
  );
}
