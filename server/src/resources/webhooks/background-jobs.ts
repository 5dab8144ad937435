import type { TemplatedMail, TemplatedMailer } from "@beatmarket/mail/mailer.ts";
import {
  type WebhookJobsOptions as JobsOptions,
  startWebhookJobs as startJobs,
} from "@beatmarket/webhooks/background-jobs.ts";
import type { DueMail } from "@beatmarket/webhooks/monitoring/due-mails.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { eventRules } from "./outbox.ts";

export interface EndpointMailParts {
  mailer: TemplatedMailer;
  publicUrl: string;
}

export interface WebhookJobsOptions extends Omit<JobsOptions, "rules" | "sendMail"> {
  mails: EndpointMailParts;
}

/** Starts the delivery of this service's events. Returns a function that stops it. */
export function startWebhookJobs({ mails, ...options }: WebhookJobsOptions): Promise<() => Promise<void>> {
  if (options.allowPrivate)
    options.log.warn(
      "WEBHOOK_ALLOW_PRIVATE is on: webhooks may reach http, any port and private networks. For local work only.",
    );
  return startJobs({ ...options, rules: eventRules, sendMail: endpointMailer(options.database.query, mails) });
}

/**
 * Returns a function that sends a mail about an endpoint to the owner of the account, or to the owners of the
 * organisation.
 */
export const endpointMailer =
  (db: Queryable, { mailer, publicUrl }: EndpointMailParts) =>
  async (mail: DueMail): Promise<void> => {
    const to = await addressOf(db, mail.ownerId);
    if (to !== null) await mailer.send({ to, ...endpointMail(mail, publicUrl) });
  };

/**
 * Returns the e-mail address of an account, or the addresses of an organisation's owners, separated by commas. Returns
 * null for an erased account.
 */
async function addressOf(db: Queryable, userId: number): Promise<string | null> {
  const { rows } = await sql<{ email: string | null }>`
    select coalesce(users.email, (
      select string_agg(owner.email, ', ' order by owner.id)
      from organisation_members member join users owner on owner.id = member.user_id
      where member.organisation_id = users.id and member.role = 'owner')) as email
    from users where users.id = ${userId}`.execute(db);
  return rows[0]?.email ?? null;
}

/** Returns the mail about a failing or disabled endpoint. */
function endpointMail(mail: DueMail, publicUrl: string): Omit<TemplatedMail, "to"> {
  const { endpointId, url, due, lastError, disabledReason, failingSince } = mail;
  const facts = {
    endpoint: String(endpointId),
    url: url || "the inbox of your portal",
    error: lastError ?? "none",
    guide: `${publicUrl}/portal/docs/webhooks`,
  };
  if (due === "disabled")
    return { template: "endpoint-disabled", facts: { ...facts, reason: disabledReason ?? "none" } };
  const since = failingSince === null ? "recently" : `${failingSince.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return { template: "endpoint-failing", facts: { ...facts, since } };
}
