import type { Queryable } from "../../database/connection/connect.ts";
import type { AuditAction } from "./actions.ts";

/** Who did it: the operator, by a command, or whoever was signed in to the portal, from there. */
export type AuditAuthor = "operator" | { clientAddress: string; userAgent: string };

/** Something done with an account, as it is recorded. */
export interface AuditFact {
  /** Whose account: who may read of it. */
  userId: number;
  action: AuditAction;
  /** What it was done to, as people call it: `API key 7 (Website, …x3Qa)`. Absent: the account itself. */
  subject?: string;
  author: AuditAuthor;
  at: Date;
}

/** A recorded fact. */
export interface AuditEntry {
  id: number;
  time: Date;
  action: AuditAction;
  subject: string;
  author: AuditAuthor;
}

const maxSubjectLength = 300;
const maxAddressLength = 50;
const maxUserAgentLength = 300;

/** Records what was done. `transaction` must be the one that does it, so that there is never one without the other. */
export async function recordAudit(transaction: Queryable, fact: AuditFact): Promise<void> {
  const { userId, action, subject = "", author, at } = fact;
  const from = author === "operator" ? null : author;
  await transaction
    .insertInto("audit_entries")
    .values({
      user_id: userId,
      time: at,
      action,
      subject: subject.slice(0, maxSubjectLength),
      client_address: from?.clientAddress.slice(0, maxAddressLength) ?? null,
      user_agent: from?.userAgent.slice(0, maxUserAgentLength) ?? null,
    })
    .execute();
}

/** What was done with an account, newest first: `limit` entries, those older than `beforeId`. */
export async function listAudit(
  db: Queryable,
  userId: number,
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<AuditEntry[]> {
  let query = db
    .selectFrom("audit_entries")
    .select(["id", "time", "action", "subject", "client_address", "user_agent"])
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limit);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.execute()).map(({ client_address, user_agent, action, ...entry }) => ({
    ...entry,
    action: action as AuditAction,
    author: client_address === null ? "operator" : { clientAddress: client_address, userAgent: user_agent ?? "" },
  }));
}
