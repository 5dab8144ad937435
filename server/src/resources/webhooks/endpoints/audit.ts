import type { Queryable } from "../../../database/connect.ts";
import { type AuditAuthor, isOperator, recordAudit } from "../../audit/queries.ts";
import { type AuditedPrincipal, auditName, type Endpoint } from "../endpoint.ts";

type Change = "created" | "updated" | "enabled" | "disabled" | "deleted" | "secret_revealed" | "secret_rotated";

/** Records a change of an endpoint in its owner's audit log, in the transaction of the change. Returns the endpoint. */
export async function auditEndpoint(
  transaction: Queryable,
  change: Change,
  endpoint: Endpoint,
  author: AuditAuthor,
  at: Date,
): Promise<Endpoint> {
  await recordAudit(transaction, {
    userId: endpoint.userId,
    action: `webhook_endpoint.${change}`,
    subject: auditName(endpoint),
    author,
    at,
  });
  return endpoint;
}

export const authorOf = (principal: AuditedPrincipal): AuditAuthor =>
  isOperator(principal) ? principal : principal.author;
