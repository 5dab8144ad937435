import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "./actions.ts";
import { type AuditEntry, auditColumns, auditEntryOf } from "./queries.ts";

// The audit logs of all accounts, as operators see them.

/** Which entries to list. An absent field does not filter. */
export interface AuditFilter {
  /** Whose log. */
  userId?: number | undefined;
  /** Who acted: an operator in the portal, any operator or command, or owners. */
  actor?: number | "operators" | "owners" | undefined;
  action?: AuditAction | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

export interface AccountsAuditEntry extends AuditEntry {
  /** Whose log it is in. */
  userId: number;
}

/** Entries of all accounts, newest first, with ids below `beforeId`. */
export async function listAllAudit(
  db: Queryable,
  filter: AuditFilter & { limit: number; beforeId?: number | undefined },
): Promise<AccountsAuditEntry[]> {
  const { userId, actor, action, from, to, limit, beforeId } = filter;
  let query = db
    .selectFrom("audit_entries")
    .select([...auditColumns, "user_id"])
    .orderBy("id", "desc")
    .limit(limit);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  if (typeof actor === "number") query = query.where("operator_id", "=", actor);
  if (actor === "operators")
    query = query.where(({ eb, or }) => or([eb("operator_id", "is not", null), eb("client_address", "is", null)]));
  if (actor === "owners") query = query.where("operator_id", "is", null).where("client_address", "is not", null);
  if (action !== undefined) query = query.where("action", "=", action);
  if (from !== undefined) query = query.where("time", ">=", from);
  if (to !== undefined) query = query.where("time", "<", to);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.execute()).map(({ user_id, ...row }) => ({ ...auditEntryOf(row), userId: user_id }));
}
