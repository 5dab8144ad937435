import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { TestAuthenticator } from "../../../../test/harness/authenticator.ts";
import { type SignedInVisitor, testPortal, type Visitor } from "../../../../test/harness/portal.ts";
import { listAudit } from "../../../resources/audit/queries.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock, demoEmail: "demo@example.com" });
const elsewhere = "https://beats.example";

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const offer = async (visitor: Visitor): Promise<string> =>
  (await visitor.send("POST", "/account/passkeys/offers")).json().challenge;
const challenge = async (visitor: Visitor): Promise<string> =>
  (await visitor.send("POST", "/auth/passkey/challenges")).json().challenge;
const add = async (visitor: Visitor, authenticator: TestAuthenticator, name = "Laptop") =>
  visitor.send("POST", "/account/passkeys", { name, ...authenticator.create(await offer(visitor)) });
const listPasskeys = async (visitor: Visitor) => (await visitor.get("/account/security")).json().passkeys;
const signIn = async (visitor: Visitor, authenticator: TestAuthenticator) =>
  visitor.send("POST", "/auth/passkey", authenticator.sign(await challenge(visitor)));
async function withPasskey(): Promise<{ owner: SignedInVisitor; authenticator: TestAuthenticator }> {
  const owner = await portal.signUp();
  const authenticator = new TestAuthenticator();
  expect((await add(owner, authenticator)).statusCode).toBe(204);
  return { owner, authenticator };
}

test("a person adds a passkey, names it, and signs in with it on another device without a password", async () => {
  const { owner, authenticator } = await withPasskey();
  await until(() => portal.mails.some(({ to, subject }) => to === owner.email && subject === "A passkey was added"));
  const [{ id, name, last_used_at }] = await listPasskeys(owner);
  expect([name, last_used_at]).toEqual(["Laptop", null]);
  expect((await owner.send("PATCH", `/account/passkeys/${id}`, { name: "My laptop" })).statusCode).toBe(204);

  const other = portal.visitor("203.0.113.9");
  expect((await signIn(other, authenticator)).statusCode).toBe(204);
  expect((await other.get("/session")).json().account.email).toBe(owner.email);
  expect((await listPasskeys(owner))[0]).toMatchObject({ name: "My laptop", last_used_at: clock.now().toISOString() });
  const [entry] = await listAudit(portal.database.query, owner.userId, { limit: 1 });
  expect(entry).toMatchObject({ action: "account.signed_in_on_new_device", subject: "with the passkey My laptop" });
  await until(() => portal.mails.some(({ to, subject }) => to === owner.email && /new device/.test(subject)));
});

test("a sign-in with a passkey is a step-up, which the removal of a passkey requires", async () => {
  const { owner, authenticator } = await withPasskey();
  const visitor = portal.visitor();
  await signIn(visitor, authenticator);
  const [{ id }] = await listPasskeys(visitor);
  clock.advance(15 * 60_000 + 1);
  expect((await visitor.send("DELETE", `/account/passkeys/${id}`)).statusCode).toBe(403);
  expect((await signIn(visitor, authenticator)).statusCode).toBe(204);
  expect((await visitor.send("DELETE", `/account/passkeys/${id}`)).statusCode).toBe(204);
  expect(await listPasskeys(owner)).toEqual([]);
  expect((await signIn(visitor, authenticator)).statusCode).toBe(401);
  await until(() => portal.mails.some(({ to, subject }) => to === owner.email && subject === "A passkey was removed"));
});

describe("a sign-in is refused", () => {
  test.each<[string, (authenticator: TestAuthenticator, asked: string) => object]>([
    ["without the user's verification", (authenticator, asked) => authenticator.sign(asked, { isUserVerified: false })],
    ["from another origin", (authenticator, asked) => authenticator.sign(asked, { origin: elsewhere })],
    ["for another host", (authenticator, asked) => authenticator.sign(asked, { rpId: "beats.example" })],
    ["for a made-up challenge", (authenticator) => authenticator.sign(Buffer.alloc(36, 7).toString("base64url"))],
    [
      "with another's credential",
      (authenticator, asked) => ({ ...new TestAuthenticator().sign(asked), credential: authenticator.credential }),
    ],
    ["with an unknown credential", (_, asked) => new TestAuthenticator().sign(asked)],
    [
      "with invalid bytes",
      (authenticator) => ({ ...authenticator.sign("x"), client_data: "AAAA", authenticator_data: "AAAA" }),
    ],
  ])("%s", async (_what, sign) => {
    const { authenticator } = await withPasskey();
    const visitor = portal.visitor();
    const response = await visitor.send("POST", "/auth/passkey", sign(authenticator, await challenge(visitor)));
    expect(response.statusCode).toBe(401);
    expect((await visitor.get("/session")).json().account).toBeNull();
  });

  test("for a challenge that was used, is older than ten minutes, or was issued for a new passkey", async () => {
    const { owner, authenticator } = await withPasskey();
    const visitor = portal.visitor();
    const send = (asked: string) => visitor.send("POST", "/auth/passkey", authenticator.sign(asked));
    const [first, second] = [await challenge(visitor), await challenge(visitor)];
    expect((await send(first)).statusCode).toBe(204);
    expect((await send(first)).statusCode).toBe(401);
    expect((await send(await offer(owner))).statusCode).toBe(401);
    clock.advance(600_000);
    expect((await send(second)).statusCode).toBe(401);
  });

  test("with a counter that decreases, which indicates a copied credential", async () => {
    const { authenticator } = await withPasskey();
    const visitor = portal.visitor();
    const early = authenticator.sign(await challenge(visitor));
    expect((await signIn(visitor, authenticator)).statusCode).toBe(204);
    expect((await visitor.send("POST", "/auth/passkey", early)).statusCode).toBe(401);
  });

  test("after 100 attempts of a network in a quarter of an hour", async () => {
    const visitor = portal.visitor("192.0.2.77");
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 101; attempt++)
      statuses.add((await visitor.send("POST", "/auth/passkey/challenges")).statusCode);
    expect([...statuses]).toEqual([200, 429]);
  });
});

describe("a new passkey is refused", () => {
  test("for another account's offer, without user verification, from another origin, and if an account has it already", async () => {
    const [ada, eve] = [await portal.signUp(), await portal.signUp()];
    const authenticator = new TestAuthenticator();
    const send = async (credential: object) =>
      (await eve.send("POST", "/account/passkeys", { name: "x", ...credential })).statusCode;
    expect(await send(authenticator.create(await offer(ada)))).toBe(400);
    expect(await send(authenticator.create(await offer(eve), { isUserVerified: false }))).toBe(400);
    expect(await send(authenticator.create(await offer(eve), { origin: elsewhere }))).toBe(400);
    expect((await add(ada, authenticator)).statusCode).toBe(204);
    expect((await add(eve, authenticator)).statusCode).toBe(409);
    expect((await eve.send("POST", "/account/passkeys/offers")).json().exclude).toEqual([]);
    expect((await ada.send("POST", "/account/passkeys/offers")).json().exclude).toEqual([authenticator.credential]);
  });

  test("above twenty passkeys, and for the demo account", async () => {
    const { owner } = await withPasskey();
    await portal.database.driver`
      insert into portal_passkeys (account_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
      select account_id, credential_id || n, public_key, 0, transports, name, false, now()
      from portal_passkeys, generate_series(1, 19) n
      where account_id = (select id from portal_users where email = ${owner.email})`;
    expect((await owner.send("POST", "/account/passkeys/offers")).statusCode).toBe(409);
    const demo = portal.visitor();
    await demo.send("POST", "/auth/demo");
    expect((await demo.send("POST", "/account/passkeys/offers")).statusCode).toBe(409);
  });
});

test("passkeys are refused at an IP address, because browsers bind passkeys only to host names", async () => {
  const visitor = portal.visitor();
  const headers = { host: "127.0.0.1:8443", origin: "https://127.0.0.1:8443" };
  const response = await visitor.send("POST", "/auth/passkey/challenges", undefined, headers);
  expect(response.statusCode).toBe(400);
  expect(response.json().error.details).toContain("https://localhost:8443");
});
