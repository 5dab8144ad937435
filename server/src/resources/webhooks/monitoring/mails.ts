import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { TemplatedMail, TemplatedMailer } from "@beatmarket/mail/mailer.ts";
import { type Selectable, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { UsersTable, WebhookEndpointsTable } from "../../../database/tables.ts";

type DueMail = Pick<
  Selectable<WebhookEndpointsTable>,
  "id" | "url" | "mail_due" | "last_error" | "disabled_reason" | "failing_since"
> &
  Pick<UsersTable, "email">;

export interface EndpointMailParts {
  mailer: TemplatedMailer;
  publicUrl: string;
}

const sendTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;
/** Longer than a send. Also the delay after a mail that the server refused. */
const mailLeaseMs = 5 * 60_000;

/**
 * Sends the due mails about endpoints, one by one: leases a mail, sends it outside of any transaction, and confirms it.
 * After a crash between the last two steps it is sent again. A refused mail stays due and does not delay the others; the
 * first error is thrown at the end. `stopping` leaves the rest to another worker.
 */
export async function sendDueMails(
  db: Queryable,
  { mailer, publicUrl }: EndpointMailParts,
  now: () => Date,
  stopping: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  while (!stopping.aborted) {
    const mail = await leaseMail(db, now());
    if (mail === undefined) break;
    try {
      if (mail.email !== null) await sendWithin(mailer, { to: mail.email, ...endpointMail(mail, publicUrl) }, stopping);
      await confirmMail(db, mail);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * The number of mails about endpoints that no mail server has accepted yet, and how long the oldest has been due; 0
 * without any.
 */
export interface DueMails {
  waiting: number;
  oldestSeconds: number;
}

export async function countDueMails(db: Queryable, now: Date): Promise<DueMails> {
  const { rows } = await sql<DueMails>`
    select count(*)::int as waiting,
      coalesce(greatest(0, extract(epoch from ${now}::timestamptz
        - min(case mail_due when 'disabled' then disabled_at else failing_mail_at end))), 0)::float8 as "oldestSeconds"
    from webhook_endpoints where mail_due is not null`.execute(db);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 };
}

async function leaseMail(db: Queryable, now: Date): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    update webhook_endpoints endpoint set mail_leased_until = ${new Date(now.getTime() + mailLeaseMs)}
    from users
    where users.id = endpoint.user_id and endpoint.id = (
      select id from webhook_endpoints
      where mail_due is not null and (mail_leased_until is null or mail_leased_until <= ${now})
      order by id limit 1
      for no key update skip locked)
    returning endpoint.id, url, mail_due, last_error, disabled_reason, failing_since,
      coalesce(users.email, (
        select string_agg(owner.email, ', ' order by owner.id)
        from organisation_members member join users owner on owner.id = member.user_id
        where member.organisation_id = users.id and member.role = 'owner')) as email`.execute(db);
  return rows[0];
}

/**
 * Does not confirm a mail that became due in the meantime, such as for an endpoint that first failed and was then
 * disabled.
 */
const confirmMail = (db: Queryable, { id, mail_due }: DueMail) =>
  sql`
    update webhook_endpoints
    set mail_due = case when mail_due <> ${mail_due} then mail_due end, mail_leased_until = null
    where id = ${id}`.execute(db);

/** Rejects when the server takes too long, or longer than a stopping service may wait. */
async function sendWithin(mailer: TemplatedMailer, mail: TemplatedMail, stopping: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  const giveUp = () => stopped.reject(new Error("The service stopped before the mail server accepted a mail."));
  const onStopping = () => setTimeout(giveUp, stopTimeoutMs).unref();
  stopping.addEventListener("abort", onStopping);
  const late = () => new Error(`The mail server did not accept a mail within ${sendTimeoutMs / 1000} seconds.`);
  try {
    await Promise.race([withTimeout(mailer.send(mail), sendTimeoutMs, late), stopped.promise]);
  } finally {
    stopping.removeEventListener("abort", onStopping);
  }
}

/** A mail that says what failed and why, how to fix it and how to replay missed deliveries. */
function endpointMail(mail: Omit<DueMail, "email">, publicUrl: string): Omit<TemplatedMail, "to"> {
  const { id, url, mail_due, last_error, disabled_reason, failing_since } = mail;
  const facts = {
    endpoint: String(id),
    url: url || "the inbox of your portal",
    error: last_error ?? "none",
    guide: `${publicUrl}/portal/docs/webhooks`,
  };
  if (mail_due === "disabled")
    return { template: "endpoint-disabled", facts: { ...facts, reason: disabled_reason ?? "none" } };
  const since =
    failing_since === null ? "recently" : `${failing_since.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return { template: "endpoint-failing", facts: { ...facts, since } };
}
