import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { maxBeats, type Playlist, type PlaylistFields, playlistIdPattern } from "./present.ts";

/** The maximum number of an account's playlists. */
const maxPlaylists = 200;

const selectPlaylists = (db: Queryable) =>
  db
    .selectFrom("playlists")
    .innerJoin("users", "users.id", "playlists.user_id")
    .select([
      "playlists.id",
      "playlists.user_id",
      "users.display_name as owner_name",
      "title",
      "description",
      "visibility",
      "playlists.created_at",
      "playlists.updated_at",
      sql<number[]>`array(
        select beat_id from playlist_beats join beats on beats.id = beat_id
        where playlist_id = playlists.id and is_listed order by position)`.as("beat_ids"),
    ])
    .$narrowType<Pick<Playlist, "visibility">>();

/** A page of the account's playlists, newest first. An account has at most 200, so the query may count them all. */
export async function listPlaylists(
  db: Queryable,
  { userId, page, limit }: { userId: number; page: number; limit: number },
): Promise<Page<Playlist>> {
  const [{ count }, items] = await Promise.all([
    countPlaylists(db, userId),
    selectPlaylists(db)
      .where("playlists.user_id", "=", userId)
      .orderBy("playlists.created_at", "desc")
      .orderBy("playlists.id")
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
  ]);
  const lastPage = Math.max(1, Math.ceil(count / limit));
  return {
    items,
    page,
    limit,
    lastPage,
    total: count,
    next: page < lastPage ? { page: page + 1 } : null,
    previous: page > 1 ? { page: Math.min(page - 1, lastPage) } : null,
  };
}

async function countPlaylists(db: Queryable, userId: number): Promise<{ count: number }> {
  const { count } = await db
    .selectFrom("playlists")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return { count: Number(count) };
}

/**
 * Returns a playlist of the account or a public playlist. `userId` is null for a reader without an account. Throws 404
 * for any other playlist.
 */
export async function findPlaylist(db: Queryable, id: string, userId: number | null): Promise<Playlist> {
  requireId(id);
  const playlist = await selectPlaylists(db).where("playlists.id", "=", id).executeTakeFirst();
  if (playlist === undefined || (playlist.visibility === "private" && playlist.user_id !== userId))
    throw unknownPlaylist(id);
  return playlist;
}

function requireId(id: string): void {
  if (playlistIdPattern.test(id)) return;
  throw invalidRequest(
    `The playlist_id parameter must be the id of a playlist, such as pl_7Qm2Vd9sXcK4fT1hWb8NzA. Given: ${JSON.stringify(quoted(id))}.`,
    "playlist_id",
  );
}

const unknownPlaylist = (id: string) => notFound(`There is no playlist ${JSON.stringify(id)}, or it is private.`);

/**
 * Creates a playlist. Throws 409 if the account has the maximum number, and 400 if `beat_ids` names a beat that is not
 * on sale. `run` is the id of the Idempotency-Key's execution (access/idempotency.ts), or null: a retry with the same
 * id returns the playlist that the first attempt created.
 */
export async function createPlaylist(
  db: Queryable,
  { userId, run, fields, now }: { userId: number; run: string | null; fields: PlaylistFields; now: Date },
): Promise<Playlist> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, userId);
    const playlist =
      run === null
        ? undefined
        : await transaction.selectFrom("playlists").select("id").where("idempotency_run", "=", run).executeTakeFirst();
    if (playlist !== undefined) return findPlaylist(transaction, playlist.id, userId);
    if ((await countPlaylists(transaction, userId)).count >= maxPlaylists)
      throw conflict(`An account has at most ${maxPlaylists} playlists; delete one first.`);
    const id = `pl_${randomBytes(16).toString("base64url")}`;
    const { title, description = "", visibility = "private", beat_ids = [] } = fields;
    await transaction
      .insertInto("playlists")
      .values({
        id,
        title,
        description,
        visibility,
        user_id: userId,
        idempotency_run: run,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await replaceBeats(transaction, id, beat_ids);
    return findPlaylist(transaction, id, userId);
  });
}

/**
 * Changes the fields that are set. Throws 404 for a playlist of another account, 400 if `beat_ids` names a beat that is
 * not on sale, and 409 if the playlist would have more than the maximum number of beats.
 */
export async function changePlaylist(
  db: Queryable,
  { userId, id, fields, now }: { userId: number; id: string; fields: Partial<PlaylistFields>; now: Date },
): Promise<Playlist> {
  return transact(db, async (transaction) => {
    await lockPlaylist(transaction, userId, id);
    const { beat_ids, title, description, visibility } = fields;
    await transaction
      .updateTable("playlists")
      .set({
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(visibility !== undefined && { visibility }),
        updated_at: now,
      })
      .where("id", "=", id)
      .execute();
    if (beat_ids !== undefined) await replaceBeats(transaction, id, beat_ids);
    return findPlaylist(transaction, id, userId);
  });
}

/**
 * Appends a beat. A beat that is already in the playlist keeps its place. Throws 404 for a beat that is not on sale,
 * and for a playlist of another account, and 409 if the playlist has the maximum number of beats.
 */
export async function addBeat(
  db: Queryable,
  { userId, id, beatId, now }: { userId: number; id: string; beatId: number; now: Date },
): Promise<Playlist> {
  return transact(db, async (transaction) => {
    await lockPlaylist(transaction, userId, id);
    const beat = await transaction
      .selectFrom("beats")
      .select("id")
      .where("id", "=", beatId)
      .where("is_listed", "=", true)
      .executeTakeFirst();
    if (beat === undefined) throw notFound(`Beat ${beatId} does not exist, or is not on sale.`);
    await sql`
      insert into playlist_beats (playlist_id, beat_id, position)
      select ${id}, ${beatId}, coalesce(max(position), 0) + 1 from playlist_beats where playlist_id = ${id}
      on conflict do nothing`.execute(transaction);
    await requireBeatLimit(transaction, id);
    return updateTimeAndFind(transaction, { userId, id, now });
  });
}

/** Removes a beat. Throws 404 for a playlist of another account. */
export async function removeBeat(
  db: Queryable,
  { userId, id, beatId, now }: { userId: number; id: string; beatId: number; now: Date },
): Promise<Playlist> {
  return transact(db, async (transaction) => {
    await lockPlaylist(transaction, userId, id);
    await transaction
      .deleteFrom("playlist_beats")
      .where("playlist_id", "=", id)
      .where("beat_id", "=", beatId)
      .execute();
    return updateTimeAndFind(transaction, { userId, id, now });
  });
}

async function updateTimeAndFind(
  transaction: Queryable,
  { userId, id, now }: { userId: number; id: string; now: Date },
): Promise<Playlist> {
  await transaction.updateTable("playlists").set({ updated_at: now }).where("id", "=", id).execute();
  return findPlaylist(transaction, id, userId);
}

/** Throws 409 if the playlist has more than the maximum number of beats. */
async function requireBeatLimit(transaction: Queryable, id: string): Promise<void> {
  const { count } = await transaction
    .selectFrom("playlist_beats")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("playlist_id", "=", id)
    .executeTakeFirstOrThrow();
  if (Number(count) > maxBeats)
    throw conflict(`A playlist has at most ${maxBeats} beats; take one out first, or begin another playlist.`);
}

/** Deletes a playlist and returns it. Throws 404 for a playlist of another account. */
export async function deletePlaylist(db: Queryable, userId: number, id: string): Promise<Playlist> {
  return transact(db, async (transaction) => {
    await lockPlaylist(transaction, userId, id);
    const deleted = await findPlaylist(transaction, id, userId);
    await transaction.deleteFrom("playlists").where("id", "=", id).execute();
    return deleted;
  });
}

async function lockPlaylist(transaction: Queryable, userId: number, id: string): Promise<void> {
  requireId(id);
  const playlist = await transaction
    .selectFrom("playlists")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (playlist === undefined) throw unknownPlaylist(id);
}

/**
 * Sets the beats of the playlist to `beatIds`, in this order. Keeps beats that are off sale, because the client cannot
 * see them. Throws 400 for a beat that is not on sale, and 409 for too many beats.
 */
async function replaceBeats(transaction: Queryable, id: string, beatIds: readonly number[]): Promise<void> {
  await sql`delete from playlist_beats using beats
    where playlist_id = ${id} and beats.id = beat_id and is_listed`.execute(transaction);
  const { rows } = await sql<{ beat_id: number }>`
    insert into playlist_beats (playlist_id, beat_id, position)
    select ${id}, beats.id, place from unnest(${beatIds}::bigint[]) with ordinality as wanted (beat_id, place)
      join beats on beats.id = wanted.beat_id and is_listed returning beat_id`.execute(transaction);
  const foundIds = new Set(rows.map(({ beat_id }) => beat_id));
  const missing = beatIds.find((beatId) => !foundIds.has(beatId));
  if (missing !== undefined)
    throw invalidRequest(
      `The beat_ids field names beat ${missing}, which does not exist or is not on sale.`,
      "beat_ids",
    );
  await requireBeatLimit(transaction, id);
}

export async function erasePlaylists(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("playlists").where("user_id", "=", userId).execute();
}
