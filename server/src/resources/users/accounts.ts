import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { randomInt } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { profileReference } from "./present.ts";
import { findProfile, usernameSlug } from "./queries.ts";

/** A user with an e-mail address, who can have keys. */
export interface Account {
  id: number;
  username: string;
  email: string;
  display_name: string;
}

/** An account without an address. Its members act as this account. */
export type Organisation = Omit<Account, "email">;

export interface AccountRequest {
  /** The address in upper or lower case. It is stored in lower case. */
  email: string;
  /**
   * The display name. If it is absent, the name is random, because names are public and must not reveal the address.
   */
  name?: string | undefined;
}

const accountColumns = ["id", "username", "email", "display_name"] as const;
const emailPattern = /^[^\s\p{Cc}@"(),:;<>[\\\]]+@[^\s\p{Cc}@.]+(\.[^\s\p{Cc}@.]+)*$/u;
const maxEmailLength = 254;
const maxNameLength = 100;
const usernameAttempts = 5;

/** Returns the account of an e-mail address in upper or lower case, and null if no account has it. */
export async function findAccount(db: Queryable, email: string): Promise<Account | null> {
  const account = await db
    .selectFrom("users")
    .select(accountColumns)
    .where("email", "=", normalEmail(email))
    .$narrowType<{ email: string }>()
    .executeTakeFirst();
  return account ?? null;
}

/** Returns the account of an e-mail address. Throws notFound if there is none. */
export async function requireAccount(db: Queryable, email: string): Promise<Account> {
  const account = await findAccount(db, email);
  if (account === null) throw notFound(`There is no account with the e-mail address ${email}.`);
  return account;
}

/**
 * Sets or clears the `marketplace` flag of an account. Flagged accounts receive every beat.purchased event
 * (docs/api/events.md, Who receives an event). Throws notFound if the address has no account.
 */
export async function markMarketplace(db: Queryable, email: string, isMarketplace: boolean): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ marketplace: isMarketplace })
    .where("email", "=", normalEmail(email))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound(`There is no account with the e-mail address ${normalEmail(email)}.`);
}

/**
 * Changes the address of an account. The caller has verified the mailbox. Returns false if another account has the
 * address. Sends no event, because public profiles do not show addresses.
 */
export async function changeEmail(transaction: Queryable, userId: number, email: string, now: Date): Promise<boolean> {
  const address = normalEmail(email);
  const existing = await transaction.selectFrom("users").select("id").where("email", "=", address).executeTakeFirst();
  if (existing !== undefined) return false;
  await transaction.updateTable("users").set({ email: address, updated_at: now }).where("id", "=", userId).execute();
  return true;
}

/** Creates an account. Throws 400 for an invalid address or name, and 409 if the address has an account. */
export async function createAccount(db: Queryable, request: AccountRequest): Promise<Account> {
  const account = await insertAccount(db, request);
  if (account === null)
    throw conflict(`There is already an account with the e-mail address ${normalEmail(request.email)}.`);
  return account;
}

/** Finds or creates the account of an e-mail address. An existing account keeps its name. */
export async function findOrCreateAccount(db: Queryable, request: AccountRequest): Promise<Account> {
  const account =
    (await findAccount(db, request.email)) ??
    (await insertAccount(db, request)) ??
    // A concurrent request created it after the look-up.
    (await findAccount(db, request.email));
  if (account === null) throw new Error("The address had an account that was deleted during the look-up.");
  return account;
}

/** Creates an account without an address. Nobody can sign in to it; its members act as it. Emits user.registered. */
export async function createOrganisation(db: Queryable, name: string): Promise<Organisation> {
  const displayName = readDisplayName(name);
  for (let attempt = 0; attempt < usernameAttempts; attempt++) {
    const row = {
      email: null,
      organisation: true,
      username: username(displayName, attempt),
      display_name: displayName,
    };
    const account = await transact(db, (transaction) => register(transaction, row));
    if (account !== undefined) return account;
  }
  throw noFreeUsername(displayName);
}

/** Returns null if the address has an account. */
async function insertAccount(db: Queryable, request: AccountRequest): Promise<Account | null> {
  const email = normalEmail(request.email);
  const displayName = readDisplayName(request.name ?? `user-${randomInt(10 ** 9)}`);
  for (let attempt = 0; attempt < usernameAttempts; attempt++) {
    const row = { email, username: username(displayName, attempt), display_name: displayName };
    const account = await transact(db, (transaction) => register(transaction, row));
    if (account !== undefined) return { ...account, email };
    if ((await findAccount(db, email)) !== null) return null;
  }
  throw noFreeUsername(displayName);
}

const noFreeUsername = (name: string) => new Error(`No free username was found for ${name}.`);

function readDisplayName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length === 0 || length > maxNameLength)
    throw invalidRequest(`The name of a user has 1 to ${maxNameLength} characters.`, "name");
  return name;
}

/** Creates the account and emits user.registered. Returns undefined if another account has the address or username. */
async function register(
  transaction: Queryable,
  row: { email: string | null; organisation?: boolean; username: string; display_name: string },
): Promise<Organisation | undefined> {
  const account = await transaction
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(["id", "username", "display_name"])
    .executeTakeFirst();
  if (account === undefined) return undefined;
  await emitRegistered(transaction, account.id);
  return account;
}

/** Emits user.registered for a new account. The default of `time` is the creation time of the profile. */
export async function emitRegistered(transaction: Queryable, userId: number, time?: Date): Promise<void> {
  const profile = await findProfile(transaction, userId);
  await emitEvents(transaction, [
    { type: "user.registered", data: profileReference(profile), at: time ?? profile.created_at, audience: "everyone" },
  ]);
}

/** Returns a slug of the display name. From the second attempt on, it ends with a growing number of random digits. */
function username(displayName: string, attempt: number): string {
  const slug = usernameSlug(displayName, "user");
  return attempt === 0 ? slug : `${slug}-${randomInt(100 ** attempt)}`;
}

/** Trims an e-mail address and converts it to lower case. Throws 400 if it is not an e-mail address. */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > maxEmailLength || !emailPattern.test(email))
    throw invalidRequest(
      `${JSON.stringify(text.slice(0, maxEmailLength))} is not an e-mail address such as name@example.com.`,
      "email",
    );
  return email;
}

/** Adds a person or organisation of the live service to a sandbox, with the same id and an invalid address. */
export async function addMirror(db: Queryable, id: number, name: string): Promise<void> {
  await sql`
    insert into users (id, username, display_name, email) overriding system value
    values (${id}, ${`member-${id}`}, ${name}, ${`member-${id}@sandbox.invalid`}) on conflict do nothing`.execute(db);
}
