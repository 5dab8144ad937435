import { createHash } from "node:crypto";
import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { isErased } from "../audit/lock-user.ts";
import { announceChanges } from "./profile.ts";
import { findProfile, usernameSlug } from "./queries.ts";

/** Marks an account as a producer when its first beat is on sale, and emits user.updated. Withdrawals keep the mark. */
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
 * Deletes imported producers who no longer have a beat, listed or not. Claimed producers stay, even erased ones, so that imports
 * still reject their names. Returns the number of deleted producers.
 */
export const deleteBeatlessProducers = (db: Queryable): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from users where id in (
        select users.id from users join producer_counts on user_id = users.id
        where import_name is not null and email is null and joined_user_id is null and beats_count = 0
          and not ${isErased}
          and not exists (select from beats where beats.user_id = users.id)
        order by users.id limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

/** A new producer with a full profile and without an account. */
interface NewProducer {
  username: string;
  displayName: string;
  bio: string;
  location: string;
  createdAt: Date;
}

/** Adds producers in this order. Returns the id of each username. */
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
 * Returns the recipients of mails about a beat: the producer, or the members of an organisation who may edit beats.
 * Returns none for an unclaimed producer.
 */
export async function producersOf(db: Queryable, producerId: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select id as "userId", email as "to" from users
    where email is not null and (id = ${producerId} or id in (
      select user_id from organisation_members where organisation_id = ${producerId} and role in ('owner', 'developer')))
    order by id`.execute(db);
  return rows;
}

/** A producer of an imported catalogue, without an account. */
export interface ImportedProducer {
  /** The id of the producer in imports. Accounts have no import name, so an import cannot change an account. */
  importName: string;
  /** The name in the spelling of the first row with this producer. */
  displayName: string;
}

const usernameAttempts = 4;

/**
 * Finds or creates producers. Returns their user ids by import name; for a claimed producer, the id of the account. May
 * be called concurrently: inserts rows in a fixed order, and reads names again that a concurrent call has inserted.
 */
export async function upsertProducers(
  db: Queryable,
  producers: readonly ImportedProducer[],
  now: Date,
): Promise<Map<string, number>> {
  if (producers.length === 0) return new Map();
  const sorted = producers.toSorted((a, b) => (a.importName < b.importName ? -1 : 1));
  const ids = await findProducers(db, sorted);
  for (let attempt = 0; attempt < usernameAttempts; attempt++) {
    const missing = sorted.filter(({ importName }) => !ids.has(importName));
    if (missing.length === 0) return ids;
    await insertImported(db, missing, attempt, now);
    for (const [importName, id] of await findProducers(db, missing)) ids.set(importName, id);
  }
  const missing = sorted.find(({ importName }) => !ids.has(importName));
  if (missing !== undefined) throw new Error(`No free username was found for ${missing.displayName}.`);
  return ids;
}

async function findProducers(db: Queryable, producers: readonly ImportedProducer[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ import_name: string; id: number }>`
    select import_name, coalesce(joined_user_id, id) as id from users where import_name = any(${producers.map(({ importName }) => importName)})`.execute(
    db,
  );
  return new Map(rows.map(({ import_name, id }) => [import_name, id]));
}

/** Returns the import names of producers whose accounts were erased. */
export async function findErasedImportNames(db: Queryable): Promise<Set<string>> {
  const { rows } = await sql<{ import_name: string }>`
    select import_name from users where import_name is not null and ${isErased}`.execute(db);
  return new Set(rows.map(({ import_name }) => import_name));
}

const insertImported = (db: Queryable, producers: readonly ImportedProducer[], attempt: number, now: Date) =>
  sql`
  insert into users (import_name, username, display_name, is_producer, created_at, updated_at)
  select import_name, username, display_name, true, ${now}, ${now}
  from unnest(
    ${producers.map(({ importName }) => importName)}::text[],
    ${producers.map((producer) => username(producer, attempt))}::text[],
    ${producers.map(({ displayName }) => displayName)}::text[]
  ) with ordinality as given (import_name, username, display_name, place)
  order by place
  on conflict do nothing`.execute(db);

/**
 * Returns a slug of the name. From the second attempt on, it ends with a growing number of digits of the name's hash. A
 * name whose slug is `producer`, such as a name without an ASCII letter or digit, gets such digits at the first
 * attempt.
 */
function username({ importName, displayName }: ImportedProducer, attempt: number): string {
  const slug = usernameSlug(displayName, "producer");
  if (attempt === 0 && slug !== "producer") return slug;
  const hash = createHash("sha256").update(importName).digest("hex");
  return `${slug}-${hash.slice(0, 6 + 4 * attempt)}`;
}

/** The public data of a producer. */
export interface PublicProducer {
  id: number;
  username: string;
  display_name: string;
  bio: string | null;
  website: string | null;
  avatar_url: string | null;
  /** Links to the producer's other sites, in the producer's order. */
  links: string[];
  beats_count: number;
}

/**
 * Returns the producer with this username, in upper or lower case. An exact match takes precedence. Returns undefined
 * for an unknown or suspended producer, and for a producer who joined an account.
 */
export async function findPublicProducer(db: Queryable, username: string): Promise<PublicProducer | undefined> {
  const rows = await db
    .selectFrom("users")
    .leftJoin("producer_counts", "producer_counts.user_id", "users.id")
    .select(({ fn, val }) => [
      "users.id",
      "users.username",
      "users.display_name",
      "users.bio",
      "users.website",
      "users.avatar_url",
      "users.links",
      fn.coalesce("producer_counts.beats_count", val(0)).as("beats_count"),
    ])
    .where("users.username", "in", [username, username.toLowerCase()])
    .where("users.is_producer", "=", true)
    .where("users.suspended_at", "is", null)
    .where("users.joined_user_id", "is", null)
    .execute();
  return rows.find((each) => each.username === username) ?? rows[0];
}

/** Returns the path of the producer's public page. */
export const producerPath = (username: string): string => `/producers/${encodeURIComponent(username)}`;

/** Returns the paths of the producers' public pages, by id. Producers without a page are absent. */
export async function findProducerPaths(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "in", [...ids])
    .where("is_producer", "=", true)
    .where("suspended_at", "is", null)
    .where("joined_user_id", "is", null)
    .execute();
  return new Map(rows.map(({ id, username }) => [id, producerPath(username)]));
}

/** Returns the usernames of accounts, by id. */
export async function findUsernames(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}
