import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";

/** A mail to the owner of an endpoint that fails, or that was disabled. */
export interface DueMail {
  endpointId: number;
  ownerId: number;
  /** Empty for an inbox. */
  url: string;
  due: "failing" | "disabled";
  lastError: string | null;
  disabledReason: string | null;
  failingSince: Date | null;
}

const sendTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;
/** Longer than `sendTimeoutMs`. A mail that the server refused is due again after this time. */
const mailLeaseMs = 5 * 60_000;

/**
 * Sends the due mails about endpoints, one by one: leases a mail, sends it outside of any transaction, and confirms it.
 * After a crash between sending and confirming, the mail is sent again. A refused mail stays due and does not delay the
 * others; the first error is thrown at the end. After `stopping` is aborted, another worker sends the other mails.
 */
export async function sendDueMails(
  db: Queryable,
  send: (mail: DueMail) => Promise<void>,
  now: () => Date,
  stopping: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  while (!stopping.aborted) {
    const mail = await leaseMail(db, now());
    if (mail === undefined) break;
    try {
      await within(send(mail), stopping);
      await confirmMail(db, mail);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function leaseMail(db: Queryable, now: Date): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    update webhook_endpoints endpoint set mail_leased_until = ${new Date(now.getTime() + mailLeaseMs)}
    where endpoint.id = (
      select id from webhook_endpoints
      where mail_due is not null and (mail_leased_until is null or mail_leased_until <= ${now})
      order by id limit 1
      for no key update skip locked)
    returning id as "endpointId", user_id as "ownerId", url, mail_due as due, last_error as "lastError",
      disabled_reason as "disabledReason", failing_since as "failingSince"`.execute(db);
  return rows[0];
}

/**
 * Leaves another mail due that became due during the send, as for an endpoint that failed first and was then disabled.
 */
const confirmMail = (db: Queryable, { endpointId, due }: DueMail) =>
  sql`
    update webhook_endpoints
    set mail_due = case when mail_due <> ${due} then mail_due end, mail_leased_until = null
    where id = ${endpointId}`.execute(db);

/** Rejects when the mail server takes too long, or longer than a stopping service may wait. */
async function within(sending: Promise<void>, stopping: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  const giveUp = () => stopped.reject(new Error("The service stopped before the mail server accepted a mail."));
  const onStopping = () => setTimeout(giveUp, stopTimeoutMs).unref();
  stopping.addEventListener("abort", onStopping);
  const late = () => new Error(`The mail server did not accept a mail within ${sendTimeoutMs / 1000} seconds.`);
  try {
    await Promise.race([withTimeout(sending, sendTimeoutMs, late), stopped.promise]);
  } finally {
    stopping.removeEventListener("abort", onStopping);
  }
}
