import { ApiError, conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type Selectable, sql } from "kysely";
import { isPlanName, type PlanName } from "../../access/plans.ts";
import { isPermission, type Permission, permissions } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import type { ApiKeysTable } from "../../database/tables.ts";
import { type AuditAction, readReason } from "../audit/actions.ts";
import { lockUser } from "../audit/lock-user.ts";
import { type AuditAuthor, isOperator, type Operator, recordAudit } from "../audit/queries.ts";
import { generateKey, sha256 } from "./key-format.ts";

/** A stored key. The key itself is not stored, only its hash. */
export interface ApiKey {
  id: number;
  userId: number;
  name: string;
  /** The last four characters. */
  endsWith: string;
  plan: PlanName;
  permissions: Permission[];
  createdAt: Date;
  /** Null: the key never expires. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Updated at most once a minute. */
  lastUsedAt: Date | null;
  /** The person who created the key; null if an operator's command did. */
  createdBy: number | null;
  /** The id of the key that replaced this one in a rotation. */
  replacedBy: number | null;
  /** The amount that the key may spend on orders in any 30 days; null: no cap. */
  spendingCapCents: number | null;
  /** The addresses and networks that may use the key; empty: all. */
  allowedNetworks: string[];
  /** The version of the API, by date, for calls without a Beat-Version header; null: the account's version. */
  version: string | null;
}

/** A person who makes a key. */
export interface KeyMaker {
  personId: number;
  /** Throws if the person may not (or no longer) give a key these permissions. Runs under the owner's lock. */
  admit(transaction: Queryable, permissions: readonly Permission[]): Promise<void>;
}

/** A new key. `key` is the secret, which is not stored. */
export interface IssuedKey extends ApiKey {
  key: string;
}

/**
 * The caller who manages keys: the owner, who gets 404 for other accounts' keys, or the operator, who manages all.
 * `author` is recorded in the owner's audit log; the default is the operator.
 */
export type KeyManager = { ownerId: number; author?: AuditAuthor } | Operator;

export interface KeyRequest {
  userId: number;
  name: string;
  plan: PlanName;
  permissions: readonly Permission[];
  /** Null: the key never expires. */
  expiresAt: Date | null;
  /** The amount that the key may spend on orders in any 30 days; absent: no cap. */
  spendingCapCents?: number | null | undefined;
  /** The addresses and networks that may use the key; absent: all. */
  allowedNetworks?: readonly string[] | undefined;
  /** The version of the API, by date, that the key is pinned to; absent: the account's version. */
  version?: string | null | undefined;
  /** Recorded in the owner's audit log; the default is the operator. */
  author?: AuditAuthor;
  /**
   * A key in the form of `generateKey`; a new one by default. If the account already has this key, it is returned
   * unchanged.
   */
  key?: string | undefined;
  /** Absent: an operator's command. */
  maker?: KeyMaker | undefined;
}

/** A key in a list, with the address of its account and its maker. */
export interface ListedKey extends ApiKey {
  email: string | null;
  /** Null if an operator's command created the key. */
  maker: { userId: number; name: string; email: string | null } | null;
}

/** Rate limits are per key, so the number of keys per account has a limit too. */
export const maxActiveKeys = 10;
const maxNewKeysPerDay = 10;
const maxNameLength = 100;
const dayMs = 86_400_000;
export const defaultOverlapMs = dayMs;
const maxOverlapMs = 30 * dayMs;

/**
 * Creates a key. Throws like `lockUser` and `maker.admit`, 400 for invalid input, 409 for an eleventh active key, and
 * 429 for an owner's eleventh new key in 24 hours.
 */
export async function createKey(db: Queryable, request: KeyRequest, now: Date): Promise<IssuedKey> {
  checkRequest(request, now);
  return transact(db, async (transaction) => {
    await lockUser(transaction, request.userId);
    await request.maker?.admit(transaction, request.permissions);
    const key = await findIssued(transaction, request);
    if (key !== null) return key;
    if (request.author !== undefined && !isOperator(request.author))
      await limitNewKeys(transaction, request.userId, now);
    const newKey = await insertKey(transaction, request, now);
    await record(transaction, "api_key.created", newKey, request.author ?? "operator", now);
    return newKey;
  });
}

/** The manager's keys, including revoked and expired keys, newest first: at most `limit`, with ids below `beforeId`. */
export async function listKeys(
  db: Queryable,
  manager: KeyManager,
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<ListedKey[]> {
  let query = db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .leftJoin("users as maker", "maker.id", "api_keys.created_by")
    .selectAll("api_keys")
    .select(["users.email", "maker.display_name as maker_name", "maker.email as maker_email"])
    .orderBy("api_keys.id", "desc")
    .limit(limit);
  if (!isOperator(manager)) query = query.where("api_keys.user_id", "=", manager.ownerId);
  if (beforeId !== undefined) query = query.where("api_keys.id", "<", beforeId);
  return (await query.execute()).map(({ email, maker_name, maker_email, ...row }) => ({
    ...apiKeyOf(row),
    email,
    maker: row.created_by === null ? null : { userId: row.created_by, name: maker_name ?? "", email: maker_email },
  }));
}

/**
 * Revokes a key permanently. Every instance rejects it within a second. Idempotent. Only an operator gives a `reason`.
 */
export async function revokeKey(
  db: Queryable,
  keyId: number,
  manager: KeyManager,
  now: Date,
  reason?: string,
): Promise<ApiKey> {
  const sentence = reason === undefined ? undefined : readReason(reason);
  return transact(db, async (transaction) => {
    const key = await lockKey(transaction, keyId, manager);
    if (key.revokedAt !== null) return key;
    await transaction.updateTable("api_keys").set({ revoked_at: now }).where("id", "=", keyId).execute();
    await record(transaction, "api_key.revoked", key, authorOf(manager), now, sentence);
    return { ...key, revokedAt: now };
  });
}

/**
 * Replaces a key by a new one with the same settings and lifetime. The old key works for `overlapMs` more (at most 30
 * days), so that its users can switch. Throws 400 for another overlap, and 404 for an unknown key. Throws 409 for an
 * inactive key, for one that was already rotated, and if the overlap would make an eleventh active key; 429 for an
 * owner's eleventh new key in 24 hours. `key` and `maker` as in KeyRequest.
 */
export async function rotateKey(
  db: Queryable,
  keyId: number,
  manager: KeyManager,
  overlapMs: number,
  now: Date,
  { key, maker }: Pick<KeyRequest, "key" | "maker"> = {},
): Promise<IssuedKey & { replacedExpiresAt: Date }> {
  if (!(overlapMs >= 0 && overlapMs <= maxOverlapMs))
    throw invalidRequest("The overlap of the old and the new key may be from 0 to 30 days.", "overlap");
  return transact(db, async (transaction) => {
    // Takes the owner's lock before the key's, as the revocation of all keys of a person does.
    await lockUser(transaction, (await selectKey(transaction, keyId, manager)).userId);
    const old = await lockKey(transaction, keyId, manager);
    await maker?.admit(transaction, old.permissions);
    const existing = await findIssued(transaction, { userId: old.userId, key });
    if (existing !== null) return { ...existing, replacedExpiresAt: old.expiresAt ?? now };
    if (old.revokedAt !== null) throw conflict(`API key ${keyId} is revoked; create a new key instead.`);
    if (isExpired(old, now)) throw conflict(`API key ${keyId} has expired; create a new key instead.`);
    if (old.replacedBy !== null) throw alreadyRotated(old);
    if (!isOperator(authorOf(manager))) await limitNewKeys(transaction, old.userId, now);
    const lifetimeMs = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime();
    const overlapEnd = new Date(now.getTime() + overlapMs);
    const replacedExpiresAt = old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await transaction.updateTable("api_keys").set({ expires_at: replacedExpiresAt }).where("id", "=", keyId).execute();
    const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
    const newKey = await insertKey(transaction, { ...old, expiresAt, key, maker }, now);
    await transaction.updateTable("api_keys").set({ replaced_by: newKey.id }).where("id", "=", keyId).execute();
    await record(transaction, "api_key.rotated", old, authorOf(manager), now);
    return { ...newKey, replacedExpiresAt };
  });
}

const alreadyRotated = ({ id, replacedBy, expiresAt }: ApiKey) =>
  conflict(
    `API key ${id} was rotated already: API key ${replacedBy} replaces it, and it works until ${expiresAt?.toISOString()}. Rotate API key ${replacedBy}, or revoke API key ${id} to end it now.`,
  );

/**
 * Moves a key to another plan, whose limits apply within a second. Throws 404 for an unknown key, and 409 for a revoked
 * key.
 */
export async function changePlan(
  db: Queryable,
  keyId: number,
  plan: PlanName,
  operator: Operator,
  now: Date,
  reason?: string,
): Promise<ApiKey> {
  const sentence = reason === undefined ? undefined : readReason(reason);
  return transact(db, async (transaction) => {
    const key = await lockKey(transaction, keyId, operator);
    if (key.revokedAt !== null) throw conflict(`API key ${keyId} is revoked; its plan has no effect any more.`);
    if (key.plan === plan) return key;
    await transaction.updateTable("api_keys").set({ plan }).where("id", "=", keyId).execute();
    await recordAudit(transaction, {
      userId: key.userId,
      action: "api_key.plan_changed",
      author: operator,
      at: now,
      subject: `${auditName(key)}: ${key.plan} to ${plan}`,
      reason: sentence,
    });
    return { ...key, plan };
  });
}

const authorOf = (manager: KeyManager): AuditAuthor => (isOperator(manager) ? manager : (manager.author ?? "operator"));

const record = (
  transaction: Queryable,
  action: AuditAction,
  key: ApiKey,
  author: AuditAuthor,
  time: Date,
  reason?: string,
) =>
  recordAudit(transaction, {
    userId: key.userId,
    action,
    subject: auditName(key),
    reason,
    author,
    at: time,
  });

const auditName = ({ id, name, endsWith }: ApiKey): string => `API key ${id} (${name}, …${endsWith})`;

/** The key with this SHA-256, in any state; null if there is none. */
export async function findKeyBySha256(db: Queryable, digest: Buffer): Promise<ApiKey | null> {
  const row = await db.selectFrom("api_keys").selectAll().where("sha256", "=", digest).executeTakeFirst();
  return row === undefined ? null : apiKeyOf(row);
}

/** A key's row with the owner's data that a look-up needs. */
export interface KeyRow extends Selectable<ApiKeysTable> {
  has_beats: boolean;
  /** Null unless the owner is suspended. */
  suspension_reason: string | null;
  /** Null before the account's first call. */
  account_version: string | null;
}

/** The rows of the keys with these SHA-256, in any state, by the hexadecimal SHA-256. */
export async function findKeyRows(db: Queryable, digests: readonly Buffer[]): Promise<Map<string, KeyRow>> {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .leftJoin("account_versions", "account_versions.user_id", "api_keys.user_id")
    .selectAll("api_keys")
    .select(["users.suspension_reason", "account_versions.version as account_version"])
    .select(sql<boolean>`exists (select from beats where beats.user_id = api_keys.user_id)`.as("has_beats"))
    .where("sha256", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .execute();
  return new Map(rows.map((row) => [row.sha256.toString("hex"), row]));
}

/** The owner's key in any state; null if the key does not exist or belongs to another account. */
export async function findOwnKey(db: Queryable, keyId: number, ownerId: number): Promise<ApiKey | null> {
  const row = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("id", "=", keyId)
    .where("user_id", "=", ownerId)
    .executeTakeFirst();
  return row === undefined ? null : apiKeyOf(row);
}

/** The owner's active keys, oldest first. */
export async function listActiveKeys(db: Queryable, ownerId: number, now: Date): Promise<ApiKey[]> {
  const rows = await selectActiveKeys(db, ownerId, now).selectAll().orderBy("id").execute();
  return rows.map(apiKeyOf);
}

const selectActiveKeys = (db: Queryable, ownerId: number, now: Date) =>
  db
    .selectFrom("api_keys")
    .where("user_id", "=", ownerId)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]));

/** Sets `last_used_at`. Skips rows that another instance is updating. */
export async function markKeysUsed(db: Queryable, keyIds: readonly number[], time: Date): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: time })
    .where("id", "in", (free) =>
      free.selectFrom("api_keys").select("id").where("id", "in", keyIds).forNoKeyUpdate().skipLocked(),
    )
    .execute();
}

/**
 * Throws 429 for an owner's eleventh new key in 24 hours. Each key has its own rate limit, so unlimited new keys would
 * bypass it. Requires the owner's lock.
 */
async function limitNewKeys(transaction: Queryable, userId: number, now: Date): Promise<void> {
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

/** The proposed key `key`, if an earlier attempt created it; null otherwise. Requires the owner's lock. */
async function findIssued(
  transaction: Queryable,
  { userId, key }: Pick<KeyRequest, "userId" | "key">,
): Promise<IssuedKey | null> {
  if (key === undefined) return null;
  const existing = await findKeyBySha256(transaction, sha256(key));
  return existing !== null && existing.userId === userId ? { ...existing, key } : null;
}

/** Throws 409 for an eleventh active key. Requires the owner's lock. */
async function insertKey(transaction: Queryable, request: KeyRequest, now: Date): Promise<IssuedKey> {
  const { active } = await selectActiveKeys(transaction, request.userId, now)
    .select(({ fn }) => fn.countAll<number>().as("active"))
    .executeTakeFirstOrThrow();
  if (active >= maxActiveKeys)
    throw conflict(`The account has ${active} active API keys, the most it may have. Revoke one first.`);

  const { key = generateKey() } = request;
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
      created_by: request.maker?.personId ?? null,
      spending_cap_cents: request.spendingCapCents ?? null,
      allowed_networks: [...(request.allowedNetworks ?? [])],
      api_version: request.version ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...apiKeyOf(row), key };
}

/** Finds and locks the key. Throws like `selectKey`. */
export const lockKey = (transaction: Queryable, keyId: number, manager: KeyManager): Promise<ApiKey> =>
  selectKey(transaction, keyId, manager, { lock: true });

/** Throws 404 if the manager may not see the key. */
async function selectKey(db: Queryable, keyId: number, manager: KeyManager, { lock = false } = {}): Promise<ApiKey> {
  const row = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("id", "=", keyId)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined || (!isOperator(manager) && row.user_id !== manager.ownerId))
    throw notFound(`There is no API key ${keyId}.`);
  return apiKeyOf(row);
}

function checkRequest({ name, permissions: requested, expiresAt }: KeyRequest, now: Date): void {
  const nameLength = [...name.trim()].length;
  if (nameLength === 0 || nameLength > maxNameLength)
    throw invalidRequest(`The name of an API key has 1 to ${maxNameLength} characters.`, "name");
  if (requested.length === 0)
    throw invalidRequest(`An API key needs at least one permission of ${permissions.join(", ")}.`, "permissions");
  if (expiresAt !== null && expiresAt <= now)
    throw invalidRequest("An API key must expire in the future.", "expires_at");
}

export const isExpired = ({ expiresAt }: Pick<ApiKey, "expiresAt">, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Throws for a plan that only a newer release knows. */
export function apiKeyOf(row: Selectable<ApiKeysTable>): ApiKey {
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
    createdBy: row.created_by,
    replacedBy: row.replaced_by,
    spendingCapCents: row.spending_cap_cents,
    allowedNetworks: row.allowed_networks,
    version: row.api_version,
  };
}

/**
 * Revokes every key of an erased owner. Removes the names of the keys, their allowed networks, and the version of the
 * account.
 */
export async function revokeKeysOf(transaction: Queryable, ownerId: number, now: Date): Promise<void> {
  await transaction
    .updateTable("api_keys")
    .set({ name: "erased", allowed_networks: [], revoked_at: sql`coalesce(revoked_at, ${now})` })
    .where("user_id", "=", ownerId)
    .execute();
  await transaction.deleteFrom("account_versions").where("user_id", "=", ownerId).execute();
}

/**
 * The active keys that a person made, oldest first. With `accountId` only keys of that account, with `since` only keys
 * that were created since then.
 */
export async function listKeysOfMaker(
  db: Queryable,
  { personId, accountId, since }: { personId: number; accountId?: number; since?: Date },
  now: Date,
): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("created_by", "=", personId)
    .where("revoked_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .$if(accountId !== undefined, (query) => query.where("user_id", "=", accountId as number))
    .$if(since !== undefined, (query) => query.where("created_at", ">=", since as Date))
    .orderBy("id")
    .execute();
  return rows.map(apiKeyOf);
}
