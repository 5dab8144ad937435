import type { Clock } from "@beatmarket/foundation/clock.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import { moveJoinedBeats } from "../beats/write/sources.ts";
import { recordProducerMerged } from "../ledger/record.ts";
import { findAccount } from "../users/accounts.ts";
import { becomeAccount, joinAccount, lockUnclaimedProducer, retireJoinedProducers } from "../users/joining.ts";
import { markProducer } from "../users/producers.ts";
import { findProfile } from "../users/queries.ts";
import { type Claim, selectClaims, subjectOf, tokenHash } from "./claims.ts";

/** 32 bytes as base64url. */
const tokenPattern = /^[\w-]{43}$/;
const uniqueViolation = "23505";
const maxAttempts = 3;

/** A claim as the page of its link offers it. */
export interface OfferedClaim {
  producer: { id: number; name: string; beats: number };
  email: string;
}

/** Finds the claim of a link. Throws 400 for a link that no longer works. */
export async function findClaim(db: Queryable, token: string, now: Date): Promise<OfferedClaim> {
  const { producer_id, producer_name, email } = await openClaim(db, token, now);
  const { beats_count } = await findProfile(db, producer_id);
  return { producer: { id: producer_id, name: producer_name, beats: beats_count }, email };
}

export interface ProvenClaim {
  /** The account that the producer belongs to now. */
  userId: number;
  /** True if the producer became the account. */
  isNew: boolean;
}

/**
 * Joins the producer of a link with the account of the mailbox, once. If the mailbox has no account, the producer
 * becomes the account and keeps its id; otherwise the account gets the producer's beats (`moveBeatsOfClaimed`). Deletes
 * other claims of the producer. Throws 400 for a link that no longer works.
 */
export async function proveClaim(
  db: Queryable,
  token: string,
  { author, now }: { author: AuditAuthor; now: Date },
): Promise<ProvenClaim> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(db, (transaction) => joinProducer(transaction, token, { author, now }));
    } catch (error) {
      // A concurrent request registered the address; the next attempt finds that account.
      if ((error as { code?: string }).code !== uniqueViolation || attempt === maxAttempts) throw error;
    }
  }
}

async function joinProducer(
  transaction: Queryable,
  token: string,
  { author, now }: { author: AuditAuthor; now: Date },
): Promise<ProvenClaim> {
  const claim = await openClaim(transaction, token, now);
  // The producer's lock serializes all changes of the producer's claims.
  if ((await lockUnclaimedProducer(transaction, claim.producer_id)) === null) throw invalidLink();
  const account = await findAccount(transaction, claim.email);
  const userId = account?.id ?? claim.producer_id;
  const { numUpdatedRows } = await transaction
    .updateTable("producer_claims")
    .set({ proven_at: now, user_id: userId })
    .where("id", "=", claim.id)
    .executeTakeFirst();
  // The claim was revoked after it was read.
  if (numUpdatedRows === 0n) throw invalidLink();
  if (account === null) await becomeAccount(transaction, claim.producer_id, claim.email, now);
  else {
    await joinAccount(transaction, claim.producer_id, account, now);
    await markProducer(transaction, account.id, now);
    await recordProducerMerged(transaction, { producerId: claim.producer_id, intoUserId: account.id, at: now });
  }
  await transaction
    .deleteFrom("producer_claims")
    .where("producer_id", "=", claim.producer_id)
    .where("proven_at", "is", null)
    .execute();
  await recordAudit(transaction, { userId, action: "producer.claimed", subject: subjectOf(claim), author, at: now });
  return { userId, isNew: account === null };
}

/**
 * Moves the beats of claimed producers to their accounts. Every step may be interrupted and repeated.
 */
export async function moveBeatsOfClaimed(pool: Queryable, clock: Clock): Promise<void> {
  await runInOneProcess(pool, "beatmarket:claimed producers", async (db) => {
    const now = new Date(clock.nowMs());
    await moveJoinedBeats(db, now);
    await retireJoinedProducers(db, now);
  });
}

async function openClaim(db: Queryable, token: string, now: Date): Promise<Claim> {
  const claim = tokenPattern.test(token)
    ? await selectClaims(db)
        .where("token_sha256", "=", tokenHash(token))
        .where("proven_at", "is", null)
        .where("expires_at", ">", now)
        .executeTakeFirst()
    : undefined;
  if (claim === undefined) throw invalidLink();
  return claim;
}

const invalidLink = () =>
  invalidRequest(
    "This link does not work any more: it was used or revoked, or it is older than a day. Ask the marketplace for another one.",
    "token",
  );
