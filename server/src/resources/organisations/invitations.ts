import { createHash, randomBytes } from "node:crypto";
import { ApiError, conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Role } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import type { SessionAuthor } from "../audit/queries.ts";
import { addMember, type Change, changeAsOwner, listMembers, maxMembers, record, requireRoomFor } from "./members.ts";

const dayMs = 86_400_000;
const lifetimeMs = 7 * dayMs;
/** The time for which the page of an expired link shows the reason. */
const storageMs = 30 * dayMs;
/** A token has 32 bytes, in base64url. */
const tokenPattern = /^[\w-]{43}$/;

/** An invitation to an organisation. */
export interface Invitation {
  id: number;
  email: string;
  role: Role;
  expiresAt: Date;
}

/** The state of an invitation. Only an open invitation can be accepted. */
export type InvitationState = "open" | "expired" | "revoked" | "accepted";

/** The invitation of a mailed link. */
export interface Offer extends Invitation {
  organisationId: number;
  organisation: string;
  state: InvitationState;
}

/** Returns open and expired invitations, newest first. */
export const listInvitations = (db: Queryable, organisationId: number): Promise<Invitation[]> =>
  selectInvitations(db, organisationId);

/** Returns the open and expired invitations whose newest mail a certain member has sent. */
export const listInvitationsOf = (db: Queryable, organisationId: number, personId: number): Promise<Invitation[]> =>
  selectInvitations(db, organisationId, personId);

async function selectInvitations(db: Queryable, organisationId: number, personId?: number): Promise<Invitation[]> {
  const rows = await db
    .selectFrom("organisation_invitations")
    .select(["id", "email", "role", "expires_at"])
    .where("organisation_id", "=", organisationId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .$if(personId !== undefined, (query) => query.where("invited_by", "=", personId as number))
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id, email, role, expires_at }) => ({ id, email, role: role as Role, expiresAt: expires_at }));
}

/** Revokes an invitation whose sender is no longer an owner. The caller has locked the organisation. */
export async function endInvitation(transaction: Queryable, id: number, now: Date): Promise<void> {
  await transaction
    .updateTable("organisation_invitations")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where(sql<boolean>`accepted_at is null and revoked_at is null`)
    .execute();
}

/**
 * Invites the owner of a mailbox for seven days. Returns the token of the link. Throws 409 for a member, for a person
 * who is already invited, and above `maxMembers`.
 */
export async function invite(db: Queryable, change: Change, email: string, role: Role): Promise<string> {
  return changeAsOwner(db, change, async (transaction) => {
    const { organisationId, now } = change;
    const members = await listMembers(transaction, organisationId);
    if (members.some((member) => member.email === email)) throw conflict(`${email} is a member already.`);
    const invitations = await listInvitations(transaction, organisationId);
    if (invitations.some((each) => each.email === email))
      throw conflict(`${email} is invited already. Send that invitation again, or revoke it.`);
    if (members.length + invitations.length >= maxMembers)
      throw conflict(`An organisation has at most ${maxMembers} members and invitations; remove one first.`);
    const { token, sha256 } = createToken();
    await transaction
      .insertInto("organisation_invitations")
      .values({
        organisation_id: organisationId,
        email,
        role,
        token_sha256: sha256,
        created_at: now,
        expires_at: new Date(now.getTime() + lifetimeMs),
        invited_by: change.personId,
      })
      .execute();
    await record(transaction, change, "organisation.member_invited", `${email} as ${role}`);
    return token;
  });
}

/** Replaces the mailed link with a new link for seven days. Throws 404 for an accepted or revoked invitation. */
export async function renewInvitation(
  db: Queryable,
  change: Change,
  id: number,
): Promise<{ email: string; token: string }> {
  return changeAsOwner(db, change, async (transaction) => {
    const { token, sha256 } = createToken();
    const renewed = await unfinishedInvitation(transaction, change, id)
      .set({
        token_sha256: sha256,
        invited_by: change.personId,
        expires_at: new Date(change.now.getTime() + lifetimeMs),
      })
      .returning(["email", "role"])
      .executeTakeFirst();
    if (renewed === undefined) throw unknownInvitation();
    await record(transaction, change, "organisation.member_invited", `${renewed.email} as ${renewed.role}, again`);
    return { email: renewed.email, token };
  });
}

/** Revokes an invitation, so that its link no longer works. Throws 404 for an accepted or revoked invitation. */
export async function revokeInvitation(db: Queryable, change: Change, id: number): Promise<void> {
  await changeAsOwner(db, change, async (transaction) => {
    const revoked = await unfinishedInvitation(transaction, change, id)
      .set({ revoked_at: change.now })
      .returning("email")
      .executeTakeFirst();
    if (revoked === undefined) throw unknownInvitation();
    await record(transaction, change, "organisation.invitation_revoked", revoked.email);
  });
}

/**
 * Returns the invitation of a mailed link, in any state. Throws 400 for an unknown link, and for a link that a newer
 * link replaced.
 */
export async function findOffer(db: Queryable, token: string, now: Date): Promise<Offer> {
  const row = tokenPattern.test(token)
    ? await db
        .selectFrom("organisation_invitations as invitation")
        .innerJoin("users", "users.id", "invitation.organisation_id")
        .select(["invitation.id", "organisation_id", "display_name", "invitation.email", "role", "expires_at"])
        .select(["accepted_at", "revoked_at"])
        .where("token_sha256", "=", sha256Of(token))
        .executeTakeFirst()
    : undefined;
  if (row === undefined)
    throw invalidRequest(
      "This link is incomplete, or a newer mail replaced it. Open the link of the newest mail, or ask an owner of the organisation to send the invitation again.",
      "token",
    );
  return {
    id: row.id,
    organisationId: row.organisation_id,
    organisation: row.display_name,
    email: row.email,
    role: row.role as Role,
    expiresAt: row.expires_at,
    state: stateOf(row, now),
  };
}

/**
 * Makes the person with the invited address a member. Throws 400 for an unknown or replaced link, and 403 for a person
 * with another address. Throws 409 for a member, for an invitation that is not open, and for a person with 50
 * memberships.
 */
export async function acceptInvitation(
  db: Queryable,
  token: string,
  person: { userId: number; email: string; author: SessionAuthor; now: Date },
): Promise<Offer> {
  const { userId, email, author, now } = person;
  const { organisationId } = await findOffer(db, token, now);
  return transact(db, async (transaction) => {
    // Locks the person before the organisation, like `createOrganisation`.
    await lockUser(transaction, userId);
    await lockUser(transaction, organisationId);
    const offer = await findOffer(transaction, token, now);
    if (offer.state !== "open") throw conflict(endedText(offer.state));
    if (offer.email !== email)
      throw new ApiError(
        403,
        "forbidden",
        "Another address is invited",
        `The invitation is for ${offer.email}, and you are signed in as ${email}. Sign in to the account of ${offer.email}, or ask an owner to invite ${email}.`,
      );
    const members = await listMembers(transaction, organisationId);
    if (members.some((member) => member.userId === userId))
      throw conflict(`You are a member of ${offer.organisation} already. Choose it in the account menu.`);
    await requireRoomFor(transaction, userId);
    await addMember(transaction, { organisationId, userId, role: offer.role, now });
    await transaction
      .updateTable("organisation_invitations")
      .set({ accepted_at: now })
      .where("id", "=", offer.id)
      .execute();
    const change = { organisationId, personId: userId, author, now };
    await record(transaction, change, "organisation.member_joined", `${email} as ${offer.role}`);
    return offer;
  });
}

/** Deletes invitations in any state 30 days after the end of their lifetime. */
export async function sweepInvitations(db: Queryable, now: Date): Promise<void> {
  await db
    .deleteFrom("organisation_invitations")
    .where("expires_at", "<", new Date(now.getTime() - storageMs))
    .execute();
}

const endedText = (state: Exclude<InvitationState, "open">): string =>
  ({
    expired: "The invitation has expired. Ask an owner of the organisation to send it again.",
    revoked: "The invitation was revoked. Ask an owner of the organisation for another one.",
    accepted: "The invitation was accepted already. Sign in, and choose the organisation in the account menu.",
  })[state];

function stateOf(
  { accepted_at, revoked_at, expires_at }: { accepted_at: Date | null; revoked_at: Date | null; expires_at: Date },
  now: Date,
): InvitationState {
  if (accepted_at !== null) return "accepted";
  if (revoked_at !== null) return "revoked";
  return expires_at > now ? "open" : "expired";
}

/** The update of an invitation that was neither accepted nor revoked. It may have expired. */
const unfinishedInvitation = (transaction: Queryable, { organisationId }: Change, id: number) =>
  transaction
    .updateTable("organisation_invitations")
    .where("id", "=", id)
    .where("organisation_id", "=", organisationId)
    .where(sql<boolean>`accepted_at is null and revoked_at is null`);

const unknownInvitation = () => notFound("There is no such invitation; perhaps it was accepted or revoked.");

function createToken(): { token: string; sha256: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, sha256: sha256Of(token) };
}

const sha256Of = (token: string): Buffer => createHash("sha256").update(token).digest();
