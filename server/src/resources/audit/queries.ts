import type { Queryable } from "../../database/connection/connect.ts";
import type { AuditAction } from "./actions.ts";

/** Who acted: the operator with a command, or a session of the portal. */
export type AuditAuthor = "operator" | { clientAddress: string; userAgent: string };

/** An entry to write to an account's audit log. */
export interface NewAuditEntry {
  /** The account whose owner can read the entry. */
  userId: number;
  action: AuditAction;
  /** The object of the action, for people: `API key 7 (Website, …x3Qa)`. Absent: the account itself. */
  subject?: string;
  author: AuditAuthor;
  at: Date;
}

/** An entry of the audit log. */
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

/** Writes an entry. `transaction` must be that of the action, so that both commit or neither. */
export async function recordAudit(transaction: Queryable, entry: NewAuditEntry): Promise<void> {
  const { userId, action, subject = "", author, at } = entry;
  const session = author === "operator" ? null : author;
  await transaction
    .insertInto("audit_entries")
    .values({
      user_id: userId,
      time: at,
      action,
      subject: subject.slice(0, maxSubjectLength),
      client_address: session?.clientAddress.slice(0, maxAddressLength) ?? null,
      user_agent: session?.userAgent.slice(0, maxUserAgentLength) ?? null,
    })
    .execute();
}

/** An account's entries, newest first: at most `limit`, older than `beforeId`. */
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
