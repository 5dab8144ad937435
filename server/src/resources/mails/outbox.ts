import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Mail, Mailer } from "@beatmarket/mail/mailer.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type RawBuilder, sql } from "kysely";
import type { Logger } from "pino";
import { isLanguage, type Language } from "../../../../contract/texts/languages.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import { randomUuid } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import type { MailBrand } from "../../site-settings.ts";
import { type MailPreferences, preferencesOfAddress, preferencesOfAddresses } from "../users/mail-preferences.ts";
import { type QueuedFacts, renderMail } from "./facts.ts";
import type { TemplateTexts } from "./folder.ts";
import { isTemplateName, namesOf, type TemplateName, templates } from "./templates.ts";

export interface NewMail {
  /** The account that gets the mail. Null if the mail is for an address, which need not have an account. */
  userId: number | null;
  to: string;
  template: TemplateName;
  /**
   * The language of the facts, or of the page that caused the mail. If it is absent, the language of the recipient's
   * account applies.
   */
  language?: Language | undefined;
  /** With `opens: "library"`, a new link to the library of `to` replaces `link` when the mail is sent. */
  facts: QueuedFacts;
  /** The time at which the mail is due, if mails with different times are queued together. */
  at?: Date;
}

/** Stores mails in the transaction that causes them. They are sent if and only if that transaction commits. */
export async function queueMails(transaction: Queryable, mails: readonly NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return;
  const column = <T>(value: (mail: NewMail) => T): T[] => mails.map(value);
  await sql`
    insert into outgoing_mails (id, user_id, recipient, template, facts, language, created_at, due_at)
    select id, user_id, recipient, template, facts::jsonb, language, at, at from unnest(
      ${column(() => randomUuid("mail"))}::uuid[], ${column(({ userId }) => userId)}::bigint[],
      ${column(({ to }) => to)}::text[], ${column(({ template }) => template)}::text[],
      ${column(({ facts }) => JSON.stringify(facts))}::text[], ${column(({ language }) => language ?? null)}::text[],
      ${column(({ at = now }) => at.toISOString())}::timestamptz[])
    as mail (id, user_id, recipient, template, facts, language, at)`.execute(transaction);
}

interface ClaimedMail {
  id: string;
  user_id: number | null;
  recipient: string;
  template: string;
  facts: QueuedFacts;
  language: string | null;
  attempts: number;
  due_at: Date;
  leased_until: Date | null;
}

/**
 * Longer than a mail server may take to accept a mail. If a process crashes, another one sends its mails after this
 * time.
 */
const leaseMs = 120_000;
const batch = 20;
const recordedBatch = 500;
/** The wait after a failure: a minute, doubled up to six hours; three days in all, counted from the first attempt. */
const firstWaitMs = 60_000;
const longestWaitMs = 6 * 3_600_000;
const giveUpAfterMs = 3 * 86_400_000;

export interface SenderParts {
  db: Queryable;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  mailer: Mailer;
  /**
   * For a service whose clock is set, such as a sandbox. Stores the mails instead of sending them: many at once, each
   * with the time at which it was due.
   */
  record?: ((transaction: Queryable, mails: readonly RecordedMail[]) => Promise<void>) | undefined;
  texts: TemplateTexts;
  brand: MailBrand;
  /** Returns the page on which the reader can unsubscribe from optional mails. */
  unsubscribeUrl(userId: number): string;
  /** Returns a link to the purchases of an address as of a moment, and null for an address without purchases. */
  libraryUrl(email: string, at: Date): Promise<string | null>;
}

export type RecordedMail = Mail & { sentAt: Date };

/** Sends due mails until none is left or `stopping` aborts. Any number of processes may do so at once. */
export async function sendDueMails(parts: SenderParts, stopping?: AbortSignal): Promise<void> {
  const { record } = parts;
  let count: number;
  if (record !== undefined)
    do count = await recordBatch(parts, record);
    while (count === recordedBatch);
  else
    do {
      const mails = await claim(parts);
      for (const mail of mails) {
        if (stopping?.aborted === true) return;
        await send(parts, mail);
      }
      count = mails.length;
    } while (count === batch);
}

/** The mails that are due and not leased, locked by the caller's transaction. */
const dueMails = (columns: RawBuilder<unknown>, now: Date, limit: number) => sql`
  select ${columns} from outgoing_mails
  where sent_at is null and failed_at is null and due_at <= ${now}::timestamptz
    and (leased_until is null or leased_until <= ${now}::timestamptz)
  order by due_at, id limit ${limit} for update skip locked`;

const claimedColumns = sql`id, user_id, recipient, template, facts, language, attempts, due_at, leased_until`;

/** Leases due mails. A lease that expires makes them due again. */
async function claim({ db, clock }: SenderParts): Promise<ClaimedMail[]> {
  const nowMs = clock.nowMs();
  const now = new Date(nowMs);
  // The update returns rows in any order, so they are sorted again.
  const { rows } = await sql<ClaimedMail>`
    with claimed as (
      update outgoing_mails set leased_until = ${new Date(nowMs + leaseMs)}::timestamptz, attempts = attempts + 1,
        first_attempt_at = coalesce(first_attempt_at, case when attempts = 0 then ${now}::timestamptz end)
      where id in (${dueMails(sql`id`, now, batch)})
      returning *)
    select ${claimedColumns} from claimed order by due_at, id`.execute(db);
  return rows;
}

/**
 * Sends a mail and records it. The Message-ID comes from the row. So if a process crashes before it records the mail
 * and another process sends the mail again, mail servers and programs recognise the duplicate.
 */
async function send(parts: SenderParts, mail: ClaimedMail): Promise<void> {
  const { db, clock, mailer, log } = parts;
  try {
    const reader = await preferencesOfAddress(db, mail.recipient);
    await mailer.send(await composeMail(parts, mail, { reader, at: new Date(clock.nowMs()) }));
    await db
      .updateTable("outgoing_mails")
      .set({ sent_at: new Date(clock.nowMs()), leased_until: null, last_error: null })
      .where("id", "=", mail.id)
      .where("leased_until", "=", mail.leased_until)
      .execute();
  } catch (error) {
    log.warn({ err: error, mailId: mail.id, template: mail.template }, "a mail was not sent; trying again");
    await postpone(parts, mail, error);
  }
}

/**
 * Records due mails without sending them, in one transaction, so that they need no lease. A mail that cannot be written
 * waits for its next attempt. Returns the number of mails.
 */
const recordBatch = (parts: SenderParts, record: NonNullable<SenderParts["record"]>): Promise<number> =>
  transact(parts.db, async (transaction) => {
    const { log, clock } = parts;
    const { rows: mails } = await dueMails(claimedColumns, new Date(clock.nowMs()), recordedBatch)
      .$castTo<ClaimedMail>()
      .execute(transaction);
    if (mails.length === 0) return 0;
    const readers = await preferencesOfAddresses(
      transaction,
      mails.map(({ recipient }) => recipient),
    );
    const recordedMails: RecordedMail[] = [];
    for (const mail of mails)
      try {
        const reader = readers.get(mail.recipient.toLowerCase()) ?? null;
        const composed = await composeMail(parts, mail, { reader, at: mail.due_at });
        recordedMails.push({ ...composed, sentAt: mail.due_at });
      } catch (error) {
        log.warn({ err: error, mailId: mail.id, template: mail.template }, "a mail was not written; trying again");
        await postpone({ ...parts, db: transaction }, { ...mail, attempts: mail.attempts + 1 }, error);
      }
    await record(transaction, recordedMails);
    await sql`
      update outgoing_mails set sent_at = due_at, leased_until = null, last_error = null
      where id = any(${recordedMails.map(({ messageId }) => messageId)}::uuid[])`.execute(transaction);
    return mails.length;
  });

async function composeMail(
  { texts, brand, unsubscribeUrl, libraryUrl }: SenderParts,
  mail: ClaimedMail,
  { reader, at }: { reader: MailPreferences | null; at: Date },
): Promise<Mail> {
  const { id, recipient, user_id } = mail;
  const library = mail.facts.opens === "library" ? await libraryUrl(recipient, at) : null;
  const facts = library === null ? mail.facts : { ...mail.facts, link: library };
  const template = library === null && mail.template === "library" ? "no-orders" : mail.template;
  if (!isTemplateName(template)) throw new Error(`No mail is named ${template}.`);
  const isOptional = "isOptional" in templates[template];
  const url = isOptional && user_id !== null ? unsubscribeUrl(user_id) : null;
  // A mail that an earlier release queued may lack a fact that the current template names.
  const allFacts = { ...Object.fromEntries(namesOf(template).map((name) => [name, ""])), ...facts };
  const language = isLanguage(mail.language) ? mail.language : (reader?.language ?? "en");
  const rendered = renderMail(texts[language][template], allFacts, {
    locale: locales[language],
    timeZone: reader?.time_zone ?? null,
    brand,
    unsubscribeUrl: url,
  });
  return {
    to: recipient,
    ...rendered,
    messageId: id,
    ...(url !== null && {
      headers: { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    }),
  };
}

async function postpone({ db, clock, log }: SenderParts, mail: ClaimedMail, error: unknown): Promise<void> {
  const nowMs = clock.nowMs();
  const waitMs = Math.min(firstWaitMs * 2 ** (mail.attempts - 1), longestWaitMs);
  const nextAttempt = new Date(nowMs + waitMs);
  const last_error = String(error instanceof Error ? error.message : error).slice(0, 500);
  const now = new Date(nowMs);
  const giveUpBefore = new Date(nowMs - giveUpAfterMs);
  const firstAttempt = sql`coalesce(first_attempt_at, case when ${mail.attempts}::integer = 1 then ${now}::timestamptz end)`;
  const { rows } = await sql<{ failed_at: Date | null }>`
    update outgoing_mails set leased_until = null, due_at = ${nextAttempt}::timestamptz, last_error = ${last_error},
      attempts = ${mail.attempts}, first_attempt_at = ${firstAttempt},
      failed_at = case when coalesce(${firstAttempt}, created_at) <= ${giveUpBefore}::timestamptz then ${now}::timestamptz end
    where id = ${mail.id} and leased_until is not distinct from ${mail.leased_until}::timestamptz
    returning failed_at`.execute(db);
  if (rows[0]?.failed_at != null)
    log.error({ mailId: mail.id, template: mail.template }, "a mail was given up after three days of failed attempts");
}

/** The last measured number of waiting mails, and the age of the oldest, so that a scrape of metrics needs no query. */
export class MailWatch {
  state = { waiting: 0, oldestSeconds: 0 };

  async measure(db: Queryable, now: Date): Promise<void> {
    const { rows } = await sql<MailWatch["state"]>`
      select count(*)::int as waiting,
        coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(created_at))), 0)::float8 as "oldestSeconds"
      from outgoing_mails where sent_at is null and failed_at is null`.execute(db);
    // Without a row, the state stays.
    [this.state = this.state] = rows;
  }
}

const storageMs = 30 * 86_400_000;

/** Deletes mails 30 days after they were sent, or after their last attempt failed. */
export async function deleteOldOutgoingMails(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - storageMs);
  await sql`delete from outgoing_mails where coalesce(sent_at, failed_at) <= ${before}::timestamptz`.execute(db);
}

/**
 * Deletes the mails of an erased user, sent or not, and all other mails to the user's address. Call this function
 * before the address is erased.
 */
export async function eraseMails(transaction: Queryable, userId: number): Promise<void> {
  await sql`delete from outgoing_mails where user_id = ${userId}
    or recipient = (select email from users where id = ${userId})`.execute(transaction);
}

/** Returns all operators with an address. */
export async function operatorsOf(db: Queryable): Promise<Pick<NewMail, "userId" | "to">[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "email"])
    .where("operator", "=", true)
    .where("email", "is not", null)
    .$narrowType<{ email: string }>()
    .orderBy("id")
    .execute();
  return rows.map(({ id, email }) => ({ userId: id, to: email }));
}
