import { type Selectable, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { transact } from "../../../database/connection/transaction.ts";
import type { UsersTable, WebhookEndpointsTable } from "../../../database/tables.ts";
import type { Mail, Mailer } from "../../../mail/mailer.ts";

type DueMail = Pick<
  Selectable<WebhookEndpointsTable>,
  "id" | "url" | "mail_due" | "last_error" | "disabled_reason" | "failing_since"
> &
  Pick<UsersTable, "email">;

/** Sends the due mails about endpoints, one by one. A mail that the server refuses stays due, and the error is thrown. */
export async function sendDueMails(db: Queryable, mailer: Mailer): Promise<void> {
  while (await sendNext(db, mailer)) {}
}

async function sendNext(db: Queryable, mailer: Mailer): Promise<boolean> {
  const work = async (transaction: Queryable) => {
    const { rows } = await sql<DueMail>`
      select endpoint.id, endpoint.url, mail_due, last_error, disabled_reason, failing_since, users.email
      from webhook_endpoints endpoint join users on users.id = endpoint.user_id
      where mail_due is not null order by endpoint.id limit 1
      for no key update of endpoint skip locked`.execute(transaction);
    const due = rows[0];
    if (due === undefined) return false;
    if (due.email !== null) await mailer.send({ to: due.email, ...endpointMail(due) });
    await transaction.updateTable("webhook_endpoints").set({ mail_due: null }).where("id", "=", due.id).execute();
    return true;
  };
  // A rollback does not call a mail back, so a second attempt would send it twice.
  return transact(db, work, { attempts: 1 });
}

/** Says what failed and why, how to fix it and how to replay missed deliveries. */
function endpointMail(due: Omit<DueMail, "email">): Omit<Mail, "to"> {
  const { id, url, mail_due, last_error, disabled_reason, failing_since } = due;
  const isDisabled = mail_due === "disabled";
  const since =
    failing_since === null ? "" : ` since ${failing_since.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const what = isDisabled
    ? `Your webhook endpoint ${id} is disabled: nothing is sent to it.\n\nReason: ${disabled_reason}`
    : `Deliveries to your webhook endpoint ${id} have been failing${since}. Each is attempted ten times over about three days.`;
  const next = isDisabled
    ? `Events meanwhile are kept for 30 days as skipped deliveries. When the receiver works again, enable the endpoint in the
developer portal and replay the skipped deliveries, or ask the operator to run:

  npx beatmarket webhooks enable ${id} --replay`
    : `Nothing is lost if the receiver responds with 2xx again within that time. Deliveries that failed for good can be replayed
in the developer portal, or by the operator with:

  npx beatmarket webhooks replay ${id} --failed

After five days without a success the endpoint is disabled.`;
  return {
    subject: isDisabled ? `Webhook endpoint ${id} is disabled` : `Webhook endpoint ${id} is failing`,
    text: `${what}

Endpoint:   ${url || "the inbox of your developer portal"}
Last error: ${last_error ?? "none"}

To fix it, check that the receiver is up, responds within 15 seconds with a 2xx status (no redirect), and verifies the
signature over the raw body. docs/webhooks.md explains each.

${next}
`,
  };
}
