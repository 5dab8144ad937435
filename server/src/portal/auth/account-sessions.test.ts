import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, expect, test } from "vitest";
import { testPassword, testPortal, type Visitor } from "../../../test/harness/portal.ts";
import { listAudit } from "../../resources/audit/queries.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock, demoEmail: "demo@example.com" });
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const sessions = async (visitor: Visitor) => (await visitor.get("/account/sessions")).json().sessions;
async function signIn(email: string, address: string, userAgent = "curl/8.14.1"): Promise<Visitor> {
  const visitor = portal.visitor(address);
  const body = { email, password: testPassword };
  const response = await visitor.send("POST", "/auth/sign-in", body, { "user-agent": userAgent });
  expect(response.statusCode).toBe(204);
  return visitor;
}
const isSignedIn = async (visitor: Visitor) => (await visitor.get("/session")).json().account !== null;

test("the sessions of an account are listed with a readable device name, the present session first", async () => {
  const { email } = await portal.signUp();
  await portal.signUp();
  const phone = await signIn(email, "203.0.113.9", firefox);
  const listed = await sessions(phone);
  expect(listed).toHaveLength(2);
  expect(listed[0]).toMatchObject({ device: "Firefox on Linux", client_address: "203.0.113.9", is_current: true });
  expect(listed[0].signed_in_at).toBe(clock.now().toISOString());
  expect(listed[1].is_current).toBe(false);
});

test("an account can end one session immediately, without a recent sign-in, and the log records it", async () => {
  const owner = await portal.signUp();
  const thief = await signIn(owner.email, "203.0.113.9", firefox);
  clock.advance(16 * 60_000);
  const { id } = (await sessions(thief)).find((each: { is_current: boolean }) => each.is_current);
  expect((await owner.send("DELETE", `/account/sessions/${id}`)).statusCode).toBe(204);
  expect([await isSignedIn(thief), await isSignedIn(owner)]).toEqual([false, true]);
  expect((await owner.send("DELETE", `/account/sessions/${id}`)).statusCode).toBe(404);
  const [entry] = await listAudit(portal.database.query, owner.userId, { limit: 1 });
  expect(entry).toMatchObject({ action: "account.session_ended", subject: "Firefox on Linux" });
});

test("an account can end all other sessions at once", async () => {
  const owner = await portal.signUp();
  const others = [await signIn(owner.email, "203.0.113.9"), await signIn(owner.email, "203.0.113.10")];
  expect((await owner.send("DELETE", "/account/other-sessions")).json()).toEqual({ ended: 2 });
  expect(await Promise.all([owner, ...others].map(isSignedIn))).toEqual([true, false, false]);
  expect(await sessions(owner)).toHaveLength(1);
});

test("another account's session is 404, and does not end", async () => {
  const [ada, eve] = [await portal.signUp(), await portal.signUp()];
  const [{ id }] = await sessions(ada);
  expect((await eve.send("DELETE", `/account/sessions/${id}`)).statusCode).toBe(404);
  expect(await isSignedIn(ada)).toBe(true);
});

test("a visitor of the demo neither sees nor ends the sessions of others", async () => {
  const [one, two] = [portal.visitor("192.0.2.1"), portal.visitor("192.0.2.2")];
  for (const visitor of [one, two]) await visitor.send("POST", "/auth/demo");
  const [currentSession, ...others] = await sessions(two);
  expect([currentSession.client_address, others]).toEqual(["192.0.2.2", []]);
  expect((await two.send("DELETE", "/account/other-sessions")).statusCode).toBe(409);
  expect((await two.send("DELETE", `/account/sessions/${currentSession.id}`)).statusCode).toBe(409);
});

test("expired sessions are not listed, and no longer signed in", async () => {
  const { email, ...owner } = await portal.signUp();
  const late = await signIn(email, "203.0.113.9");
  await portal.database.driver`
    update portal_sessions set created_at = ${clock.now()}::timestamptz - interval '30 days'
    where ip_address <> '203.0.113.9' and user_id = (select id from portal_users where email = ${email})`;
  expect(await sessions(late)).toHaveLength(1);
  expect(await isSignedIn(owner)).toBe(false);
});
