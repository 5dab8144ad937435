import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { MemberOrganisation } from "../../access/account.ts";
import { type Role, refusalOf, roleRefused } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "../audit/actions.ts";
import { lockUser } from "../audit/lock-user.ts";
import { recordAudit, type SessionAuthor } from "../audit/queries.ts";
import { createOrganisation as createRow, type Organisation } from "../users/accounts.ts";
import type { StandingAccount } from "../users/standing.ts";

// An organisation is an account without a password of its own: its members act as it, each with a role
// (docs/organisations.md).

export interface Member {
  userId: number;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
}

/** A change of an organisation by one of its members. */
export interface Change {
  organisationId: number;
  /** The person who requests the change. */
  personId: number;
  author: SessionAuthor;
  now: Date;
}

const maxOrganisations = 50;
/** The maximum number of members and of open or expired invitations together. */
export const maxMembers = 200;

/**
 * Creates an organisation with the person as its first owner. Throws 400 for an invalid name, and 409 if the person has
 * 50 memberships.
 */
export async function createOrganisation(
  db: Queryable,
  name: string,
  { personId, author, now }: Omit<Change, "organisationId">,
): Promise<Organisation> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, personId);
    await requireRoomFor(transaction, personId);
    const organisation = await createRow(transaction, name);
    await addMember(transaction, { organisationId: organisation.id, userId: personId, role: "owner", now });
    await record(transaction, { organisationId: organisation.id, personId, author, now }, "organisation.created", "");
    return organisation;
  });
}

/** Returns the organisations of a person, sorted by name. */
export async function organisationsOf(db: Queryable, personId: number): Promise<MemberOrganisation[]> {
  const rows = await memberships(db, personId).orderBy(sql`lower(users.display_name)`).orderBy("users.id").execute();
  return rows.map(actingAs);
}

/** Returns the membership of a person in an organisation, and null if the person is not a member. */
export async function findMembership(
  db: Queryable,
  organisationId: number,
  personId: number,
): Promise<MemberOrganisation | null> {
  const row = await memberships(db, personId).where("users.id", "=", organisationId).executeTakeFirst();
  return row === undefined ? null : actingAs(row);
}

/** Returns the owners first, then the other members. Both are sorted by the time they joined. */
export async function listMembers(db: Queryable, organisationId: number): Promise<Member[]> {
  const rows = await db
    .selectFrom("organisation_members as member")
    .innerJoin("users", "users.id", "member.user_id")
    .select(["users.id", "users.display_name", "users.email", "member.role", "member.created_at"])
    .where("member.organisation_id", "=", organisationId)
    .orderBy(sql`member.role <> 'owner'`)
    .orderBy("member.created_at")
    .orderBy("users.id")
    .execute();
  return rows.map(({ id, display_name, email, role, created_at }) => ({
    userId: id,
    name: display_name,
    email: email ?? "",
    role: role as Role,
    joinedAt: created_at,
  }));
}

/** Returns the addresses of an organisation's owners. Returns none for other accounts. */
export const ownerAddresses = async (db: Queryable, organisationId: number): Promise<string[]> =>
  (await listMembers(db, organisationId)).filter(({ role }) => role === "owner").map(({ email }) => email);

/**
 * Returns the addresses that get mails about an account: its own address, or the addresses of the organisation's
 * owners.
 */
export const addressesOf = async (db: Queryable, { id, email }: StandingAccount): Promise<string[]> =>
  email === null ? ownerAddresses(db, id) : [email];

/**
 * Gives another role to a member. Throws 404 if the user is not a member. Throws 409 for the same role, and if the
 * organisation would have no owner. Returns the member as before the change.
 */
export async function changeRole(db: Queryable, change: Change, userId: number, role: Role): Promise<Member> {
  return changeAsOwner(db, change, async (transaction) => {
    const member = await requireMember(transaction, change.organisationId, userId);
    if (member.role === role) throw conflict(`${member.email} has the role ${role} already.`);
    await setRole(transaction, change.organisationId, userId, role);
    await requireOwnerLeft(transaction, change.organisationId);
    await record(transaction, change, "organisation.role_changed", `${member.email}: ${member.role} → ${role}`);
    return member;
  });
}

/** Removes a member. Throws 404 if the user is not a member, and 409 if the organisation would have no owner. */
export async function removeMember(db: Queryable, change: Change, userId: number): Promise<Member> {
  return changeAsOwner(db, change, async (transaction) => {
    const member = await requireMember(transaction, change.organisationId, userId);
    await deleteMember(transaction, change.organisationId, userId);
    await requireOwnerLeft(transaction, change.organisationId);
    await record(transaction, change, "organisation.member_removed", member.email);
    return member;
  });
}

/** Ends the person's own membership. Throws 404 if there is none, and 409 for the last owner. */
export async function leave(db: Queryable, change: Change): Promise<void> {
  await transact(db, async (transaction) => {
    await lockUser(transaction, change.organisationId);
    const member = await requireMember(transaction, change.organisationId, change.personId);
    await deleteMember(transaction, change.organisationId, change.personId);
    await requireOwnerLeft(transaction, change.organisationId);
    await record(transaction, change, "organisation.member_left", member.email);
  });
}

/**
 * Makes another member an owner, and the person a developer. Throws 404 if the user is not a member, and 409 if the
 * user is the person. Returns the member as before the change.
 */
export async function transferOwnership(db: Queryable, change: Change, userId: number): Promise<Member> {
  return changeAsOwner(db, change, async (transaction) => {
    if (userId === change.personId) throw conflict("You own this organisation already; choose another member.");
    const member = await requireMember(transaction, change.organisationId, userId);
    await setRole(transaction, change.organisationId, userId, "owner");
    await setRole(transaction, change.organisationId, change.personId, "developer");
    await record(transaction, change, "organisation.transferred", `to ${member.email}`);
    return member;
  });
}

/**
 * Runs a change under the lock of the organisation. The person's role may have changed since the request was admitted:
 * throws 404 if the person is no longer a member, and 403 if the person is no longer an owner.
 */
export const changeAsOwner = <T>(
  db: Queryable,
  { organisationId, personId }: Change,
  run: (transaction: Queryable) => Promise<T>,
): Promise<T> =>
  transact(db, async (transaction) => {
    await lockUser(transaction, organisationId);
    const acting = await findMembership(transaction, organisationId, personId);
    if (acting === null) throw notFound("You are not a member of this organisation any more.");
    const refusal = refusalOf(acting.role, acting.name, "organisation:manage");
    if (refusal !== null) throw roleRefused(refusal, "organisation:manage");
    return run(transaction);
  });

/** Throws 409 if a person has 50 memberships. */
export async function requireRoomFor(transaction: Queryable, personId: number): Promise<void> {
  const { count } = await transaction
    .selectFrom("organisation_members")
    .select(sql<number>`count(*)`.as("count"))
    .where("user_id", "=", personId)
    .executeTakeFirstOrThrow();
  if (count >= maxOrganisations)
    throw conflict(`A person is a member of at most ${maxOrganisations} organisations; leave one first.`);
}

export async function addMember(
  transaction: Queryable,
  { organisationId, userId, role, now }: { organisationId: number; userId: number; role: Role; now: Date },
): Promise<void> {
  await transaction
    .insertInto("organisation_members")
    .values({ organisation_id: organisationId, user_id: userId, role, created_at: now })
    .execute();
}

/** Records an action of a member in the organisation's audit log. */
export const record = (
  transaction: Queryable,
  { organisationId, personId, author, now }: Change,
  action: AuditAction,
  subject: string,
): Promise<void> =>
  recordAudit(transaction, { userId: organisationId, action, subject, author: { ...author, personId }, at: now });

const memberships = (db: Queryable, personId: number) =>
  db
    .selectFrom("organisation_members as member")
    .innerJoin("users", "users.id", "member.organisation_id")
    .select(["users.id", "users.display_name", "users.suspension_reason", "member.role"])
    .where("member.user_id", "=", personId);

const actingAs = (row: {
  id: number;
  display_name: string;
  suspension_reason: string | null;
  role: string;
}): MemberOrganisation => ({
  userId: row.id,
  name: row.display_name,
  role: row.role as Role,
  suspensionReason: row.suspension_reason,
});

async function requireMember(transaction: Queryable, organisationId: number, userId: number): Promise<Member> {
  const member = (await listMembers(transaction, organisationId)).find((each) => each.userId === userId);
  if (member === undefined) throw notFound("There is no such member; perhaps they left.");
  return member;
}

async function requireOwnerLeft(transaction: Queryable, organisationId: number): Promise<void> {
  if ((await ownerAddresses(transaction, organisationId)).length === 0)
    throw conflict(
      "An organisation has at least one owner. Make another member an owner first, or delete the organisation.",
    );
}

const setRole = (transaction: Queryable, organisationId: number, userId: number, role: Role) =>
  transaction
    .updateTable("organisation_members")
    .set({ role })
    .where("organisation_id", "=", organisationId)
    .where("user_id", "=", userId)
    .execute();

const deleteMember = (transaction: Queryable, organisationId: number, userId: number) =>
  transaction
    .deleteFrom("organisation_members")
    .where("organisation_id", "=", organisationId)
    .where("user_id", "=", userId)
    .execute();
