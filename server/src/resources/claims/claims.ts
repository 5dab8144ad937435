import { createHash } from "node:crypto";
import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import type { TemplatedMail } from "@beatmarket/mail/mailer.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { recordAudit } from "../audit/queries.ts";
import { findAccount, normalEmail } from "../users/accounts.ts";
import { lockUnclaimedProducer } from "../users/joining.ts";

/** The claim of a mailbox's owner to a producer who has no account. A mailed link confirms the claim. */
export interface Claim {
  id: number;
  producer_id: number;
  producer_name: string;
  email: string;
  created_at: Date;
  expires_at: Date;
  /** The time at which the owner confirmed the claim; null before. */
  proven_at: Date | null;
  /** The account that the producer belongs to now; null before the claim is proven. */
  user_id: number | null;
}

const lifetimeMs = 24 * 3_600_000;
/** Unproven claims are deleted this time after they expired. */
const retentionMs = 30 * 24 * 3_600_000;

/**
 * Creates a claim, which replaces an earlier claim of the same producer by the same mailbox. Returns the claim and the
 * token of its link; only the SHA-256 of the token is stored. Throws 400 for an invalid address, 404 for an unknown
 * user, and 409 for a user who is not a producer or has an account.
 */
export const createClaim = (
  db: Queryable,
  request: { producerId: number; email: string },
  now: Date,
): Promise<{ claim: Claim; token: string }> =>
  transact(db, async (transaction) => {
    const email = normalEmail(request.email);
    const { producerId } = request;
    const producer = await lockUnclaimedProducer(transaction, producerId);
    if (producer === null) throw await unclaimableError(transaction, producerId);
    await transaction
      .deleteFrom("producer_claims")
      .where("producer_id", "=", producerId)
      .where("email", "=", email)
      .execute();
    const token = randomBytes(32).toString("base64url");
    const { id } = await transaction
      .insertInto("producer_claims")
      .values({
        producer_id: producerId,
        email,
        token_sha256: tokenHash(token),
        created_at: now,
        expires_at: new Date(now.getTime() + lifetimeMs),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const claim = await requireClaim(transaction, id);
    await recordClaim(transaction, claim, "producer.claim_created", now);
    return { claim, token };
  });

async function unclaimableError(db: Queryable, id: number): Promise<Error> {
  const user = await db
    .selectFrom("users")
    .select(["email", "joined_user_id", "is_producer"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (user === undefined) return notFound(`There is no producer ${id}.`);
  if (user.joined_user_id !== null)
    return conflict(`Producer ${id} is claimed already: its beats belong to user ${user.joined_user_id}.`);
  if (user.email !== null) return conflict(`User ${id} has an account already, ${user.email}; nobody can claim it.`);
  return conflict(`User ${id} is not a producer.`);
}

/** All stored claims, newest first: pending and proven claims, and expired claims for 30 days. */
export const listClaims = (db: Queryable): Promise<Claim[]> =>
  selectClaims(db).orderBy("producer_claims.id", "desc").execute();

/**
 * Deletes a claim that was not confirmed, so that its link no longer works. Throws 404 for an unknown claim and 409 for
 * a proven one.
 */
export const revokeClaim = (db: Queryable, id: number, now: Date): Promise<Claim> =>
  transact(db, async (transaction) => {
    await transaction.selectFrom("producer_claims").select("id").where("id", "=", id).forUpdate().execute();
    const claim = await requireClaim(transaction, id);
    if (claim.proven_at !== null)
      throw conflict(
        `Claim ${id} was proven, and producer ${claim.producer_id} belongs to user ${claim.user_id} since; it cannot be revoked.`,
      );
    await transaction.deleteFrom("producer_claims").where("id", "=", id).execute();
    await recordClaim(transaction, claim, "producer.claim_revoked", now);
    return claim;
  });

/** Deletes unproven claims 30 days after they expired. */
export async function deleteOldClaims(db: Queryable, now: Date): Promise<void> {
  await db
    .deleteFrom("producer_claims")
    .where("proven_at", "is", null)
    .where("expires_at", "<", new Date(now.getTime() - retentionMs))
    .execute();
}

export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

export const selectClaims = (db: Queryable) =>
  db
    .selectFrom("producer_claims")
    .innerJoin("users", "users.id", "producer_claims.producer_id")
    .select([
      "producer_claims.id",
      "producer_id",
      "users.display_name as producer_name",
      "producer_claims.email",
      "producer_claims.created_at",
      "expires_at",
      "proven_at",
      "producer_claims.user_id",
    ]);

async function requireClaim(db: Queryable, id: number): Promise<Claim> {
  const claim = await selectClaims(db).where("producer_claims.id", "=", id).executeTakeFirst();
  if (claim === undefined) throw notFound(`There is no claim ${id}.`);
  return claim;
}

/** Records the action in the audit log of the mailbox's account, or, without an account, of the producer. */
async function recordClaim(
  transaction: Queryable,
  claim: Claim,
  action: "producer.claim_created" | "producer.claim_revoked",
  time: Date,
): Promise<void> {
  const account = await findAccount(transaction, claim.email);
  const userId = account?.id ?? claim.producer_id;
  await recordAudit(transaction, { userId, action, subject: subjectOf(claim), author: "operator", at: time });
}

/** The producer, for the audit log. */
export const subjectOf = ({ producer_id, producer_name }: Claim): string =>
  `producer ${producer_id} (${producer_name})`;

/**
 * Deletes unproven claims by the address of an erased user, and removes the address from proven claims, which stay.
 * Call this function before the address is erased.
 */
export async function eraseClaims(transaction: Queryable, userId: number): Promise<void> {
  await sql`delete from producer_claims
    where proven_at is null and email = (select email from users where id = ${userId})`.execute(transaction);
  await transaction
    .updateTable("producer_claims")
    .set({ email: `erased-${userId}` })
    .where("user_id", "=", userId)
    .execute();
}

// A link's token is in the fragment, which browsers never send: it appears in no server log and no Referer.

/** The mail to the owner of the mailbox that may claim a producer. */
export const claimMail = (
  publicUrl: string,
  { email, producer_id, producer_name }: Claim,
  token: string,
): TemplatedMail => ({
  to: email,
  template: "claim",
  facts: {
    producer: producer_name,
    profile: `${publicUrl}/v1/users/${producer_id}`,
    email,
    link: `${publicUrl}/portal/claim#${token}`,
  },
});
