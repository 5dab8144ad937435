import { sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { isAvailable } from "../beats/licensing/exclusive.ts";

/** A beat whose tagged MP3 is free in exchange for an e-mail address. */
export interface FreeBeat {
  id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  sha256: string;
  bytes: number;
}

/** A request for the file by an e-mail address, with the consent. */
export interface FreeDownload {
  id: number;
  token: string;
  beat_id: number;
  email: string;
  consent: string;
  confirmed_at: Date | null;
  withdrawn_at: Date | null;
  title: string;
  producer_name: string;
}

/**
 * The beat if its file is offered: by the producer's choice, while the beat is for sale and its preview is stored and
 * tagged.
 */
export async function findFreeBeat(db: Queryable, beatId: number, now: Date): Promise<FreeBeat | undefined> {
  const { rows } = await sql<FreeBeat>`
    select beats.id, beats.title, beats.user_id as producer_id, users.display_name as producer_name, file.sha256, file.bytes
    from beats join users on users.id = beats.user_id
      join beat_files file on file.beat_id = beats.id and file.name = 'preview'
      left join beat_productions production on production.beat_id = beats.id
    where beats.id = ${beatId} and beats.has_free_download and ${isAvailable(now)}
      and production.preview_tag is distinct from 'none'`.execute(db);
  return rows[0];
}

/** The text of the consent, which is stored as the reader saw it. */
export const consentTo = (producerName: string): string =>
  `I use the file for non-commercial purposes only, and ${producerName} may write to me about their music. I can withdraw the latter at any time.`;

interface NewFreeDownload {
  beat: Pick<FreeBeat, "id" | "producer_id" | "producer_name">;
  /** In lower case. */
  email: string;
  /** The account, whose address is confirmed; null for a reader who confirms the address by a mailed link. */
  userId: number | null;
  now: Date;
}

/** Records the request of an address, once for each beat. Returns the token of the download page. */
export async function requestFreeDownload(
  db: Queryable,
  { beat, email, userId, now }: NewFreeDownload,
): Promise<string> {
  const confirmedAt = userId === null ? null : now;
  const { rows } = await sql<{ token: string }>`
    insert into free_downloads as download (token, beat_id, producer_id, email, user_id, consent, requested_at, confirmed_at)
    values (${randomBytes(24).toString("base64url")}, ${beat.id}, ${beat.producer_id}, ${email}, ${userId},
      ${consentTo(beat.producer_name)}, ${now}::timestamptz, ${confirmedAt}::timestamptz)
    on conflict (beat_id, email) do update set requested_at = excluded.requested_at,
      user_id = coalesce(excluded.user_id, download.user_id),
      consent = case when download.confirmed_at is null or download.withdrawn_at is not null
        then excluded.consent else download.consent end,
      confirmed_at = case when download.confirmed_at is null or download.withdrawn_at is not null
        then coalesce(excluded.confirmed_at, download.confirmed_at) else download.confirmed_at end,
      withdrawn_at = case when excluded.confirmed_at is null then download.withdrawn_at end
    returning token`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("A free download was not recorded.");
  return row.token;
}

export const findFreeDownload = (db: Queryable, token: string): Promise<FreeDownload | undefined> =>
  db
    .selectFrom("free_downloads")
    .innerJoin("beats", "beats.id", "beat_id")
    .innerJoin("users", "users.id", "producer_id")
    .select([
      "free_downloads.id",
      "token",
      "beat_id",
      "free_downloads.email",
      "consent",
      "confirmed_at",
      "withdrawn_at",
    ])
    .select(["beats.title", "users.display_name as producer_name"])
    .where("token", "=", token)
    .executeTakeFirst();

/** Confirms the address and the consent, also after the consent was withdrawn. */
export async function confirmFreeDownload(db: Queryable, token: string, now: Date): Promise<void> {
  await db
    .updateTable("free_downloads")
    .set({ confirmed_at: now, withdrawn_at: null })
    .where("token", "=", token)
    .where(({ eb, or }) => or([eb("confirmed_at", "is", null), eb("withdrawn_at", "is not", null)]))
    .execute();
}

/** Withdraws the consent: the producer no longer sees the address. */
export async function withdrawConsent(db: Queryable, token: string, now: Date): Promise<void> {
  await db
    .updateTable("free_downloads")
    .set({ withdrawn_at: now })
    .where("token", "=", token)
    .where("confirmed_at", "is not", null)
    .where("withdrawn_at", "is", null)
    .execute();
}

/** An address as the producer sees it. */
export interface ListedDownload {
  id: number;
  email: string;
  beat_id: number;
  title: string;
  consent: string;
  confirmed_at: Date;
}

/** The addresses with a valid consent, newest first, with ids below `below`. */
export const listFreeDownloads = (
  db: Queryable,
  producerId: number,
  { below = Number.MAX_SAFE_INTEGER, limit, offset = 0 }: { below?: number; limit: number; offset?: number },
): Promise<ListedDownload[]> =>
  consentsOf(db, producerId)
    .innerJoin("beats", "beats.id", "beat_id")
    .select(["free_downloads.id", "email", "beat_id", "beats.title", "consent", "confirmed_at"])
    .$narrowType<{ confirmed_at: Date }>()
    .where("free_downloads.id", "<", below)
    .orderBy("free_downloads.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();

export async function countFreeDownloads(db: Queryable, producerId: number): Promise<number> {
  const { count } = await consentsOf(db, producerId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const consentsOf = (db: Queryable, producerId: number) =>
  db
    .selectFrom("free_downloads")
    .where("producer_id", "=", producerId)
    .where("confirmed_at", "is not", null)
    .where("withdrawn_at", "is", null);

const retentionMs = 30 * 86_400_000;

/** Deletes addresses that were not confirmed, and those whose consent was withdrawn, after 30 days. */
export async function deleteOldFreeDownloads(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionMs);
  await sql`delete from free_downloads where (confirmed_at is null and requested_at <= ${before}::timestamptz)
    or withdrawn_at <= ${before}::timestamptz`.execute(db);
}

/**
 * Deletes the requests of an erased user, and the requests of others for the user's beats. Must run before the address
 * is erased.
 */
export async function eraseFreeDownloads(transaction: Queryable, userId: number): Promise<void> {
  await sql`delete from free_downloads where producer_id = ${userId} or user_id = ${userId}
    or email = (select email from users where id = ${userId})`.execute(transaction);
}
