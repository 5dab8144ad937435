import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { erasedUsername, lockUser } from "../audit/lock-user.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { profileReference } from "./present.ts";
import { findProfile, type Profile } from "./queries.ts";

/** The fields that an account may change. An absent field stays unchanged. Null clears a field. */
export interface ProfileChanges {
  display_name?: string | undefined;
  bio?: string | null | undefined;
  location?: string | null | undefined;
  website?: string | null | undefined;
  avatar_url?: string | null | undefined;
}

/** The account, the request and the time of a change. */
interface ProfileUpdate {
  userId: number;
  /** Null for an operator's command. */
  requestId: string | null;
  now: Date;
}

const fields = ["display_name", "bio", "location", "website", "avatar_url"] as const;
/** The fields whose change emits an event. A change of the beat count causes events of beats instead. */
const fieldsWithEvent = ["username", ...fields, "is_producer"] as const satisfies readonly (keyof Profile)[];

/**
 * Changes an account's profile and emits user.updated with the changed fields (docs/api/users.md, Update your profile).
 * Does nothing without changes. Returns the profile. Throws 401 if the account was deleted since the request started.
 */
export const updateProfile = (db: Queryable, update: ProfileUpdate, changes: ProfileChanges): Promise<Profile> =>
  transact(db, async (transaction) => {
    await lockUser(transaction, update.userId);
    return writeProfile(transaction, update, changes);
  });

/** Works like `updateProfile`, for a user whom the transaction has locked. */
async function writeProfile(transaction: Queryable, update: ProfileUpdate, changes: ProfileChanges): Promise<Profile> {
  const before = await findProfile(transaction, update.userId);
  const changedFields = fields.filter((field) => changes[field] !== undefined && changes[field] !== before[field]);
  if (changedFields.length === 0) return before;
  await transaction
    .updateTable("users")
    .set({
      ...Object.fromEntries(changedFields.map((field) => [field, changes[field]])),
      updated_at: update.now,
    })
    .where("id", "=", update.userId)
    .execute();
  if (changedFields.includes("avatar_url"))
    await transaction.deleteFrom("profile_pictures").where("user_id", "=", update.userId).execute();
  return announceChanges(transaction, before, update);
}

/**
 * Emits user.updated with the names of the fields that differ from `before`, if there are any. Returns the current
 * profile.
 */
export async function announceChanges(
  transaction: Queryable,
  before: Profile,
  { requestId, now }: Pick<ProfileUpdate, "requestId" | "now">,
): Promise<Profile> {
  const profile = await findProfile(transaction, before.id);
  const eventFields = fieldsWithEvent.filter((field) => before[field] !== profile[field]);
  if (eventFields.length > 0)
    await emitEvents(transaction, [
      {
        type: "user.updated",
        data: { ...profileReference(profile), changed: eventFields },
        at: now,
        audience: "everyone",
        requestId,
      },
    ]);
  return profile;
}

export const maxLinks = 8;
const maxLength = 300;

/** Returns the links to the account's other sites, in the account's order. */
export async function findLinks(db: Queryable, userId: number): Promise<string[]> {
  const user = await db.selectFrom("users").select("links").where("id", "=", userId).executeTakeFirst();
  return user?.links ?? [];
}

/**
 * Replaces the links, without duplicates. Throws 400 for more than 8 links, and for a link that is not an HTTPS address
 * of a public site or is longer than 300 characters.
 */
export async function changeLinks(db: Queryable, userId: number, texts: readonly string[]): Promise<string[]> {
  const links = [...new Set(texts.map(linkOf))];
  if (links.length > maxLinks)
    throw invalidRequest(`The links field has ${links.length} links; at most ${maxLinks} are allowed.`, "links");
  await db.updateTable("users").set({ links }).where("id", "=", userId).execute();
  return links;
}

/** Returns a link in the URL parser's spelling. Hosts without a dot, and IP addresses, are not public sites. */
function linkOf(text: string): string {
  const url = URL.parse(text.trim());
  const isLink =
    url?.protocol === "https:" &&
    `${url.username}${url.password}${url.port}` === "" &&
    /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(url.hostname) &&
    url.href.length <= maxLength;
  if (isLink) return url.href;
  throw invalidRequest(
    `The links field has ${JSON.stringify(quoted(text))}, which is not an HTTPS address of a site; write it as https://www.instagram.com/name, with at most ${maxLength} characters.`,
    "links",
  );
}

/** Returns the label of a link: the name of a known service, or the host. */
export function linkLabel(link: string): string {
  const host = new URL(link).hostname.replace(/^(www|m|open)\./, "");
  return services[host] ?? host;
}

const services: Readonly<Record<string, string>> = {
  "instagram.com": "Instagram",
  "youtube.com": "YouTube",
  "music.youtube.com": "YouTube Music",
  "youtu.be": "YouTube",
  "soundcloud.com": "SoundCloud",
  "spotify.com": "Spotify",
};

/** Returns the sites that may embed players of a producer's beats. An empty list allows all sites. */
export async function findEmbedOrigins(db: Queryable, userId: number): Promise<string[]> {
  const user = await db.selectFrom("users").select("embed_origins").where("id", "=", userId).executeTakeFirst();
  return user?.embed_origins ?? [];
}

/** Replaces the sites. Throws 400, which names the first site that is not the origin of a website. */
export async function changeEmbedOrigins(db: Queryable, userId: number, texts: readonly string[]): Promise<string[]> {
  const origins = [...new Set(texts.map(originOf))];
  await db.updateTable("users").set({ embed_origins: origins }).where("id", "=", userId).execute();
  return origins;
}

/** Returns an origin in the spelling of Content-Security-Policy: only scheme, host and port. */
function originOf(text: string): string {
  const url = URL.parse(text.trim());
  const isOrigin =
    url?.protocol === "https:" && `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` === "/";
  // The URL parser rejects hosts with characters that end a CSP source, such as a semicolon. It allows the wildcard
  // `*`, so the expression refuses the wildcard.
  if (isOrigin && /^https:\/\/[a-z0-9.:[\]-]+$/.test(url.origin)) return url.origin;
  throw invalidRequest(
    `The origins field has ${JSON.stringify(quoted(text))}, which is not an address of a site; write it as https://www.example.com, without a path.`,
    "origins",
  );
}

/** A stored picture. */
interface PictureFile {
  sha256: string;
  bytes: number;
}

/** The public path of an account's picture. It has digits of the hash, so another picture has another path. */
const picturePath = (userId: number, sha256: string): string =>
  `/media/users/${userId}/picture-${sha256.slice(0, 12)}.jpg`;

/**
 * Sets a stored file as the account's profile picture, or removes the picture if `file` is null. Emits user.updated.
 * Returns the profile. `db` is the transaction that read `file` from an upload. The sweep of the storage deletes only
 * objects without a reference, and the upload refers to the file.
 */
export async function changePicture(
  db: Queryable,
  update: ProfileUpdate,
  file: PictureFile | null,
  publicUrl: string,
): Promise<Profile> {
  const { userId, now } = update;
  const avatar_url = file === null ? null : `${publicUrl}${picturePath(userId, file.sha256)}`;
  const profile = await updateProfile(db, update, { avatar_url });
  if (file !== null) {
    const row = { sha256: file.sha256, bytes: file.bytes, created_at: now };
    await db
      .insertInto("profile_pictures")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
  }
  return profile;
}

/**
 * Returns the account's picture if its hash starts with `hash`. Returns undefined for another picture, and for a
 * suspended account.
 */
export const findPicture = (db: Queryable, userId: number, hash: string): Promise<PictureFile | undefined> =>
  db
    .selectFrom("profile_pictures as picture")
    .innerJoin("users", "users.id", "picture.user_id")
    .select(["picture.sha256", "picture.bytes"])
    .where("picture.user_id", "=", userId)
    .where("users.suspended_at", "is", null)
    .where("picture.sha256", "like", `${hash}%`)
    .executeTakeFirst();

/** The name that replaces the name of an erased user on orders and beats. */
export const erasedName = "Deleted account";

/**
 * Removes all personal data from a profile, and emits user.updated. The row stays, because orders refer to it. The row
 * has no address any more, so nobody can sign in to the account, and the address may register again.
 */
export async function eraseProfile(transaction: Queryable, update: ProfileUpdate): Promise<void> {
  const { userId, now } = update;
  const before = await findProfile(transaction, userId);
  await transaction
    .updateTable("users")
    .set({
      email: null,
      organisation: false,
      marketplace: false,
      is_producer: false,
      username: erasedUsername(userId),
      display_name: erasedName,
      bio: null,
      location: null,
      website: null,
      avatar_url: null,
      time_zone: null,
      language: null,
      embed_origins: [],
      links: [],
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  await transaction.deleteFrom("profile_pictures").where("user_id", "=", userId).execute();
  await announceChanges(transaction, before, update);
}
