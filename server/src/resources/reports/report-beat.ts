import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { readText } from "@beatmarket/http/input/read-text.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Language } from "../../../../contract/texts/languages.ts";
import type { Queryable } from "../../database/connect.ts";
import { shownSql } from "../beats/state.ts";
import { operatorsOf, queueMails } from "../mails/outbox.ts";
import { normalEmail } from "../users/accounts.ts";
import { isReportReason, reportReasons } from "./report.ts";

export interface ReportParts {
  db: Queryable;
  clock: Clock;
  publicUrl: string;
}

/** The limits of reports from one network, and of reports that name one mailbox, which gets a mail for each report. */
const fromNetwork = { burst: 5, perSecond: 5 / 3_600 };
const ofMailbox = { burst: 5, perSecond: 5 / 3_600 };
/** The maximum number of undecided reports of one beat. Further reports would add nothing. */
const maxUndecided = 20;
/**
 * The maximum number of undecided reports of all beats. It limits the queue even if a robot has many networks and
 * addresses.
 */
const maxQueued = 2_000;

/** Limits the reports of people without an account. */
export class ReportLimits {
  readonly #networks: TokenBuckets;
  readonly #mailboxes: TokenBuckets;

  constructor(clock: Clock) {
    this.#networks = new TokenBuckets(clock, fromNetwork);
    this.#mailboxes = new TokenBuckets(clock, ofMailbox);
  }

  /** Throws 429 if the network or the mailbox has sent too many reports. */
  take(network: string, email: string): void {
    // Addresses that differ only after `+` share one mailbox.
    const mailbox = email.replace(/^([^+]*)\+.*@/s, "$1@");
    if (this.#networks.take(network) && this.#mailboxes.take(mailbox)) return;
    throw tooManyReports(
      "At most five reports an hour come from one network or one address. Wait some minutes, then send it again.",
      720_000,
    );
  }
}

const dayMs = 86_400_000;

const tooManyReports = (reason: string, waitMs: number): ApiError =>
  new ApiError(429, "rate_limit_exceeded", "Too many reports", reason, {
    headers: { "retry-after": String(waitMs / 1_000) },
    refusedBy: "limit:reports",
  });

async function isFull(db: Queryable): Promise<boolean> {
  const last = await db
    .selectFrom("beat_reports")
    .select("id")
    .where("decided_at", "is", null)
    .offset(maxQueued - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

export interface ReportableBeat {
  id: number;
  title: string;
  producer_name: string;
}

/** Returns a public beat, and undefined for any other id. */
export const findReportable = (db: Queryable, id: number): Promise<ReportableBeat | undefined> =>
  db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .select(["beats.id", "beats.title", "users.display_name as producer_name"])
    .where("beats.id", "=", id)
    .where(sql<boolean>`${sql.raw(shownSql)}`)
    .executeTakeFirst();

export interface NewReport {
  beatId: number;
  reason: string;
  details: string;
  email: string;
  network: string;
  /** The language of the page. */
  language: Language;
}

/**
 * Stores a report, mails it to all operators, and mails a confirmation to the reporter. Throws 400, which names the
 * field, for an invalid field. Throws 404 for a beat that is not public, 409 for a second report of the beat with the
 * same address, and 429 above a limit.
 */
export async function reportBeat(
  { db, clock, publicUrl, limits }: ReportParts & { limits: ReportLimits },
  { beatId, reason, details: typedText, email: typedEmail, network, language }: NewReport,
): Promise<void> {
  if (!isReportReason(reason))
    throw invalidRequest(`Choose a reason: ${Object.keys(reportReasons).join(", ")}.`, "reason");
  const details = readText(typedText, "details");
  const email = normalEmail(typedEmail);
  limits.take(network, email);
  const now = new Date(clock.nowMs());
  await transact(db, async (transaction) => {
    await transaction.selectFrom("beats").select("id").where("id", "=", beatId).forNoKeyUpdate().execute();
    const beat = await findReportable(transaction, beatId);
    if (beat === undefined) throw notFound(`Beat ${beatId} does not exist.`);
    const undecided = await transaction
      .selectFrom("beat_reports")
      .select("email")
      .where("beat_id", "=", beatId)
      .where("decided_at", "is", null)
      .execute();
    if (undecided.some((report) => report.email === email))
      throw conflict("You have reported this beat already. You get a mail with the decision.");
    if (undecided.length >= maxUndecided)
      throw tooManyReports(
        `${maxUndecided} reports of this beat wait for a decision, and the operator is looking into it. Another one adds nothing until then.`,
        dayMs,
      );
    if (await isFull(transaction))
      throw tooManyReports(
        `${maxQueued.toLocaleString("en")} reports wait for a decision, as many as are taken. Report this beat tomorrow, or write to the operator.`,
        dayMs,
      );
    await transaction
      .insertInto("beat_reports")
      .values({ beat_id: beatId, reason, details, email, language, created_at: now })
      .execute();
    const facts = {
      beat: String(beatId),
      title: beat.title,
      producer: beat.producer_name,
      reason: { text: `report.${reason}` as const },
      message: details,
    };
    const operators = await operatorsOf(transaction);
    await queueMails(
      transaction,
      [
        { userId: null, to: email, template: "report-received", language, facts },
        ...operators.map((reader) => ({
          ...reader,
          template: "report-to-review" as const,
          facts: { ...facts, link: `${publicUrl}/portal/admin/reports?beat=${beatId}` },
        })),
      ],
      now,
    );
  });
}
