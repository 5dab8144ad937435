import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  mailedToken,
  type SignedInVisitor,
  testPassword,
  testPortal,
  type Visitor,
} from "../../../test/harness/portal.ts";
import { listAudit } from "../../resources/audit/queries.ts";
import { findAccount, findOrCreateAccount } from "../../resources/users/accounts.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock, demoEmail: "demo@example.com" });
const { mails } = portal;
const { query } = portal.database;

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const ask = (visitor: Visitor, email: string) => visitor.send("POST", "/account/email", { email });
const confirm = (token: string, password = testPassword) =>
  portal.visitor("192.0.2.50").send("POST", "/auth/confirm-email", { token, password });
const undo = (token: string, password = "a new fine password") =>
  portal.visitor("192.0.2.51").send("POST", "/auth/undo-email", { token, password });
const signIn = async (email: string, password = testPassword) =>
  (await portal.visitor().send("POST", "/auth/sign-in", { email, password })).statusCode;
const wasMailed = (email: string, subject: string) =>
  until(() => mails.some((mail) => mail.to === email && mail.subject === subject));
const emailOf = async (visitor: Visitor) => (await visitor.get("/session")).json().account?.email;

/** Creates an account that requests another address. Returns the token of the mailed link. */
async function requestAddress(to: string): Promise<{ owner: SignedInVisitor; token: string }> {
  const owner = await portal.signUp();
  expect((await ask(owner, to)).statusCode).toBe(202);
  return { owner, token: await mailedToken(mails, to) };
}
/** The token of the link that undoes a change, from the mail to the former address. */
async function undoToken(email: string): Promise<string> {
  await wasMailed(email, "The address of your account was changed");
  return mailedToken(mails, email);
}

describe("a change of address", () => {
  test("requires the link in the new mailbox and the password, and then only the new address opens the account", async () => {
    const { owner, token } = await requestAddress("Ada.New@example.com".toLowerCase());
    expect(await emailOf(owner)).toBe(owner.email);
    expect((await confirm(token, "a wrong password")).statusCode).toBe(401);
    expect(await emailOf(owner)).toBe(owner.email);
    expect((await confirm(token)).statusCode).toBe(204);
    expect(await emailOf(owner)).toBe("ada.new@example.com");
    expect([await signIn(owner.email), await signIn("ada.new@example.com")]).toEqual([401, 204]);
    expect(await findAccount(query, "ada.new@example.com")).toMatchObject({ id: owner.userId });
    expect(await findAccount(query, owner.email)).toBeNull();
    const actions = (await listAudit(query, owner.userId, { limit: 10 })).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["account.email_change_asked", "account.email_changed"]));
  });

  test("requires a sign-in in the last 15 minutes", async () => {
    const { email } = await portal.signUp();
    const visitor = portal.visitor();
    await visitor.send("POST", "/auth/sign-in", { email, password: testPassword });
    clock.advance(15 * 60_000 + 1);
    expect((await ask(visitor, "stepped@example.com")).statusCode).toBe(403);
  });

  test("gets the same response for an address that has an account, and the mailbox of that account gets a mail", async () => {
    const [owner, other] = [await portal.signUp(), await portal.signUp()];
    await findOrCreateAccount(query, { email: "operators@example.com" });
    for (const address of [other.email, "operators@example.com"]) {
      const response = await ask(owner, address);
      expect([response.statusCode, response.body]).toEqual([202, "{}"]);
      await wasMailed(address, "This address has an account already");
    }
    expect(
      await query
        .selectFrom("portal_mail_links")
        .select("email")
        .where("account_id", "is not", null)
        .where("email", "=", other.email)
        .execute(),
    ).toEqual([]);
  });

  test.each([
    ["an invalid address", 400],
    ["the demo account", 409],
    ["the present address", 409],
  ] as const)("is refused for %s", async (what, status) => {
    const owner = await portal.signUp();
    const demo = portal.visitor();
    await demo.send("POST", "/auth/demo");
    const addresses = {
      "an invalid address": "nobody",
      "the demo account": "d@example.com",
      "the present address": owner.email,
    };
    const response = await ask(what === "the demo account" ? demo : owner, addresses[what]);
    expect(response.statusCode).toBe(status);
  });

  test("works once, for an hour, and only with the newest link", async () => {
    const { owner, token } = await requestAddress("first@example.com");
    await ask(owner, "second@example.com");
    const second = await mailedToken(mails, "second@example.com");
    expect((await confirm(token)).statusCode).toBe(400);
    expect((await confirm(second)).statusCode).toBe(204);
    expect((await confirm(second)).statusCode).toBe(400);
    await ask(owner, "third@example.com");
    const third = await mailedToken(mails, "third@example.com");
    clock.advance(3_600_000);
    expect((await confirm(third)).statusCode).toBe(400);
  });

  test("succeeds for one of two accounts that request the same address", async () => {
    const [one, two] = [await requestAddress("wanted@example.com"), await portal.signUp()];
    await ask(two, "wanted@example.com");
    await until(() => mails.filter(({ to }) => to === "wanted@example.com").length === 2);
    const second = await mailedToken(mails, "wanted@example.com");
    const responses = await Promise.all([confirm(one.token), confirm(second)]);
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses[0]).toBe(204);
    expect([400, 409]).toContain(statuses[1]);
  });

  test("is refused with 409 if another account got the address after the request", async () => {
    const { owner, token } = await requestAddress("taken@example.com");
    await findOrCreateAccount(query, { email: "taken@example.com" });
    expect((await confirm(token)).statusCode).toBe(409);
    expect(await emailOf(owner)).toBe(owner.email);
  });

  test("revokes links that were mailed to the former address, and a new password revokes the link of the change", async () => {
    const { owner, token } = await requestAddress("later@example.com");
    await portal.visitor().send("POST", "/auth/request-reset", { email: owner.email });
    await wasMailed(owner.email, "Choose a new password");
    const reset = await mailedToken(mails, owner.email);
    await confirm(token);
    const body = { token: reset, password: "the thief's password" };
    expect((await portal.visitor().send("POST", "/auth/reset", body)).statusCode).toBe(400);

    const other = await requestAddress("other@example.com");
    const passwords = { current_password: testPassword, new_password: "another fine password" };
    await other.owner.send("POST", "/auth/change-password", passwords);
    expect((await confirm(other.token, "another fine password")).statusCode).toBe(400);
  });

  test("is limited to five mails to a mailbox in an hour, even with different plus addresses", async () => {
    const owner = await portal.signUp();
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await ask(owner, `flooded+${n}@example.com`)).statusCode);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});

describe("the former address", () => {
  test("gets the account back with a new password, and every session and later link ends", async () => {
    const { owner, token } = await requestAddress("thief@example.com");
    await confirm(token);
    const back = await undoToken(owner.email);
    await ask(owner, "thief-2@example.com");
    const next = await mailedToken(mails, "thief-2@example.com");
    expect((await undo(back)).statusCode).toBe(204);
    expect(await emailOf(owner)).toBeUndefined();
    expect([await signIn("thief@example.com"), await signIn(owner.email)]).toEqual([401, 401]);
    expect(await signIn(owner.email, "a new fine password")).toBe(204);
    expect((await confirm(next, "a new fine password")).statusCode).toBe(400);
    expect((await undo(back)).statusCode).toBe(400);
    await wasMailed("thief@example.com", "This address has no account any more");
    const actions = (await listAudit(query, owner.userId, { limit: 10 })).map(({ action }) => action);
    expect(actions).toContain("account.email_undone");
  });

  test("gets the account back after the thief has set another address, another password and a new passkey", async () => {
    const { owner, token } = await requestAddress("thief-3@example.com");
    await confirm(token);
    const back = await undoToken(owner.email);
    await ask(owner, "thief-4@example.com");
    await confirm(await mailedToken(mails, "thief-4@example.com"));
    const passwords = { current_password: testPassword, new_password: "the thief's password" };
    await owner.send("POST", "/auth/change-password", passwords);
    await portal.database.driver`
      insert into portal_passkeys (account_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
      select id, email || n, '', 0, '{}', 'x' || n, false, ${clock.now()}::timestamptz - n * interval '25 hours'
      from portal_users, generate_series(0, 1) n where email = 'thief-4@example.com'`;
    expect((await undo(back)).statusCode).toBe(204);
    expect(await signIn(owner.email, "a new fine password")).toBe(204);
    const passkeys = await query.selectFrom("portal_passkeys").select("name").execute();
    // The owner's earlier passkey is kept.
    expect(passkeys).toEqual([{ name: "x1" }]);
  });

  test("can get the account back for seven days, unless it has another account by then", async () => {
    const { owner, token } = await requestAddress("moved@example.com");
    await confirm(token);
    const back = await undoToken(owner.email);
    await findOrCreateAccount(query, { email: owner.email });
    expect((await undo(back)).statusCode).toBe(409);
    clock.advance(7 * 86_400_000);
    expect((await undo(back)).statusCode).toBe(400);
  });
});
