import type { Endpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, isOperator, type Operator, recordAudit } from "../audit/queries.ts";

/** A principal whose changes of endpoints the audit log records. */
export type AuditedPrincipal = { ownerId: number; author: AuditAuthor } | Operator;

type Change = "created" | "updated" | "enabled" | "disabled" | "deleted" | "secret_revealed" | "secret_rotated";

/** Records a change of an endpoint in its owner's audit log, in the transaction of the change. Returns the endpoint. */
export async function auditEndpoint(
  transaction: Queryable,
  change: Change,
  endpoint: Endpoint,
  author: AuditAuthor,
  time: Date,
): Promise<Endpoint> {
  await recordAudit(transaction, {
    userId: endpoint.userId,
    action: `webhook_endpoint.${change}`,
    subject: auditName(endpoint),
    author,
    at: time,
  });
  return endpoint;
}

export const authorOf = (principal: AuditedPrincipal): AuditAuthor =>
  isOperator(principal) ? principal : principal.author;

/** Returns the name of an endpoint in the audit log. */
export const auditName = ({ id, kind, url }: Pick<Endpoint, "id" | "kind" | "url">): string =>
  kind === "inbox" ? `Inbox (endpoint ${id})` : `Endpoint ${id} at ${url}`;
