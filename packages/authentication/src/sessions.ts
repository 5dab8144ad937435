import { randomBytes } from "node:crypto";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { tablesOf } from "./tables.ts";

const daySeconds = 86_400;

/** A session ends after this time without use. */
export const sessionIdleSeconds = 7 * daySeconds;
/** A session ends this long after its sign-in, even if it is in use. */
const sessionLifeMs = 30 * daySeconds * 1000;
/**
 * The maximum number of sessions of an account, including the demo account. Above it, the least recently used sessions
 * end.
 */
const maxSessions = 500;

/** The minimum time between two renewals of a session. The list of sessions shows the last use with this precision. */
const renewalSeconds = 600;

export interface NewSession {
  accountId: string;
  ipAddress: string;
  userAgent: string;
  isNewDevice: boolean;
  hasSecondFactor: boolean;
  /** The organisation that the person acts as. */
  actingAs: number | null;
}

/** An open session, with its person. */
export interface Session {
  id: string;
  token: string;
  signedInAt: Date;
  expiresAt: Date;
  isNewDevice: boolean;
  hasSecondFactor: boolean;
  actingAs: number | null;
  accountId: string;
  personId: number;
  name: string;
  email: string;
}

/** Opens a session. Returns the token for the cookie. */
export async function createSession(db: Queryable, session: NewSession, now: Date): Promise<string> {
  const token = newId();
  await tablesOf(db)
    .insertInto("portal_sessions")
    .values({
      id: newId(),
      user_id: session.accountId,
      token,
      expires_at: idleEnd(now),
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
      new_device: session.isNewDevice,
      second_factor: session.hasSecondFactor,
      acting_as: session.actingAs,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return token;
}

/** The open session of a token; null if there is none. A session ends by idleness or by age. */
export async function findSession(db: Queryable, token: string, now: Date): Promise<Session | null> {
  const row = await tablesOf(db)
    .selectFrom("portal_sessions as session")
    .innerJoin("portal_users as person", "person.id", "session.user_id")
    .select([
      "session.id",
      "session.token",
      "session.created_at as signedInAt",
      "session.expires_at as expiresAt",
      "session.new_device as isNewDevice",
      "session.second_factor as hasSecondFactor",
      "session.acting_as as actingAs",
      "person.id as accountId",
      "person.user_id as personId",
      "person.name",
      "person.email",
    ])
    .where("session.token", "=", token)
    .where("session.expires_at", ">", now)
    .where("session.created_at", ">", oldestSignIn(now))
    .executeTakeFirst();
  return row ?? null;
}

/** Extends a session if its last renewal is old enough. If it returns true, the caller must set the cookie again. */
export async function renewSession(db: Queryable, { id, expiresAt }: Session, now: Date): Promise<boolean> {
  if (idleEnd(now).getTime() - expiresAt.getTime() < renewalSeconds * 1000) return false;
  await tablesOf(db)
    .updateTable("portal_sessions")
    .set({ expires_at: idleEnd(now), updated_at: now })
    .where("id", "=", id)
    .execute();
  return true;
}

export async function endSessionOf(db: Queryable, token: string): Promise<void> {
  await tablesOf(db).deleteFrom("portal_sessions").where("token", "=", token).execute();
}

const idleEnd = (now: Date): Date => new Date(now.getTime() + sessionIdleSeconds * 1000);

/** Generates 192 random bits, for ids of accounts and sessions and for session tokens. */
export const newId = (): string => randomBytes(24).toString("base64url");

/** A session whose sign-in is at this time or earlier has ended by age. */
const oldestSignIn = (now: Date): Date => new Date(now.getTime() - sessionLifeMs);

/** The latest end of a session that began with a sign-in at `signedInAt`. */
export const sessionEnd = (signedInAt: Date): Date => new Date(signedInAt.getTime() + sessionLifeMs);

/** Ends every session of a user of the program. */
export async function endSessionsOfUser(db: Queryable, userId: number): Promise<void> {
  await tablesOf(db)
    .deleteFrom("portal_sessions")
    .where("user_id", "in", (accounts) =>
      accounts.selectFrom("portal_users").select("id").where("user_id", "=", userId),
    )
    .execute();
}

const maxListed = 20;

/**
 * The open sessions of a user of the program, most recently used first, at most 20. `usedAt` has a precision of ten
 * minutes.
 */
export async function listSessionsOfUser(
  db: Queryable,
  userId: number,
  now: Date,
): Promise<{ startedAt: Date; usedAt: Date; userAgent: string }[]> {
  const rows = await tablesOf(db)
    .selectFrom("portal_sessions")
    .innerJoin("portal_users", "portal_users.id", "portal_sessions.user_id")
    .select(["portal_sessions.created_at", "portal_sessions.updated_at", "portal_sessions.user_agent"])
    .where("portal_users.user_id", "=", userId)
    .where("portal_sessions.expires_at", ">", now)
    .where("portal_sessions.created_at", ">", oldestSignIn(now))
    .orderBy("portal_sessions.updated_at", "desc")
    .limit(maxListed)
    .execute();
  return rows.map((row) => ({ startedAt: row.created_at, usedAt: row.updated_at, userAgent: row.user_agent ?? "" }));
}

/** Deletes the sessions that have ended by idleness or by age. */
export async function sweepSessions(db: Queryable, now: Date): Promise<void> {
  await tablesOf(db)
    .deleteFrom("portal_sessions")
    .where(({ eb, or }) => or([eb("expires_at", "<", now), eb("created_at", "<", oldestSignIn(now))]))
    .execute();
}

/** Ends the sessions of an account above the maximum, least recently used first. */
export async function endExcessSessions(db: Queryable, accountId: string): Promise<void> {
  await tablesOf(db)
    .deleteFrom("portal_sessions")
    .where("id", "in", (sessions) =>
      sessions
        .selectFrom("portal_sessions")
        .select("id")
        .where("user_id", "=", accountId)
        .orderBy("updated_at", "desc")
        .orderBy("id")
        .offset(maxSessions),
    )
    .execute();
}

/** An open session in the list of the account. */
export interface OpenSession {
  id: string;
  /** The user agent of the sign-in; empty in sessions of old releases that did not record the user agent. */
  user_agent: string;
  client_address: string;
  signed_in_at: Date;
  /** The last use, with a precision of ten minutes, or of a day while earlier releases still run. */
  last_seen_at: Date;
}

/** The open sessions of an account, most recently used first. */
export async function listSessions(db: Queryable, accountId: string, now: Date): Promise<OpenSession[]> {
  const rows = await tablesOf(db)
    .selectFrom("portal_sessions")
    .select(["id", "user_agent", "ip_address", "created_at", "updated_at"])
    .where("user_id", "=", accountId)
    .where("expires_at", ">", now)
    .where("created_at", ">", oldestSignIn(now))
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .limit(maxSessions)
    .execute();
  return rows.map(({ id, user_agent, ip_address, created_at, updated_at }) => ({
    id,
    user_agent: user_agent ?? "",
    client_address: ip_address ?? "",
    signed_in_at: created_at,
    last_seen_at: updated_at,
  }));
}

/** Ends a session of an account. Returns the user agent of its sign-in; null if the account has no such session. */
export async function endSession(db: Queryable, accountId: string, id: string): Promise<{ userAgent: string } | null> {
  const row = await tablesOf(db)
    .deleteFrom("portal_sessions")
    .where("user_id", "=", accountId)
    .where("id", "=", id)
    .returning("user_agent")
    .executeTakeFirst();
  return row === undefined ? null : { userAgent: row.user_agent ?? "" };
}

/** Ends the sessions of an account, except session `exceptId`. Returns the number of ended sessions. */
export async function endSessions(db: Queryable, accountId: string, exceptId: string | null): Promise<number> {
  let query = tablesOf(db).deleteFrom("portal_sessions").where("user_id", "=", accountId);
  if (exceptId !== null) query = query.where("id", "<>", exceptId);
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}

/** Whether the session exists and was not ended. Does not check its age or idleness. */
export async function isSessionOpen(db: Queryable, id: string): Promise<boolean> {
  return (
    (await tablesOf(db).selectFrom("portal_sessions").select("id").where("id", "=", id).executeTakeFirst()) !==
    undefined
  );
}

/** Lets the person of a session act as an organisation. A null `organisationId` ends this. */
export async function actAs(db: Queryable, id: string, organisationId: number | null): Promise<void> {
  await tablesOf(db).updateTable("portal_sessions").set({ acting_as: organisationId }).where("id", "=", id).execute();
}
