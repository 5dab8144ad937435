import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { announceChanges } from "./profile.ts";
import { findProfile } from "./queries.ts";

/** Marks an account as a producer permanently, with its first beat on sale, and emits user.updated. */
export async function markProducer(transaction: Queryable, userId: number, now: Date): Promise<void> {
  const before = await findProfile(transaction, userId);
  if (before.is_producer) return;
  const { numUpdatedRows } = await transaction
    .updateTable("users")
    .set({ is_producer: true, updated_at: now })
    .where("id", "=", userId)
    .where("is_producer", "=", false)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await announceChanges(transaction, before, { requestId: null, now });
}

/**
 * Deletes the producers that an import made and that have no beat any more, listed or not. Claimed producers stay.
 * Returns how many it deleted.
 */
export const deleteBeatlessProducers = (db: Queryable): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from users where id in (
        select users.id from users join producer_counts on user_id = users.id
        where import_name is not null and email is null and joined_user_id is null and beats_count = 0
          and not exists (select from beats where beats.user_id = users.id)
        order by users.id limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

/** A producer without an account, with a full profile. */
interface NewProducer {
  username: string;
  displayName: string;
  bio: string;
  location: string;
  createdAt: Date;
}

/** Adds producers in the given order. Returns the id of each username. */
export async function insertProducers(db: Queryable, producers: readonly NewProducer[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; username: string }>`
    insert into users (username, display_name, bio, location, is_producer, created_at, updated_at)
    select username, display_name, bio, location, true, created_at, created_at
    from unnest(
      ${producers.map(({ username }) => username)}::text[],
      ${producers.map(({ displayName }) => displayName)}::text[],
      ${producers.map(({ bio }) => bio)}::text[],
      ${producers.map(({ location }) => location)}::text[],
      ${producers.map(({ createdAt }) => createdAt.toISOString())}::text[]::timestamptz[]
    ) with ordinality as given (username, display_name, bio, location, created_at, place)
    order by place
    returning id, username`.execute(db);
  return new Map(rows.map(({ id, username }) => [username, id]));
}

export interface Reader {
  userId: number;
  to: string;
}

/**
 * The recipients of mails about a beat: the producer, or the members of an organisation who may edit beats. Empty for a
 * producer that is not claimed.
 */
export async function producersOf(db: Queryable, producerId: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select id as "userId", email as "to" from users
    where email is not null and (id = ${producerId} or id in (
      select user_id from organisation_members where organisation_id = ${producerId} and role in ('owner', 'developer')))
    order by id`.execute(db);
  return rows;
}
