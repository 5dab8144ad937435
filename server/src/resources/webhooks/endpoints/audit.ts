import type { Queryable } from "../../../database/connection/connect.ts";
import { type AuditAuthor, recordAudit } from "../../audit/queries.ts";
import { type Actor, type Endpoint, nameOf } from "./endpoint.ts";

type Change = "created" | "updated" | "enabled" | "disabled" | "deleted" | "secret_revealed" | "secret_rotated";

/** Writes into the owner's audit log what is done to an endpoint, in the transaction that does it. Answers the endpoint. */
export async function recordEndpoint(
  transaction: Queryable,
  change: Change,
  endpoint: Endpoint,
  author: AuditAuthor,
  at: Date,
): Promise<Endpoint> {
  const fact = { userId: endpoint.userId, subject: nameOf(endpoint), author, at };
  await recordAudit(transaction, { ...fact, action: `webhook_endpoint.${change}` });
  return endpoint;
}

export const authorOf = (actor: Actor): AuditAuthor => (actor === "operator" ? actor : actor.author);
