import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { mailedToken, testPassword, testPortal } from "../../../test/harness/portal.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";

// Attacks of strangers on the accounts of others. In these tests, each IPv4 address is a separate network.

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock });
const { mails } = portal;
const { query } = portal.database;
const owner = "198.51.100.7";
const stranger = "203.0.113.9";
const wrong = "a wrong password";

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const signUp = (email: string) => portal.signUp(email, "Ada", owner);
const signIn = async (address: string, email: string, password: string, visitor = portal.visitor(address)) =>
  (await visitor.send("POST", "/auth/sign-in", { email, password })).statusCode;
/** Sets the number of a subject's attempts. */
const exhaust = async (subject: string, count: number) => {
  const window_ends_at = new Date(clock.nowMs() + 600_000);
  await query
    .insertInto("portal_attempts")
    .values({ subject, count, window_ends_at })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ count, window_ends_at }))
    .execute();
};
const mailsTo = (email: string, subject: RegExp) =>
  mails.filter((mail) => mail.to === email && subject.test(mail.subject));

describe("wrong passwords", () => {
  test("block the network of the stranger, but not the owner's network", async () => {
    await signUp("ada@example.com");
    for (let attempt = 0; attempt < 10; attempt++) expect(await signIn(stranger, "Ada@example.com", wrong)).toBe(401);
    const refusal = await portal.visitor(stranger).send("POST", "/auth/sign-in", {
      email: "ada@example.com",
      password: testPassword,
    });
    expect(refusal.statusCode).toBe(429);
    expect(Number(refusal.headers["retry-after"])).toBeLessThanOrEqual(900);
    expect(await signIn(owner, "ada@example.com", testPassword)).toBe(204);
    clock.advance(Number(refusal.headers["retry-after"]) * 1000);
    expect(await signIn(stranger, "ada@example.com", testPassword)).toBe(204);
  });

  test("no longer count after a right password from the same network", async () => {
    await signUp("forgetful@example.com");
    for (const _ of [1, 2]) {
      for (let attempt = 0; attempt < 9; attempt++) await signIn(stranger, "forgetful@example.com", wrong);
      expect(await signIn(stranger, "forgetful@example.com", testPassword)).toBe(204);
    }
  });

  test("from many networks are limited for an account, and its known devices can still sign in", async () => {
    const knownDevice = await signUp("famous@example.com");
    await exhaust("sign-in of famous@example.com", 100);
    expect(await signIn("192.0.2.1", "famous@example.com", testPassword)).toBe(429);
    expect(await signIn(owner, "famous@example.com", testPassword)).toBe(429);
    expect(await signIn(owner, "famous@example.com", testPassword, knownDevice)).toBe(204);
  });

  test("from one network block the network for every account, except for known devices", async () => {
    const knownDevice = await signUp("neighbour@example.com");
    await exhaust(`sign-in from ${owner}`, 100);
    expect(await signIn(owner, "somebody@example.com", testPassword)).toBe(429);
    expect(await signIn(owner, "neighbour@example.com", testPassword, knownDevice)).toBe(204);
  });
});

describe("a known device", () => {
  const deviceOf = (cookie: string) => /__Host-beatmarket\.device=[^;]+/.exec(cookie)?.[0] ?? "";
  const tryWith = async (email: string, cookie: string) => {
    await exhaust(`sign-in of ${email}`, 100);
    const response = await portal
      .visitor(owner)
      .send("POST", "/auth/sign-in", { email, password: testPassword }, { cookie });
    return response.statusCode;
  };

  test("has a separate limit, so that a stolen device cannot guess without limit", async () => {
    const knownDevice = await signUp("stolen@example.com");
    for (let attempt = 0; attempt < 20; attempt++)
      expect(await signIn(stranger, "stolen@example.com", wrong, knownDevice)).toBe(401);
    expect(await signIn(stranger, "stolen@example.com", testPassword, knownDevice)).toBe(429);
  });

  test("is not recognized by a forged cookie, another account's cookie, or a cookie older than 90 days", async () => {
    const device = deviceOf((await signUp("target@example.com")).cookie());
    const other = deviceOf((await signUp("other@example.com")).cookie());
    const flipped = device.endsWith("A") ? "B" : "A";
    for (const cookie of ["", "__Host-beatmarket.device=1.2.3", device.slice(0, -1) + flipped, other])
      expect(await tryWith("target@example.com", cookie)).toBe(429);
    expect(await tryWith("target@example.com", device)).toBe(204);
    clock.advance(90 * 86_400_000);
    expect(await tryWith("target@example.com", device)).toBe(429);
  });

  test("is forgotten when the password changes, except for the browser that changed the password", async () => {
    const here = await signUp("changed@example.com");
    const former = deviceOf(here.cookie());
    const body = { current_password: testPassword, new_password: "another fine password" };
    expect((await here.send("POST", "/auth/change-password", body)).statusCode).toBe(204);
    expect(await tryWith("changed@example.com", former)).toBe(429);
    // The device is known and not limited, so this 401 is due to the password.
    expect(await tryWith("changed@example.com", deviceOf(here.cookie()))).toBe(401);
  });

  test("is created by a sign-in with a password, and the owner gets a mail about a new device", async () => {
    const email = "traveller@example.com";
    const knownDevice = await signUp(email);
    await signIn(owner, email, testPassword, knownDevice);
    expect(await signIn(stranger, email, testPassword)).toBe(204);
    await until(() => mailsTo(email, /new device/).length === 1);
    // Several new devices within ten minutes cause one mail.
    await signIn(stranger, email, testPassword);
    await signIn(owner, email, testPassword, knownDevice);
    clock.advance(600_000);
    await signIn(stranger, email, testPassword);
    await until(() => mailsTo(email, /new device/).length === 2);
  });
});

describe("a stranger who asks for new passwords", () => {
  test("cannot prevent the owner from getting a new password, and causes one mail in ten minutes", async () => {
    const email = "wanted@example.com";
    await signUp(email);
    const ask = async (address: string) =>
      (await portal.visitor(address).send("POST", "/auth/request-reset", { email })).statusCode;
    const statuses = [];
    for (let attempt = 0; attempt < 31; attempt++) statuses.push(await ask(stranger));
    expect(statuses).toEqual([...Array<number>(30).fill(202), 429]);
    expect(await ask(owner)).toBe(202);
    const first = await mailedToken(mails, email);
    clock.advance(600_000);
    expect(await ask(owner)).toBe(202);
    await until(() => mailsTo(email, /Choose a new/).length === 2);
    // The link of the first mail still works.
    const reset = { token: first, password: "the new password" };
    expect((await portal.visitor(owner).send("POST", "/auth/reset", reset)).statusCode).toBe(204);
    await until(() => mailsTo(email, /was changed/).length === 1);
  });

  test("cannot prevent a mail after a failure of the mail server: the next request sends a mail", async () => {
    const email = "unlucky@example.com";
    const tried: string[] = [];
    const { visitor, database } = await testPortal({
      clock,
      mailer: {
        send: async ({ to }) => {
          if (tried.push(to) === 1) throw new Error("the mail server is away");
        },
      },
    });
    await findOrCreateAccount(database.query, { email });
    const ask = () => visitor().send("POST", "/auth/request-reset", { email });
    const links = () => database.query.selectFrom("portal_mail_links").selectAll().execute();
    await ask();
    await until(async () => tried.length === 1 && (await links()).length === 0);
    await ask();
    await until(() => tried.length === 2);
    expect(await links()).toHaveLength(1);
  });
});

describe("a stranger who registers the addresses of others", () => {
  const register = async (address: string, email: string) =>
    (await portal.visitor(address).send("POST", "/auth/register", { email, name: "Eve", password: testPassword }))
      .statusCode;

  test("is limited for one mailbox, even with different labels in the address, and the owner can still register", async () => {
    const statuses = [];
    for (const email of ["eve", "eve+1", "eve+2", "Eve+3", "eve+4+5", "eve+6"].map((name) => `${name}@example.com`))
      statuses.push(await register(stranger, email));
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    expect(await register(stranger, "adam@example.com")).toBe(202);
    expect(await register(owner, "eve@example.com")).toBe(202);
  });

  test("from many networks sends at most twenty mails an hour to one mailbox", async () => {
    await exhaust("mails to box@example.com", 20);
    expect(await register(owner, "box+1@example.com")).toBe(429);
  });
});
