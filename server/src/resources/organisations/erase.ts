import { conflict } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { eraseAddress } from "../audit/queries.ts";

/**
 * Returns the organisations of which a person is the only member. They are erased with the person, because nobody else
 * could act as them. Throws 409 if the person is the only owner of an organisation with other members.
 */
export async function findSoleOrganisations(transaction: Queryable, personId: number): Promise<number[]> {
  await lockUser(transaction, personId);
  const memberships = await transaction
    .selectFrom("organisation_members")
    .select("organisation_id")
    .where("user_id", "=", personId)
    .orderBy("organisation_id")
    .execute();
  // With this lock, the members and roles of the organisation cannot change.
  for (const { organisation_id } of memberships) await lockUser(transaction, organisation_id);
  const { rows } = await sql<{ id: number; name: string; others: number }>`
    select users.id, users.display_name as name,
           (select count(*) from organisation_members other
            where other.organisation_id = users.id and other.user_id <> ${personId}) as others
    from organisation_members member join users on users.id = member.organisation_id
    where member.user_id = ${personId} and member.role = 'owner' and not exists (
      select from organisation_members other
      where other.organisation_id = users.id and other.user_id <> ${personId} and other.role = 'owner')
    order by users.id`.execute(transaction);
  const organisation = rows.find(({ others }) => others > 0);
  if (organisation !== undefined)
    throw conflict(
      `This account is the only owner of ${organisation.name}. Make another member an owner first, or delete the organisation.`,
    );
  return rows.map(({ id }) => id);
}

/**
 * Deletes the memberships and invitations of an erased user, or all memberships and invitations of an erased
 * organisation.
 */
export async function eraseMemberships(transaction: Queryable, userId: number): Promise<void> {
  const { email } = await transaction
    .selectFrom("users")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  if (email !== null) await eraseAddress(transaction, email);
  await transaction
    .deleteFrom("organisation_members")
    .where(({ eb, or }) => or([eb("user_id", "=", userId), eb("organisation_id", "=", userId)]))
    .execute();
  await transaction
    .deleteFrom("organisation_invitations")
    .where(({ eb, or }) => or([eb("organisation_id", "=", userId), eb("email", "=", email)]))
    .execute();
}
