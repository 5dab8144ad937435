import { expect, test } from "vitest";
import { addAccount, authenticationDatabase } from "../testing/authentication-database.ts";
import { clearSessionCookie, readSessionCookie, type SessionSecrets, setSessionCookie } from "./session-cookie.ts";
import {
  createSession,
  endExcessSessions,
  endSession,
  endSessions,
  findSession,
  listSessions,
  renewSession,
  sweepSessions,
} from "./sessions.ts";

const database = await authenticationDatabase();
const { query: db } = database;
const dayMs = 86_400_000;
const signedInAt = new Date("2026-11-20T08:00:00Z");
const after = (days: number): Date => new Date(signedInAt.getTime() + days * dayMs);

let accounts = 0;
/** Opens a session of a new account. */
async function signIn(traits: { userAgent?: string } = {}) {
  const accountId = await addAccount(database, ++accounts);
  const token = await open(accountId, traits);
  return { accountId, token };
}
const open = (accountId: string, { userAgent = "curl/8", now = signedInAt } = {}) =>
  createSession(
    db,
    { accountId, ipAddress: "203.0.113.9", userAgent, isNewDevice: false, hasSecondFactor: true, actingAs: null },
    now,
  );

test("a session belongs to its token, ends after a week without use, and lives on while it is used", async () => {
  const { accountId, token } = await signIn();
  expect(await findSession(db, "another token", signedInAt)).toBeNull();
  const session = await findSession(db, token, after(6));
  expect(session).toMatchObject({ accountId, name: "Ada", hasSecondFactor: true, actingAs: null });
  expect(await findSession(db, token, after(7))).toBeNull();
  if (session === null) throw new Error("The session has ended.");
  expect(await renewSession(db, session, after(6))).toBe(true);
  expect(await findSession(db, token, after(12))).not.toBeNull();
});

test("a session ends 30 days after its sign-in, although it is used each day", async () => {
  const { token } = await signIn();
  for (let day = 1; day < 30; day++) {
    const session = await findSession(db, token, after(day));
    if (session === null) throw new Error(`The session ended on day ${day}.`);
    await renewSession(db, session, after(day));
  }
  expect(await findSession(db, token, after(30))).toBeNull();
});

test("an account lists its sessions, and ends one of them or all others; another account cannot end them", async () => {
  const { accountId } = await signIn({ userAgent: "Firefox" });
  const stranger = await signIn();
  await open(accountId, { userAgent: "Chrome", now: after(1) });
  const listed = await listSessions(db, accountId, after(2));
  expect(listed.map(({ user_agent }) => user_agent)).toEqual(["Chrome", "Firefox"]);
  const [chrome, firefox] = listed.map(({ id }) => id);
  expect(await endSession(db, stranger.accountId, firefox ?? "")).toBeNull();
  expect(await endSession(db, accountId, firefox ?? "")).toEqual({ userAgent: "Firefox" });
  await open(accountId, { userAgent: "Safari", now: after(1) });
  expect(await endSessions(db, accountId, chrome ?? "")).toBe(1);
  expect((await listSessions(db, accountId, after(2))).map(({ id }) => id)).toEqual([chrome]);
});

test("a sweep deletes only ended sessions", async () => {
  const { accountId } = await signIn();
  const young = await open(accountId, { now: after(20) });
  await sweepSessions(db, after(21));
  expect(await listSessions(db, accountId, signedInAt)).toHaveLength(1);
  expect(await findSession(db, young, after(21))).not.toBeNull();
});

test("above 500 sessions of an account, the least recently used end", async () => {
  const { accountId, token } = await signIn();
  await database.driver`insert into portal_sessions (id, user_id, token, expires_at, created_at, updated_at)
    select 'id' || n, ${accountId}, 'token' || n, ${after(7)}, ${signedInAt}, ${after(1)} from generate_series(1, 500) n`;
  await endExcessSessions(db, accountId);
  expect(await findSession(db, token, signedInAt)).toBeNull();
  expect(await listSessions(db, accountId, signedInAt)).toHaveLength(500);
});

const headersWith = (cookie: string) => new Headers({ cookie });
const cookieOf = (setCookie: string): string => setCookie.split(";")[0] ?? "";

test("a cookie that the present or the previous secret signed gives its token; any other cookie gives null", () => {
  const secrets: SessionSecrets = ["present", "previous"];
  const cookie = cookieOf(setSessionCookie("token", ["previous"]));
  expect(readSessionCookie(headersWith(`a=b; ${cookie}`), secrets)).toEqual({ token: "token", isCurrent: false });
  expect(readSessionCookie(headersWith(cookieOf(setSessionCookie("token", secrets))), secrets)).toEqual({
    token: "token",
    isCurrent: true,
  });
  expect(readSessionCookie(headersWith(cookie), ["present"])).toBeNull();
  expect(readSessionCookie(headersWith(cookie.replace("token.", "other.")), secrets)).toBeNull();
  expect(readSessionCookie(headersWith(cookieOf(clearSessionCookie)), secrets)).toBeNull();
});
