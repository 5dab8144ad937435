import { totpCode } from "@beatmarket/authentication/totp.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  mailedToken,
  type SignedInVisitor,
  testPassword,
  testPortal,
  type Visitor,
} from "../../../../test/harness/portal.ts";
import { listAudit } from "../../../resources/audit/queries.ts";
import { codeChallenge } from "./authenticators.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock, demoEmail: "demo@example.com" });
const { query } = portal.database;
const stranger = "203.0.113.9";

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const codeOf = (secret: string, steps = 0) => totpCode(secret, Math.floor(clock.nowMs() / 30_000) + steps);
const signIn = (visitor: Visitor, email: string, code?: string) =>
  visitor.send("POST", "/auth/sign-in", { email, password: testPassword, ...(code !== undefined && { code }) });
const wasMailed = (email: string, subject: string) =>
  until(() => portal.mails.some((mail) => mail.to === email && mail.subject === subject));

async function propose(visitor: Visitor): Promise<{ secret: string; recovery_codes: string[]; proof: string }> {
  const { secret, recovery_codes, proof } = (await visitor.send("POST", "/account/authenticator/proposals")).json();
  return { secret, recovery_codes, proof };
}

interface Secured {
  owner: SignedInVisitor;
  email: string;
  secret: string;
  codes: string[];
}

/** Creates an account with an authenticator. Skips 30 seconds, because the confirmation has used the present code. */
async function secureAccount(): Promise<Secured> {
  const owner = await portal.signUp();
  const proposed = await propose(owner);
  const confirmed = await owner.send("POST", "/account/authenticator", { ...proposed, code: codeOf(proposed.secret) });
  expect(confirmed.statusCode).toBe(204);
  clock.advance(30_000);
  return { owner, email: owner.email, secret: proposed.secret, codes: proposed.recovery_codes };
}

describe("an authenticator", () => {
  test("exists only after one of its codes confirms it", async () => {
    const owner = await portal.signUp();
    const proposed = await propose(owner);
    const response = await owner.send("POST", "/account/authenticator", { ...proposed, code: "000000" });
    expect(response.statusCode).toBe(400);
    expect((await owner.get("/account/security")).json().authenticator).toBeNull();
    expect((await signIn(portal.visitor(), owner.email)).statusCode).toBe(204);
    const right = { ...proposed, code: codeOf(proposed.secret) };
    expect((await owner.send("POST", "/account/authenticator", right)).statusCode).toBe(204);
    expect((await owner.get("/account/security")).json().authenticator).toMatchObject({ recovery_codes_left: 10 });
    await wasMailed(owner.email, "An authenticator was added");
    expect((await owner.send("POST", "/account/authenticator", right)).statusCode).toBe(409);
    expect((await owner.send("POST", "/account/authenticator/proposals")).statusCode).toBe(409);
  });

  test("is refused if it was not proposed, or was proposed to another account or more than an hour ago", async () => {
    const [ada, eve] = [await portal.signUp(), await portal.signUp()];
    const proposed = await propose(ada);
    const send = async (visitor: Visitor, changes: object = {}) => {
      const body = { ...proposed, code: codeOf(proposed.secret), ...changes };
      return (await visitor.send("POST", "/account/authenticator", body)).statusCode;
    };
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    expect(await send(ada, { secret, code: codeOf(secret) })).toBe(400);
    expect(await send(ada, { recovery_codes: Array(10).fill("AAAA-AAAA-AAAA-AAAA") })).toBe(400);
    expect(await send(ada, { proof: "9999999999.x" })).toBe(400);
    expect(await send(eve)).toBe(400);
    clock.advance(3_600_000);
    expect(await send(ada)).toBe(400);
  });

  test("is stored sealed, and its recovery codes as hashes", async () => {
    const { secret, codes } = await secureAccount();
    const stored = JSON.stringify([
      await query.selectFrom("portal_authenticators").selectAll().execute(),
      await query.selectFrom("portal_recovery_codes").selectAll().execute(),
    ]);
    for (const text of [secret, ...codes]) expect(stored).not.toContain(text);
  });

  test("is not available for the demo account", async () => {
    const demo = portal.visitor();
    await demo.send("POST", "/auth/demo");
    expect((await demo.send("POST", "/account/authenticator/proposals")).statusCode).toBe(409);
  });

  test("is removed only after a sign-in with a code in the last 15 minutes", async () => {
    const { owner, email, secret } = await secureAccount();
    const visitor = portal.visitor();
    await signIn(visitor, email, codeOf(secret));
    clock.advance(15 * 60_000 + 1);
    expect((await visitor.send("DELETE", "/account/authenticator")).statusCode).toBe(403);
    expect((await signIn(visitor, email)).statusCode).toBe(401);
    expect((await signIn(visitor, email, codeOf(secret))).statusCode).toBe(204);
    expect((await visitor.send("DELETE", "/account/authenticator")).statusCode).toBe(204);
    expect((await visitor.send("DELETE", "/account/authenticator")).statusCode).toBe(404);
    expect((await signIn(portal.visitor(), email)).statusCode).toBe(204);
    await wasMailed(owner.email, "Your authenticator was removed");
  });
});

describe("a sign-in to an account with an authenticator", () => {
  test("asks for the code after the right password, and does not mention it after a wrong one", async () => {
    const { email, secret } = await secureAccount();
    const visitor = portal.visitor(stranger);
    const wrong = await visitor.send("POST", "/auth/sign-in", { email, password: "a wrong password" });
    expect([wrong.statusCode, wrong.headers["www-authenticate"]]).toEqual([401, undefined]);
    const response = await signIn(visitor, email);
    expect([response.statusCode, response.headers["www-authenticate"]]).toEqual([401, codeChallenge]);
    expect(response.headers["set-cookie"]).toBeUndefined();
    expect((await visitor.get("/session")).json().account).toBeNull();
    expect((await signIn(visitor, email, codeOf(secret))).statusCode).toBe(204);
    expect((await visitor.get("/session")).json().account.email).toBe(email);
  });

  test("accepts a code once, and then no code of an earlier period", async () => {
    const { email, secret } = await secureAccount();
    const before = codeOf(secret, -1);
    const now = codeOf(secret);
    expect((await signIn(portal.visitor(), email, now)).statusCode).toBe(204);
    for (const used of [now, before]) expect((await signIn(portal.visitor(), email, used)).statusCode).toBe(401);
    clock.advance(30_000);
    expect((await signIn(portal.visitor(), email, codeOf(secret))).statusCode).toBe(204);
  });

  test("accepts a code once, even from concurrent requests", async () => {
    const { email, secret } = await secureAccount();
    const responses = await Promise.all([1, 2, 3].map(() => signIn(portal.visitor(), email, codeOf(secret))));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401, 401]);
  });

  test("accepts each recovery code once, in any spelling, and reports it by mail", async () => {
    const { owner, email, codes } = await secureAccount();
    const [first = "", second = ""] = codes;
    expect((await signIn(portal.visitor(), email, first.toLowerCase().replaceAll("-", " "))).statusCode).toBe(204);
    expect((await signIn(portal.visitor(), email, first)).statusCode).toBe(401);
    expect((await signIn(portal.visitor(), email, second)).statusCode).toBe(204);
    expect((await owner.get("/account/security")).json().authenticator.recovery_codes_left).toBe(8);
    await wasMailed(email, "A recovery code was used");
    const actions = (await listAudit(query, owner.userId, { limit: 10 })).map(({ action }) => action);
    expect(actions.filter((action) => action === "account.recovery_code_used")).toHaveLength(2);
  });

  test("accepts no recovery code that was replaced", async () => {
    const { email, codes, secret } = await secureAccount();
    const visitor = portal.visitor();
    await signIn(visitor, email, codeOf(secret));
    const { recovery_codes } = (await visitor.send("POST", "/account/authenticator/recovery-codes")).json();
    expect((await signIn(portal.visitor(), email, codes[0])).statusCode).toBe(401);
    expect((await signIn(portal.visitor(), email, recovery_codes[0])).statusCode).toBe(204);
  });

  test("blocks a client that guesses codes with the right password, mails the owner, and exempts known devices", async () => {
    const { owner, email, secret } = await secureAccount();
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await signIn(portal.visitor(stranger), email, "000000")).statusCode).toBe(401);
    expect((await signIn(portal.visitor(stranger), email, codeOf(secret))).statusCode).toBe(429);
    await wasMailed(email, "A stranger may know your password");
    const deviceCookie = { cookie: owner.cookie() };
    const body = { email, password: testPassword, code: codeOf(secret) };
    expect((await portal.visitor(stranger).send("POST", "/auth/sign-in", body, deviceCookie)).statusCode).toBe(204);
  });

  test("limits guesses from many networks together", async () => {
    const { email, secret } = await secureAccount();
    const window_ends_at = new Date(clock.nowMs() + 600_000);
    await query
      .insertInto("portal_attempts")
      .values({ subject: `codes of ${email}`, count: 20, window_ends_at })
      .execute();
    expect((await signIn(portal.visitor("192.0.2.9"), email, codeOf(secret))).statusCode).toBe(429);
  });

  test("also requires the code after a reset by mail", async () => {
    const { email, secret } = await secureAccount();
    const visitor = portal.visitor();
    await visitor.send("POST", "/auth/request-reset", { email });
    await wasMailed(email, "Choose a new password");
    const body = { token: await mailedToken(portal.mails, email), password: testPassword };
    expect((await visitor.send("POST", "/auth/reset", body)).statusCode).toBe(204);
    expect((await visitor.get("/session")).json().account).toBeNull();
    expect((await signIn(visitor, email)).statusCode).toBe(401);
    expect((await signIn(visitor, email, codeOf(secret))).statusCode).toBe(204);
  });
});
