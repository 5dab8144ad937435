import type { Selectable } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import type { ApiKeysTable } from "../../database/tables.ts";
import { ApiError, conflict, invalidRequest, notFound } from "../../errors.ts";
import { isPermission, type Permission, permissions } from "../../http/admission/permissions.ts";
import { isPlanName, type PlanName } from "../../http/admission/plans.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import { generateKey, sha256 } from "./key-format.ts";

/** A key as it may be shown: all but the key itself. */
export interface ApiKey {
  id: number;
  userId: number;
  name: string;
  /** Its last four characters. */
  endsWith: string;
  plan: PlanName;
  permissions: Permission[];
  createdAt: Date;
  /** Null: never. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** To the minute. */
  lastUsedAt: Date | null;
}

/** A key on the day it is made: the only time that `key` is known. */
export interface IssuedKey extends ApiKey {
  key: string;
}

/**
 * Who acts on keys: a user on their own, who sees others' as not existing, or the operator on all. `author` is what the
 * owner reads of who did it; the operator where it is absent.
 */
export type Actor = { ownerId: number; author?: AuditAuthor } | "operator";

export interface KeyRequest {
  userId: number;
  name: string;
  plan: PlanName;
  permissions: readonly Permission[];
  /** Null: never. */
  expiresAt: Date | null;
  /** What the owner reads of who made it; the operator where it is absent. */
  author?: AuditAuthor;
}

/** Limits are per key, so that an account's keys are limited too (DESIGN section 2, permissions). */
export const maxActiveKeys = 10;
const maxNewKeysPerDay = 10;
const maxNameLength = 100;
const dayMs = 86_400_000;
export const defaultOverlapMs = dayMs;
const maxOverlapMs = 30 * dayMs;

/**
 * Issues a key. 400 for a request that makes no sense, 404 without such a user, 409 with ten active keys already, and for
 * anyone but the operator 429 with ten new ones in 24 hours.
 */
export async function createKey(db: Queryable, request: KeyRequest, now: Date): Promise<IssuedKey> {
  checkRequest(request, now);
  return db.transaction().execute(async (transaction) => {
    await lockOwner(transaction, request.userId);
    if (request.author !== undefined && request.author !== "operator") await slowDown(transaction, request.userId, now);
    const made = await insertKey(transaction, request, now);
    await record(transaction, "api_key.created", made, request.author ?? "operator", now);
    return made;
  });
}

/** The actor's keys, newest first, revoked and expired ones included: `limit` of them, those older than `beforeId`. */
export async function listKeys(
  db: Queryable,
  actor: Actor,
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<(ApiKey & { email: string | null })[]> {
  let query = db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .selectAll("api_keys")
    .select("users.email")
    .orderBy("api_keys.id", "desc")
    .limit(limit);
  if (actor !== "operator") query = query.where("api_keys.user_id", "=", actor.ownerId);
  if (beforeId !== undefined) query = query.where("api_keys.id", "<", beforeId);
  return (await query.execute()).map((row) => ({ ...apiKey(row), email: row.email }));
}

/** Revokes a key for good; within a second it opens nothing on any instance. Revoking again changes nothing. */
export async function revokeKey(db: Queryable, keyId: number, actor: Actor, now: Date): Promise<ApiKey> {
  return db.transaction().execute(async (transaction) => {
    const key = await findKey(transaction, keyId, actor);
    if (key.revokedAt !== null) return key;
    await transaction.updateTable("api_keys").set({ revoked_at: now }).where("id", "=", keyId).execute();
    await record(transaction, "api_key.revoked", key, authorOf(actor), now);
    return { ...key, revokedAt: now };
  });
}

/**
 * Replaces a key by a new one of the same name, plan, permissions and lifetime; the old one works for `overlapMs`
 * more (at most 30 days), so that its users can change over. 409 for a key that is no longer active, and where the
 * overlap would make an eleventh active key; for anyone but the operator 429 with ten new ones in 24 hours.
 */
export async function rotateKey(
  db: Queryable,
  keyId: number,
  actor: Actor,
  overlapMs: number,
  now: Date,
): Promise<IssuedKey & { replacedExpiresAt: Date }> {
  if (!(overlapMs >= 0 && overlapMs <= maxOverlapMs))
    throw invalidRequest("The overlap of the old and the new key may be from 0 to 30 days.", "overlap");
  return db.transaction().execute(async (transaction) => {
    const { userId } = await findKey(transaction, keyId, actor);
    await lockOwner(transaction, userId);
    const old = await findKey(transaction, keyId, actor);
    if (old.revokedAt !== null) throw conflict(`API key ${keyId} is revoked; create a new key instead.`);
    if (isExpired(old, now)) throw conflict(`API key ${keyId} has expired; create a new key instead.`);
    if (authorOf(actor) !== "operator") await slowDown(transaction, userId, now);
    const lifetimeMs = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime();
    const endOfOverlap = new Date(now.getTime() + overlapMs);
    const replacedExpiresAt = old.expiresAt !== null && old.expiresAt < endOfOverlap ? old.expiresAt : endOfOverlap;
    await transaction.updateTable("api_keys").set({ expires_at: replacedExpiresAt }).where("id", "=", keyId).execute();
    const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
    const made = await insertKey(transaction, { ...old, expiresAt }, now);
    await record(transaction, "api_key.rotated", old, authorOf(actor), now);
    return { ...made, replacedExpiresAt };
  });
}

const authorOf = (actor: Actor): AuditAuthor => (actor === "operator" ? actor : (actor.author ?? "operator"));

const record = (transaction: Queryable, action: AuditAction, key: ApiKey, author: AuditAuthor, at: Date) =>
  recordAudit(transaction, {
    userId: key.userId,
    action,
    subject: `API key ${key.id} (${key.name}, …${key.endsWith})`,
    author,
    at,
  });

/** The key with this SHA-256, whatever its state; null when there is none. */
export async function findKeyBySha256(db: Queryable, digest: Buffer): Promise<ApiKey | null> {
  const row = await db.selectFrom("api_keys").selectAll().where("sha256", "=", digest).executeTakeFirst();
  return row === undefined ? null : apiKey(row);
}

/** A key of this owner, whatever its state; null when it is not theirs. */
export async function findOwnKey(db: Queryable, keyId: number, ownerId: number): Promise<ApiKey | null> {
  const row = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("id", "=", keyId)
    .where("user_id", "=", ownerId)
    .executeTakeFirst();
  return row === undefined ? null : apiKey(row);
}

/** The keys of an owner that work at this moment, oldest first. */
export async function listActiveKeys(db: Queryable, ownerId: number, now: Date): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("user_id", "=", ownerId)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .orderBy("id")
    .execute();
  return rows.map(apiKey);
}

/** Notes that keys were used. One that another instance is noting at this moment is left to it. */
export async function markKeysUsed(db: Queryable, keyIds: readonly number[], at: Date): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: at })
    .where("id", "in", (free) =>
      free.selectFrom("api_keys").select("id").where("id", "in", keyIds).forNoKeyUpdate().skipLocked(),
    )
    .execute();
}

/** Makes one owner's changes wait for each other, so that counting their keys and adding one cannot be overtaken. */
async function lockOwner(transaction: Queryable, userId: number): Promise<void> {
  const owner = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (owner === undefined) throw notFound(`There is no user ${userId}.`);
}

/**
 * 429 for an owner's eleventh new key in 24 hours, under the owner's lock. A new key has windows of its own, so making and
 * rotating keys would be a way round limits.
 */
async function slowDown(transaction: Queryable, userId: number, now: Date): Promise<void> {
  const tenth = await transaction
    .selectFrom("api_keys")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("created_at", ">", new Date(now.getTime() - dayMs))
    .orderBy("created_at", "desc")
    .offset(maxNewKeysPerDay - 1)
    .limit(1)
    .executeTakeFirst();
  if (tenth === undefined) return;
  const waitSeconds = Math.ceil((tenth.created_at.getTime() + dayMs - now.getTime()) / 1000);
  throw new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many new keys",
    `An account may make or rotate ${maxNewKeysPerDay} keys in 24 hours; the next one can be made in ${Math.ceil(waitSeconds / 3_600)} hours.`,
    { headers: { "retry-after": String(waitSeconds) }, refusedBy: "limit:new-keys" },
  );
}

/** Under the owner's lock. */
async function insertKey(transaction: Queryable, request: KeyRequest, now: Date): Promise<IssuedKey> {
  const { active } = await transaction
    .selectFrom("api_keys")
    .select(({ fn }) => fn.countAll<number>().as("active"))
    .where("user_id", "=", request.userId)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  if (active >= maxActiveKeys)
    throw conflict(`The account has ${active} active API keys, the most it may have. Revoke one first.`);

  const key = generateKey();
  const row = await transaction
    .insertInto("api_keys")
    .values({
      user_id: request.userId,
      name: request.name.trim(),
      sha256: sha256(key),
      ends_with: key.slice(-4),
      plan: request.plan,
      permissions: permissions.filter((permission) => request.permissions.includes(permission)),
      created_at: now,
      expires_at: request.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...apiKey(row), key };
}

/** Locks the key for the transaction. A key of somebody else does not exist for its actor. */
async function findKey(transaction: Queryable, keyId: number, actor: Actor): Promise<ApiKey> {
  const row = await transaction
    .selectFrom("api_keys")
    .selectAll()
    .where("id", "=", keyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined || (actor !== "operator" && row.user_id !== actor.ownerId))
    throw notFound(`There is no API key ${keyId}.`);
  return apiKey(row);
}

function checkRequest({ name, permissions: wanted, expiresAt }: KeyRequest, now: Date): void {
  const nameLength = [...name.trim()].length;
  if (nameLength === 0 || nameLength > maxNameLength)
    throw invalidRequest(`The name of an API key has 1 to ${maxNameLength} characters.`, "name");
  if (wanted.length === 0)
    throw invalidRequest(`An API key needs at least one permission of ${permissions.join(", ")}.`, "permissions");
  if (expiresAt !== null && expiresAt <= now)
    throw invalidRequest("An API key must expire in the future.", "expires_at");
}

/** Whether a key has stopped working by itself. */
export const isExpired = ({ expiresAt }: Pick<ApiKey, "expiresAt">, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

function apiKey(row: Selectable<ApiKeysTable>): ApiKey {
  if (!isPlanName(row.plan)) throw new Error(`API key ${row.id} is on the unknown plan ${row.plan}.`);
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    endsWith: row.ends_with,
    plan: row.plan,
    permissions: row.permissions.filter(isPermission),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
