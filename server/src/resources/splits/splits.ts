import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { wholeBasisPoints } from "../ledger/order-money.ts";
import { type NewMail, queueMails } from "../mails/outbox.ts";

export const maxCollaborators = 20;

export type ShareState = "waiting" | "accepted" | "declined";

/** A collaborator's part of a beat's sales. */
export interface BeatShare {
  id: number;
  /** The invited username or e-mail address. */
  who: string;
  basisPoints: number;
  state: ShareState;
}

export interface Split {
  beatId: number;
  /** The producer's own part. */
  ownBasisPoints: number;
  shares: BeatShare[];
  /** Whether the split applies to new sales. It applies if all collaborators have accepted. */
  isUsed: boolean;
}

const stateOf = sql<ShareState>`case when accepted_at is not null then 'accepted' when declined_at is not null then 'declined' else 'waiting' end`;

/** Returns the split of the owner's beat. Throws 404 for another producer's beat. */
export async function findSplit(db: Queryable, ownerId: number, beatId: number): Promise<Split> {
  await requireOwnBeat(db, ownerId, beatId);
  const { rows: shares } = await sql<BeatShare>`
    select share.id, coalesce(share.email, users.username) as who, basis_points as "basisPoints", ${stateOf} as state
    from beat_shares as share left join users on users.id = share.user_id where beat_id = ${beatId} order by share.id`.execute(
    db,
  );
  const sharedPoints = shares.reduce((sum, { basisPoints }) => sum + basisPoints, 0);
  return {
    beatId,
    ownBasisPoints: wholeBasisPoints - sharedPoints,
    shares,
    isUsed: shares.length > 0 && shares.every(({ state }) => state === "accepted"),
  };
}

export interface NewSplit {
  ownBasisPoints: number;
  shares: readonly { who: string; basisPoints: number }[];
}

/**
 * Replaces the split of a beat. The split applies when all collaborators have accepted. A collaborator with an
 * unchanged part need not accept again. Existing orders keep their split. Throws 400 if the parts do not sum to 10,000,
 * for unknown, repeated and own names, and for an account without an e-mail address. Throws 404 for another producer's
 * beat.
 */
export async function saveSplit(
  db: Queryable,
  {
    ownerId,
    beatId,
    split,
    publicUrl,
    now,
  }: { ownerId: number; beatId: number; split: NewSplit; publicUrl: string; now: Date },
): Promise<Split> {
  const { ownBasisPoints, shares } = split;
  const sum = shares.reduce((total, { basisPoints }) => total + basisPoints, ownBasisPoints);
  if (sum !== wholeBasisPoints)
    throw invalidRequest(
      `The parts sum to ${sum} basis points; together with yours they are ${wholeBasisPoints}.`,
      "shares",
    );
  return transact(db, async (transaction) => {
    const beat = await requireOwnBeat(transaction, ownerId, beatId, "lock");
    const collaborators = await Promise.all(shares.map((share) => collaboratorOf(transaction, ownerId, share)));
    const keys = collaborators.map(({ key }) => key);
    const duplicate = collaborators.find(({ key }, place) => keys.indexOf(key) !== place);
    if (duplicate !== undefined) throw invalidRequest(`${duplicate.who} is named twice; give one part.`, "shares");
    const before = await transaction
      .selectFrom("beat_shares")
      .select(["id", "user_id", "email", "basis_points"])
      .where("beat_id", "=", beatId)
      .execute();
    const unchanged = before.filter((row) =>
      collaborators.some(
        ({ userId, email, basisPoints }) =>
          basisPoints === row.basis_points &&
          (email === null ? row.email === null && row.user_id === userId : row.email === email),
      ),
    );
    await transaction
      .deleteFrom("beat_shares")
      .where("beat_id", "=", beatId)
      .where("id", "not in", [0, ...unchanged.map(({ id }) => id)])
      .execute();
    const newCollaborators = collaborators.filter(
      ({ userId, email }) =>
        !unchanged.some((row) => (email === null ? row.email === null && row.user_id === userId : row.email === email)),
    );
    if (newCollaborators.length > 0)
      await transaction
        .insertInto("beat_shares")
        .values(
          newCollaborators.map(({ userId, email, basisPoints }) => ({
            beat_id: beatId,
            user_id: userId,
            email,
            basis_points: basisPoints,
            invited_at: now,
          })),
        )
        .execute();
    const link = `${publicUrl}/portal/earnings`;
    const mails = newCollaborators.flatMap(({ userId, address, basisPoints }): NewMail[] =>
      address === null
        ? []
        : [
            {
              userId,
              to: address,
              template: "split-offered",
              facts: { producer: beat.display_name, title: beat.title, part: { basisPoints }, link },
            },
          ],
    );
    await queueMails(transaction, mails, now);
    return findSplit(transaction, ownerId, beatId);
  });
}

interface Collaborator {
  who: string;
  /** Equal for the same account or e-mail address. */
  key: string;
  userId: number | null;
  email: string | null;
  /** The e-mail address to which the offer is sent. Null: no mail. */
  address: string | null;
  basisPoints: number;
}

/**
 * Finds a collaborator by an e-mail address, which need not belong to an account yet, or by the username of an account.
 */
async function collaboratorOf(
  transaction: Queryable,
  ownerId: number,
  { who, basisPoints }: NewSplit["shares"][number],
): Promise<Collaborator> {
  const name = who.trim().replace(/^@/, "");
  const account = await transaction
    .selectFrom("users")
    .select(["id", "email"])
    .where(name.includes("@") ? "email" : "username", "=", name.includes("@") ? name.toLowerCase() : name)
    .executeTakeFirst();
  if (account?.id === ownerId)
    throw invalidRequest("Your own part is not one of the shares; it has its own field.", "shares");
  if (name.includes("@"))
    return {
      who: name,
      key: `user ${account?.id ?? name.toLowerCase()}`,
      userId: null,
      email: name.toLowerCase(),
      address: name,
      basisPoints,
    };
  if (account === undefined)
    throw invalidRequest(`No account has the username ${name}. Invite an e-mail address instead.`, "shares");
  if (account.email === null)
    throw invalidRequest(`The account ${name} has no e-mail address. Invite the person's address instead.`, "shares");
  return { who: name, key: `user ${account.id}`, userId: account.id, email: null, address: account.email, basisPoints };
}

async function requireOwnBeat(
  db: Queryable,
  ownerId: number,
  beatId: number,
  lock?: "lock",
): Promise<{ title: string; display_name: string }> {
  const beat = await db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .select(["beats.title", "users.display_name"])
    .where("beats.id", "=", beatId)
    .where("beats.user_id", "=", ownerId)
    .$if(lock !== undefined, (query) => query.forNoKeyUpdate("beats"))
    .executeTakeFirst();
  if (beat === undefined) throw notFound(`Beat ${beatId} does not exist.`);
  return beat;
}

/** A part that was offered to an account. */
export interface Invitation {
  id: number;
  beatId: number;
  title: string;
  producerId: number;
  producerName: string;
  basisPoints: number;
  state: ShareState;
}

const ofAccount = (userId: number) => sql`(share.user_id = ${userId} or (share.user_id is null
  and share.email = (select lower(email) from users where id = ${userId})))`;

/** Returns at most 200 parts that were offered to an account by its username or e-mail address, newest first. */
export async function listInvitations(db: Queryable, userId: number): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select share.id, share.beat_id as "beatId", beats.title, owner.id as "producerId", owner.display_name as "producerName",
      share.basis_points as "basisPoints", ${stateOf} as state
    from beat_shares as share join beats on beats.id = share.beat_id join users as owner on owner.id = beats.user_id
    where ${ofAccount(userId)} order by share.id desc limit 200`.execute(db);
  return rows;
}

/**
 * Accepts or declines a part. If an accepted part is declined, the split no longer applies to later sales. Throws 404
 * for an unknown offer, and 409 if the account would have two parts of one beat.
 */
export async function answerInvitation(
  db: Queryable,
  { userId, shareId, accepts, now }: { userId: number; shareId: number; accepts: boolean; now: Date },
): Promise<void> {
  const nowSql = sql`${now}::timestamptz`;
  try {
    const { rows } = await sql<{ id: number }>`
      update beat_shares as share set user_id = ${userId}, accepted_at = ${accepts ? nowSql : sql`null`},
        declined_at = ${accepts ? sql`null` : nowSql}
      where id = ${shareId} and ${ofAccount(userId)} returning id`.execute(db);
    if (rows.length === 0) throw notFound(`There is no offer ${shareId} for this account.`);
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== "beat_shares_beat_id_user_id_key") throw error;
    throw conflict("This account has another part of the same beat. Ask its producer to offer one part.");
  }
}

/** Declines all parts of an erased account, so that their splits no longer apply. */
export async function eraseShares(transaction: Queryable, userId: number, now: Date): Promise<void> {
  await sql`
    update beat_shares as share set accepted_at = null, declined_at = ${now}::timestamptz, user_id = ${userId}, email = null
    where ${ofAccount(userId)}`.execute(transaction);
}
