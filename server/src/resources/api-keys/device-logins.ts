import { randomBytes, randomInt } from "node:crypto";
import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Permission } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { derivedKey, sha256 } from "./key-format.ts";
import { createKey, type KeyRequest } from "./queries.ts";

/** How long a person has to confirm a login. */
export const loginLifetimeSeconds = 600;
/** The time that a program has to wait between two polls. */
export const pollIntervalSeconds = 5;

/** The letters of user codes (RFC 8628, 6.1): no vowels and no Y, so that no code is a word. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const codeLength = 8;

/** The request of a program without a browser. */
export interface LoginRequest {
  /** The name of the key, which says what it is for. */
  name: string;
  permissions: readonly Permission[];
  clientAddress: string;
}

/** An open login, as the person who confirms it sees it. */
export interface OpenLogin extends LoginRequest {
  userCode: string;
  expiresAt: Date;
}

export type PollResult =
  | { error: "authorization_pending" | "slow_down" | "access_denied" | "expired_token" }
  | { key: string };

/** The secrets from which keys are derived: the first for new keys, the others for keys of recently approved logins. */
type Secrets = readonly [current: string, ...previous: string[]];

/** Opens a login. The device code is for the program, the user code for the person. */
export async function openLogin(db: Queryable, request: LoginRequest, now: Date) {
  const deviceCode = randomBytes(32).toString("base64url");
  const userCode = newUserCode();
  await db
    .insertInto("device_logins")
    .values({
      code_sha256: sha256(deviceCode),
      user_code: userCode,
      name: request.name,
      permissions: [...request.permissions],
      client_address: request.clientAddress,
      expires_at: new Date(now.getTime() + loginLifetimeSeconds * 1_000),
    })
    .execute();
  return { deviceCode, userCode };
}

/** Finds an open login by the user code, in any notation. Throws 404 for an unknown, answered or expired login. */
export async function findOpenLogin(db: Queryable, userCode: string, now: Date): Promise<OpenLogin> {
  const row = await openRows(db, userCode, now).executeTakeFirst();
  if (row === undefined) throw noLogin(userCode);
  return {
    userCode: row.user_code,
    name: row.name,
    permissions: row.permissions as Permission[],
    clientAddress: row.client_address,
    expiresAt: row.expires_at,
  };
}

/**
 * Creates the key of a login. Throws like `findOpenLogin` and `createKey`, and 409 for a permission that the program
 * did not request.
 */
export async function approveLogin(
  db: Queryable,
  userCode: string,
  request: Omit<KeyRequest, "name" | "key">,
  secrets: Secrets,
  now: Date,
): Promise<void> {
  await transact(db, async (transaction) => {
    const row = await openRows(transaction, userCode, now).forUpdate().executeTakeFirst();
    if (row === undefined) throw noLogin(userCode);
    const notRequested = request.permissions.find((permission) => !row.permissions.includes(permission));
    if (notRequested !== undefined) throw conflict(`The program does not ask for ${notRequested}.`);
    const key = derivedKey(secrets[0], row.code_sha256.toString("hex"));
    const { id } = await createKey(transaction, { ...request, name: row.name, key }, now);
    await transaction
      .updateTable("device_logins")
      // The program's next poll may come after the code would have expired.
      .set({ api_key_id: id, expires_at: new Date(now.getTime() + loginLifetimeSeconds * 1_000) })
      .where("code_sha256", "=", row.code_sha256)
      .execute();
  });
}

/** Refuses a login. Throws like `findOpenLogin`. */
export async function denyLogin(db: Queryable, userCode: string, now: Date): Promise<void> {
  const { userCode: stored } = await findOpenLogin(db, userCode, now);
  await db
    .updateTable("device_logins")
    .set({ is_denied: true })
    .where("user_code", "=", stored)
    .where("api_key_id", "is", null)
    .execute();
}

/** Answers a program's poll: with the key, once, or with an error (RFC 8628, 3.5). */
export async function pollLogin(db: Queryable, deviceCode: string, secrets: Secrets, now: Date): Promise<PollResult> {
  const code = sha256(deviceCode);
  return transact(db, async (transaction) => {
    const row = await transaction
      .selectFrom("device_logins")
      .leftJoin("api_keys", "api_keys.id", "device_logins.api_key_id")
      .select(["device_logins.expires_at", "polled_at", "is_denied", "api_keys.sha256"])
      .where("code_sha256", "=", code)
      .forUpdate("device_logins")
      .executeTakeFirst();
    return row === undefined ? { error: "expired_token" } : resultOfPoll(transaction, row, code, secrets, now);
  });
}

interface PolledRow {
  expires_at: Date;
  polled_at: Date | null;
  is_denied: boolean;
  sha256: Buffer | null;
}

async function resultOfPoll(
  transaction: Queryable,
  row: PolledRow,
  code: Buffer,
  secrets: Secrets,
  now: Date,
): Promise<PollResult> {
  const remove = () => transaction.deleteFrom("device_logins").where("code_sha256", "=", code).execute();
  if (row.expires_at <= now) return { error: "expired_token" };
  if (row.is_denied) {
    await remove();
    return { error: "access_denied" };
  }
  // One second less than the interval, because the network may delay one poll more than the next.
  const isTooSoon =
    row.polled_at !== null && now.getTime() - row.polled_at.getTime() < (pollIntervalSeconds - 1) * 1_000;
  if (isTooSoon) return { error: "slow_down" };
  if (row.sha256 === null) {
    await transaction.updateTable("device_logins").set({ polled_at: now }).where("code_sha256", "=", code).execute();
    return { error: "authorization_pending" };
  }
  await remove();
  const key = secrets
    .map((secret) => derivedKey(secret, code.toString("hex")))
    .find((candidate) => row.sha256 !== null && sha256(candidate).equals(row.sha256));
  return key === undefined ? { error: "expired_token" } : { key };
}

/** Deletes expired logins. */
export async function sweepLogins(db: Queryable, now: Date): Promise<void> {
  await db.deleteFrom("device_logins").where("expires_at", "<", now).execute();
}

const openRows = (db: Queryable, userCode: string, now: Date) =>
  db
    .selectFrom("device_logins")
    .selectAll()
    .where("user_code", "=", normalizeUserCode(userCode))
    .where("expires_at", ">", now)
    .where("is_denied", "=", false)
    .where("api_key_id", "is", null);

/** Turns `wdjb mjht` and `WDJBMJHT` into `WDJB-MJHT`. */
function normalizeUserCode(userCode: string): string {
  const typedLetters = userCode.toUpperCase().replace(/[^A-Z]/g, "");
  return `${typedLetters.slice(0, codeLength / 2)}-${typedLetters.slice(codeLength / 2)}`;
}

const newUserCode = (): string =>
  normalizeUserCode(Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join(""));

const noLogin = (userCode: string) =>
  notFound(
    `There is no login with the code ${normalizeUserCode(userCode).slice(0, codeLength + 1)}. A code is valid for ten minutes and for one login: start again in the terminal.`,
  );
