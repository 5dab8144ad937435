import { type Selectable, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { AuditEntriesTable } from "../../database/tables.ts";
import type { AuditAction } from "./actions.ts";

/** A session of the portal. */
export interface SessionAuthor {
  clientAddress: string;
  userAgent: string;
  /** The person, where they acted as an organisation. */
  personId?: number;
}

/** An operator: on the command line, or signed in to the portal. */
export type Operator = "operator" | (SessionAuthor & { operatorId: number });

export type AuditAuthor = Operator | SessionAuthor;

/** Whether an author, or the manager of a resource, is an operator; otherwise it is the owner. */
export const isOperator = (author: object | "operator"): author is Operator =>
  author === "operator" || "operatorId" in author;

/** An entry to write to an account's audit log. */
export interface NewAuditEntry {
  /** The account whose owner can read the entry. */
  userId: number;
  action: AuditAction;
  /** The object of the action, for people: `API key 7 (Website, …x3Qa)`. Absent: the account itself. */
  subject?: string;
  /** The operator's reason, as `readReason` returns it. */
  reason?: string | undefined;
  author: AuditAuthor;
  at: Date;
}

/** An entry of the audit log. */
interface AuditEntry {
  id: number;
  time: Date;
  action: AuditAction;
  subject: string;
  author: AuditAuthor;
}

const maxSubjectLength = 500;
const maxAddressLength = 50;
const maxUserAgentLength = 300;

/** Writes an entry. `transaction` must be the action's transaction, so that both commit or neither. */
export async function recordAudit(transaction: Queryable, entry: NewAuditEntry): Promise<void> {
  const { userId, action, subject = "", reason, author, at } = entry;
  const lines = reason === undefined ? [subject] : [subject, `Reason: ${reason}`];
  const session = author === "operator" ? null : author;
  await transaction
    .insertInto("audit_entries")
    .values({
      user_id: userId,
      time: at,
      action,
      subject: lines.filter(Boolean).join(". ").slice(0, maxSubjectLength),
      client_address: session?.clientAddress.slice(0, maxAddressLength) ?? null,
      user_agent: session?.userAgent.slice(0, maxUserAgentLength) ?? null,
      person_id: session?.personId ?? null,
      operator_id: author !== "operator" && isOperator(author) ? author.operatorId : null,
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
    .select(auditColumns)
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limit);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.execute()).map(auditEntryOf);
}

/** The time of an account's first entry with one of these actions since a time; null if there is none. */
export async function firstTimeOf(
  db: Queryable,
  userId: number,
  actions: readonly AuditAction[],
  since: Date,
): Promise<Date | null> {
  const row = await db
    .selectFrom("audit_entries")
    .select("time")
    .where("user_id", "=", userId)
    .where("action", "in", actions)
    .where("time", ">=", since)
    .orderBy("time")
    .limit(1)
    .executeTakeFirst();
  return row?.time ?? null;
}

const auditColumns = [
  "audit_entries.id",
  "audit_entries.time",
  "audit_entries.action",
  "audit_entries.subject",
  "audit_entries.client_address",
  "audit_entries.user_agent",
  "audit_entries.operator_id",
  "audit_entries.person_id",
] as const;

type AuditRow = Pick<
  Selectable<AuditEntriesTable>,
  "id" | "time" | "action" | "subject" | "client_address" | "user_agent" | "operator_id" | "person_id"
>;

const auditEntryOf = ({ id, time, action, subject, ...authorColumns }: AuditRow): AuditEntry => ({
  id,
  time,
  action: action as AuditAction,
  subject,
  author: authorOf(authorColumns),
});

function authorOf(row: Pick<AuditRow, "client_address" | "user_agent" | "operator_id" | "person_id">): AuditAuthor {
  if (row.client_address === null) return "operator";
  const session = {
    clientAddress: row.client_address,
    userAgent: row.user_agent ?? "",
    ...(row.person_id !== null && { personId: row.person_id }),
  };
  return row.operator_id === null ? session : { ...session, operatorId: row.operator_id };
}

/** Entries with these actions contain the e-mail address of a member or of an invited person. */
const memberActions: readonly AuditAction[] = [
  "organisation.member_invited",
  "organisation.invitation_revoked",
  "organisation.member_joined",
  "organisation.role_changed",
  "organisation.member_removed",
  "organisation.member_left",
  "organisation.transferred",
];

/** Deletes the log of an erased user. Their entries in organisations' logs stay, without IP address and browser. */
export async function eraseAudit(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("audit_entries").where("user_id", "=", userId).execute();
  await transaction
    .updateTable("audit_entries")
    .set({ client_address: "", user_agent: "" })
    .where("person_id", "=", userId)
    .execute();
}

/** Replaces the e-mail address of an erased user in the logs of all organisations. */
export async function eraseAddress(transaction: Queryable, email: string): Promise<void> {
  await sql`
    update audit_entries set subject = replace(subject, ${email}, 'a deleted account')
    where action in (${sql.join(memberActions)}) and strpos(subject, ${email}) > 0`.execute(transaction);
}

// The audit logs of all accounts, as operators see them.

/** Which entries to list. An absent field does not filter. */
export interface AuditFilter {
  /** The account whose log it is. */
  userId?: number | undefined;
  /** Who acted: an operator in the portal (the user id), any operator or command, or owners. */
  actor?: number | "operators" | "owners" | undefined;
  action?: AuditAction | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

export interface AccountsAuditEntry extends AuditEntry {
  /** The account whose log has the entry. */
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
