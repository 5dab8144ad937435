import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "./actions.ts";

/** Their entries name the address of a member, or of somebody who was invited. */
const memberActions: readonly AuditAction[] = [
  "organisation.member_invited",
  "organisation.invitation_revoked",
  "organisation.member_joined",
  "organisation.role_changed",
  "organisation.member_removed",
  "organisation.member_left",
  "organisation.transferred",
];

/** Deletes the audit log of a user who is erased. Of what they did as organisations, it is kept that it happened. */
export async function eraseAudit(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("audit_entries").where("user_id", "=", userId).execute();
  await transaction
    .updateTable("audit_entries")
    .set({ client_address: "", user_agent: "" })
    .where("person_id", "=", userId)
    .execute();
}

/** Takes the address of a user who is erased from the logs of their organisations. */
export async function eraseAddress(transaction: Queryable, email: string): Promise<void> {
  await sql`
    update audit_entries set subject = replace(subject, ${email}, 'a deleted account')
    where action in (${sql.join(memberActions)}) and strpos(subject, ${email}) > 0`.execute(transaction);
}
