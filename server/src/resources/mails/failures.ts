import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

export interface FailedMail {
  recipient: string;
  template: string;
  failed_at: Date;
  last_error: string | null;
}

export interface MailFailures {
  count: number;
  /** The newest failed mails. */
  newest: FailedMail[];
  /** The error of the mail that was tried last, among those that were given up or wait; null without any. */
  lastError: string | null;
}

/** Mails that were given up. They stay in the table for 30 days. */
export async function mailFailures(db: Queryable, atMost: number): Promise<MailFailures> {
  const failed = db.selectFrom("outgoing_mails").where("failed_at", "is not", null);
  const { count } = await failed.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const newest = await failed
    .select(["recipient", "template", "failed_at", "last_error"])
    .orderBy("failed_at", "desc")
    .limit(atMost)
    .execute();
  const { rows } = await sql<{ last_error: string }>`
    select last_error from outgoing_mails where sent_at is null and last_error is not null
    order by coalesce(failed_at, due_at) desc limit 1`.execute(db);
  return { count: Number(count), newest: newest as FailedMail[], lastError: rows[0]?.last_error ?? null };
}
