import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { changeSealingKey, openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../test/harness/api.ts";
import { mailedToken, type TestPortal, testPassword, testPortal } from "../../../test/harness/portal.ts";
import { listAudit } from "../../resources/audit/queries.ts";
import { findAccount, findOrCreateAccount } from "../../resources/users/accounts.ts";

let portal: TestPortal;
const clock = new FakeClock(Date.now());
const demoEmail = "demo@example.com";
beforeAll(async () => {
  portal = await testPortal({ clock, demoEmail });
});

/** Skips an hour, so that attempts of other tests from the same network no longer count. */
const later = () => clock.advance(3_600_000);

const events = async (type: string) =>
  portal.database.query.selectFrom("events").select("payload").where("type", "=", type).execute();
const registeredEvents = async (username: string) =>
  (await events("user.registered")).filter(({ payload }) => JSON.parse(payload).data.username === username);

const register = (email: string, name = "Ada", password = testPassword) =>
  portal.visitor().send("POST", "/auth/register", { email, name, password });

test("a session continues after a change of SECRET_KEY, and the next call signs its cookie with the new key", async () => {
  const settings = { dataDir: "/nonexistent", secretKey: "the new key", secretKeyPrevious: "the old key" };
  const secrets = await openSecretBox(settings);
  const { database, ...rolling } = await testPortal({ secrets });
  const visitor = await rolling.signUp();
  const oldCookie = visitor.cookie();
  const old = await testApi({ database, secrets: await openSecretBox({ ...settings, secretKey: "the old key" }) });
  const replaced = await testApi({
    database,
    secrets: await openSecretBox({ ...settings, secretKeyPrevious: undefined }),
  });
  const isSignedIn = async ({ request }: TestApi, cookie: string) =>
    (await request({ url: "/portal/api/session", headers: { cookie } })).json().account !== null;

  expect(await isSignedIn(old, oldCookie)).toBe(true);
  await changeSealingKey(database.query, secrets.keys.newest.id);
  await secrets.refresh(database.query);
  expect((await visitor.get("/session")).json().account).toMatchObject({ email: visitor.email });
  expect(visitor.cookie()).not.toBe(oldCookie);
  expect((await visitor.get("/session")).headers).not.toHaveProperty("set-cookie");
  expect(await isSignedIn(replaced, visitor.cookie())).toBe(true);
  expect(await isSignedIn(replaced, oldCookie)).toBe(false);
  expect((await visitor.send("POST", "/auth/sign-out")).statusCode).toBe(204);
  expect(await isSignedIn(replaced, visitor.cookie())).toBe(false);
});

describe("a registration", () => {
  test("creates only a link until it is confirmed", async () => {
    later();
    await register("pending@example.com");
    await mailedToken(portal.mails, "pending@example.com");
    expect(await findAccount(portal.database.query, "pending@example.com")).toBeNull();
  });

  test("creates the account, its marketplace user and one user.registered when confirmed, and signs in", async () => {
    later();
    const visitor = await portal.signUp("grace@example.com", "Grace Hopper");
    expect((await visitor.get("/session")).json().account).toEqual({
      user_id: visitor.userId,
      person_id: visitor.userId,
      time_zone: null,
      language: "en",
      organisation: null,
      organisations: [],
      name: "Grace Hopper",
      operator: false,
      email: "grace@example.com",
      session_ends_at: new Date(clock.nowMs() + 30 * 86_400_000).toISOString(),
      is_demo: false,
    });
    expect(await findAccount(portal.database.query, "GRACE@example.com")).toMatchObject({ id: visitor.userId });
    expect(await registeredEvents("grace-hopper")).toHaveLength(1);
    expect(await listAudit(portal.database.query, visitor.userId, { limit: 10 })).toEqual([
      expect.objectContaining({ action: "account.registered" }),
    ]);
  });

  test("writes nothing if the event cannot be written, and can be confirmed later", async () => {
    later();
    const email = "crash@example.com";
    await register(email, "Crash Test");
    const token = await mailedToken(portal.mails, email);
    await portal.database.driver.unsafe(`
      create function refuse_events() returns trigger language plpgsql as 'begin raise exception ''down''; end';
      create trigger refuse before insert on events for each row execute function refuse_events()`);
    const visitor = portal.visitor();
    const body = { token, password: testPassword };
    expect((await visitor.send("POST", "/auth/confirm", body)).statusCode).toBe(500);
    expect(await findAccount(portal.database.query, email)).toBeNull();
    const signIn = { email, password: testPassword };
    expect((await visitor.send("POST", "/auth/sign-in", signIn)).statusCode).toBe(401);
    await portal.database.driver.unsafe("drop trigger refuse on events; drop function refuse_events()");
    expect((await visitor.send("POST", "/auth/confirm", body)).statusCode).toBe(204);
    expect(await registeredEvents("crash-test")).toHaveLength(1);
  });

  test("cannot create an account without a marketplace user, because the database refuses it", async () => {
    await expect(
      portal.database.driver`
        insert into portal_users (id, name, email, email_verified, created_at, updated_at)
        values ('x', 'x', 'x@example.com', true, now(), now())`,
    ).rejects.toThrow(/user_id/);
  });

  test("is confirmed only once, even by concurrent requests", async () => {
    later();
    const email = "twice@example.com";
    await register(email);
    const body = { token: await mailedToken(portal.mails, email), password: testPassword };
    const responses = await Promise.all([1, 2, 3].map(() => portal.visitor().send("POST", "/auth/confirm", body)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400, 400]);
  });

  test("requires the password with the link, so that a stranger's password never becomes an account's", async () => {
    later();
    const email = "victim@example.com";
    await register(email, "Mallory", "a password of Mallory's");
    const token = await mailedToken(portal.mails, email);
    const response = await portal.visitor().send("POST", "/auth/confirm", { token, password: testPassword });
    expect(response.statusCode).toBe(401);
    expect(await findAccount(portal.database.query, email)).toBeNull();
  });

  test("keeps leading and trailing spaces of the password", async () => {
    later();
    const email = "spaces@example.com";
    await register(email, "Spaces", "  two spaces  ");
    const token = await mailedToken(portal.mails, email);
    const confirm = (password: string) => portal.visitor().send("POST", "/auth/confirm", { token, password });
    expect((await confirm("two spaces")).statusCode).toBe(401);
    expect((await confirm("  two spaces  ")).statusCode).toBe(204);
  });

  test("expires after a day", async () => {
    later();
    await register("late@example.com");
    const token = await mailedToken(portal.mails, "late@example.com");
    clock.advance(86_400_000);
    const response = await portal.visitor().send("POST", "/auth/confirm", { token, password: testPassword });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain("too old");
  });

  test.each([
    [{ name: "A", email: "not an address", password: testPassword }, "email"],
    [{ name: "A", email: "a@example.com", password: "too short" }, "password"],
    [{ name: " ", email: "a@example.com", password: testPassword }, "name"],
    [{ name: "A", email: "a@example.com", password: testPassword, admin: true }, "admin"],
  ])("is 400 for %j, with the field %s", async (body, field) => {
    later();
    const response = await portal.visitor().send("POST", "/auth/register", body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(field);
  });
});

describe("an account that the operator created", () => {
  test("is not opened by a stranger's registration of its address before the mailed link confirms it", async () => {
    later();
    const owner = await findOrCreateAccount(portal.database.query, { email: "cli@example.com", name: "By CLI" });
    const stranger = portal.visitor();
    await stranger.send("POST", "/auth/register", { email: "cli@example.com", name: "Eve", password: testPassword });
    const signIn = { email: "cli@example.com", password: testPassword };
    expect((await stranger.send("POST", "/auth/sign-in", signIn)).statusCode).toBe(401);

    const token = await mailedToken(portal.mails, "cli@example.com");
    await stranger.send("POST", "/auth/confirm", { token, password: testPassword });
    expect((await stranger.get("/session")).json().account.user_id).toBe(owner.id);
    expect(await registeredEvents("by-cli")).toHaveLength(1);
  });

  test("gets its first password by a link to its mailbox", async () => {
    later();
    const owner = await findOrCreateAccount(portal.database.query, { email: "claim@example.com", name: "Claimed" });
    const visitor = portal.visitor();
    await visitor.send("POST", "/auth/request-reset", { email: "claim@example.com" });
    const token = await mailedToken(portal.mails, "claim@example.com");
    expect((await visitor.send("POST", "/auth/reset", { token, password: testPassword })).statusCode).toBe(204);
    expect((await visitor.get("/session")).json().account).toMatchObject({ user_id: owner.id, name: "Claimed" });
  });
});

describe("no caller learns whether an address is registered", () => {
  test("from a registration, because its response is sent before the address is looked up", async () => {
    later();
    await portal.signUp("known@example.com");
    const responses = [await register("known@example.com"), await register("unknown@example.com")];
    const [known, unknown] = responses.map(({ statusCode, body }) => ({ statusCode, body }));
    expect(known).toEqual(unknown);
    await until(() => portal.mails.some(({ to, subject }) => to === "known@example.com" && /already/.test(subject)));
    await until(() => portal.mails.some(({ to }) => to === "unknown@example.com"));
  });

  test("from a sign-in, because it fails with the same response", async () => {
    later();
    const responses = await Promise.all(
      ["known@example.com", "nobody@example.com"].map((email) =>
        portal.visitor().send("POST", "/auth/sign-in", { email, password: "a wrong password" }),
      ),
    );
    const [known, unknown] = responses.map(({ statusCode, body }) => ({ statusCode, body }));
    expect(known).toEqual({ statusCode: 401, body: expect.stringContaining("or the password is wrong") });
    expect(known).toEqual(unknown);
  });

  test("from a reset, because its response is the same, and only a registered address gets a mail", async () => {
    later();
    const mailCount = portal.mails.length;
    const responses = [];
    for (const email of ["stranger@example.com", "known@example.com"])
      responses.push(await portal.visitor().send("POST", "/auth/request-reset", { email }));
    const [unknown, known] = responses.map(({ statusCode, body }) => ({ statusCode, body }));
    expect(known).toEqual(unknown);
    await until(() => portal.mails.length > mailCount);
    expect(portal.mails.slice(mailCount).map(({ to }) => to)).toEqual(["known@example.com"]);
  });

  test("from the limits, because they count the same for every address", async () => {
    for (const email of ["known@example.com", "nobody@example.com"]) {
      later();
      const statuses = [];
      for (let attempt = 0; attempt < 11; attempt++)
        statuses.push(
          (await portal.visitor().send("POST", "/auth/sign-in", { email, password: "a wrong password" })).statusCode,
        );
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    }
  });
});

describe("a session", () => {
  const sessionsOf = (email: string) =>
    portal.database.query
      .selectFrom("portal_sessions as session")
      .innerJoin("portal_users as person", "person.id", "session.user_id")
      .where("person.email", "=", email)
      .selectAll("session")
      .execute();

  /** Expects that the visitor is signed out, and that the cookie and the row of the session are removed. */
  async function expectEnded(visitor: ReturnType<typeof portal.visitor>, email: string): Promise<void> {
    const { json, headers } = await visitor.get("/session");
    expect(json().account).toBeNull();
    const cookies = [headers["set-cookie"]].flat();
    expect(cookies).toEqual([expect.stringMatching(/^__Host-beatmarket\.session_token=; Max-Age=0;/)]);
    expect(await sessionsOf(email)).toEqual([]);
  }

  test("has a cookie that scripts and other sites cannot use", async () => {
    later();
    await portal.signUp("cookie@example.com");
    const visitor = portal.visitor();
    const body = { email: "cookie@example.com", password: testPassword };
    const { headers } = await visitor.send("POST", "/auth/sign-in", body);
    const [session, device] = [headers["set-cookie"] ?? []].flat();
    expect(session).toMatch(
      /^__Host-beatmarket\.session_token=\S+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(device).toMatch(
      /^__Host-beatmarket\.device=\S+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test("is replaced at each sign-in, and the former one ends", async () => {
    later();
    const visitor = await portal.signUp("rotated@example.com");
    const former = visitor.cookie();
    await visitor.send("POST", "/auth/sign-in", { email: "rotated@example.com", password: testPassword });
    expect(visitor.cookie()).not.toBe(former);
    const replayed = await portal.visitor().send("POST", "/auth/sign-out", undefined, { cookie: former });
    expect(replayed.statusCode).toBe(401);
  });

  test("of another account ends when a mailed link opens an account", async () => {
    later();
    const visitor = await portal.signUp("before@example.com");
    const former = visitor.cookie();
    await register("after@example.com");
    const token = await mailedToken(portal.mails, "after@example.com");
    await visitor.send("POST", "/auth/confirm", { token, password: testPassword });
    expect((await visitor.get("/session")).json().account.email).toBe("after@example.com");
    expect((await portal.visitor().send("POST", "/auth/sign-out", undefined, { cookie: former })).statusCode).toBe(401);
  });

  test("ends with sign-out, also on the server", async () => {
    later();
    const visitor = await portal.signUp("leaving@example.com");
    const former = visitor.cookie();
    expect((await visitor.send("POST", "/auth/sign-out")).statusCode).toBe(204);
    expect(visitor.cookie()).not.toContain("session_token=");
    expect((await portal.visitor().send("POST", "/auth/sign-out", undefined, { cookie: former })).statusCode).toBe(401);
  });

  test("ends 30 days after its sign-in, even if it is used", async () => {
    later();
    const visitor = await portal.signUp("faithful@example.com");
    const isSignedIn = async () => (await visitor.get("/session")).json().account !== null;
    for (let day = 6; day < 30; day += 6) {
      clock.advance(6 * 86_400_000);
      expect(await isSignedIn()).toBe(true);
    }
    clock.advance(6 * 86_400_000 - 1);
    expect(await isSignedIn()).toBe(true);
    clock.advance(1);
    await expectEnded(visitor, "faithful@example.com");
  });

  test("ends after seven days without use", async () => {
    later();
    const visitor = await portal.signUp("absent@example.com");
    clock.advance(7 * 86_400_000 - 1);
    expect((await visitor.get("/session")).json().account).not.toBeNull();
    const idleEnd = new Date(clock.nowMs() + 7 * 86_400_000);
    expect(await sessionsOf("absent@example.com")).toMatchObject([{ expires_at: idleEnd }]);
    clock.advance(7 * 86_400_000);
    await expectEnded(visitor, "absent@example.com");
  });

  test("ends when 500 other sessions of its account were used later", async () => {
    later();
    const visitor = await portal.signUp("busy@example.com");
    const now = new Date(clock.nowMs());
    await portal.database.driver`
      insert into portal_sessions (id, user_id, token, expires_at, created_at, updated_at)
      select 'busy' || n, u.id, 'busy' || n, ${now}::timestamptz + interval '1 day', ${now}, ${now}::timestamptz + interval '1 minute'
      from portal_users u, generate_series(1, 500) n where u.email = 'busy@example.com'`;
    await portal.visitor().send("POST", "/auth/sign-in", { email: "busy@example.com", password: testPassword });
    const [{ count }] = await portal.database.driver`
      select count(*)::int as count from portal_sessions s join portal_users u on u.id = s.user_id
      where u.email = 'busy@example.com'`;
    expect(count).toBe(500);
    expect((await visitor.get("/session")).json().account).toBeNull();
  });

  test("is refused with a forged cookie", async () => {
    const cookie = "__Host-beatmarket.session_token=forged.AAAA";
    expect((await portal.visitor().send("POST", "/auth/sign-out", undefined, { cookie })).statusCode).toBe(401);
  });
});

describe("a changed password", () => {
  test("ends every session except the present one, replaces the former password, and is recorded in the log", async () => {
    later();
    const here = await portal.signUp("changing@example.com");
    const elsewhere = portal.visitor();
    await elsewhere.send("POST", "/auth/sign-in", { email: "changing@example.com", password: testPassword });
    const body = { current_password: testPassword, new_password: "another fine password" };
    expect((await here.send("POST", "/auth/change-password", body)).statusCode).toBe(204);
    expect((await elsewhere.get("/session")).json().account).toBeNull();
    expect((await here.get("/session")).json().account.email).toBe("changing@example.com");
    const [entry] = await listAudit(portal.database.query, here.userId, { limit: 1 });
    expect(entry?.action).toBe("account.password_changed");
    const signIn = (password: string) =>
      portal.visitor().send("POST", "/auth/sign-in", { email: "changing@example.com", password });
    expect((await signIn(testPassword)).statusCode).toBe(401);
    expect((await signIn("another fine password")).statusCode).toBe(204);
  });

  test("revokes the mailed links that reset the password", async () => {
    later();
    const email = "careful@example.com";
    const visitor = await portal.signUp(email);
    const mailCount = portal.mails.length;
    await portal.visitor().send("POST", "/auth/request-reset", { email });
    await until(() => portal.mails.length > mailCount);
    const token = await mailedToken(portal.mails, email);
    const body = { current_password: testPassword, new_password: "another fine password" };
    expect((await visitor.send("POST", "/auth/change-password", body)).statusCode).toBe(204);
    const reset = { token, password: "the password of the link's holder" };
    expect((await portal.visitor().send("POST", "/auth/reset", reset)).statusCode).toBe(400);
  });

  test("requires the current password", async () => {
    later();
    const visitor = await portal.signUp("wrong@example.com");
    const body = { current_password: "not the current one", new_password: "another fine password" };
    expect((await visitor.send("POST", "/auth/change-password", body)).statusCode).toBe(401);
  });
});

describe("a reset password", () => {
  test("ends every session, and requires a link that works once within an hour", async () => {
    later();
    const email = "forgot@example.com";
    const before = await portal.signUp(email);
    const visitor = portal.visitor();
    await visitor.send("POST", "/auth/request-reset", { email });
    await until(() => portal.mails.some(({ to, subject }) => to === email && /new password/.test(subject)));
    const token = await mailedToken(portal.mails, email);
    const reset = () => visitor.send("POST", "/auth/reset", { token, password: "the new password" });
    expect((await reset()).statusCode).toBe(204);
    expect((await before.get("/session")).json().account).toBeNull();
    expect((await reset()).statusCode).toBe(400);

    const mailCount = portal.mails.length;
    await visitor.send("POST", "/auth/request-reset", { email });
    await until(() => portal.mails.length > mailCount);
    clock.advance(3_600_000);
    const late = { token: await mailedToken(portal.mails, email), password: "the new password" };
    expect((await visitor.send("POST", "/auth/reset", late)).statusCode).toBe(400);
  });
});

describe("the demo account", () => {
  test("opens for concurrent visitors on its first use", async () => {
    const fresh = await testPortal({ clock, demoEmail });
    const responses = await Promise.all([1, 2, 3, 4].map(() => fresh.visitor().send("POST", "/auth/demo")));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204]);
  });

  test("opens with one click, and has no password that a visitor could change", async () => {
    later();
    const visitor = portal.visitor();
    expect((await visitor.send("POST", "/auth/demo")).statusCode).toBe(204);
    expect((await visitor.get("/session")).json().account).toMatchObject({ email: demoEmail, is_demo: true });
    const body = { current_password: "whatever it is", new_password: "another fine password" };
    expect((await visitor.send("POST", "/auth/change-password", body)).statusCode).toBe(409);
  });

  test("does not exist outside demo mode", async () => {
    const { visitor } = await testPortal();
    expect((await visitor().send("POST", "/auth/demo")).statusCode).toBe(404);
    expect((await visitor().get("/session")).json()).toMatchObject({ offers_demo: false, payments: "sandbox" });
  });
});

describe("a data folder outside of the default place", () => {
  const dataDir = "/srv/beats/data";
  const samplesOf = async (api: TestApi): Promise<string[]> => {
    const { paths } = (await api.request({ url: "/openapi.json" })).json();
    return paths["/beats"].get["x-codeSamples"].map(({ source }: { source: string }) => source);
  };

  test("is shown to callers on this machine, in the samples of every language", async () => {
    const { api, visitor } = await testPortal({ dataDir });
    expect((await visitor().get("/session")).json().ca_file).toBe("/srv/beats/data/tls/ca.pem");
    const samples = await samplesOf(api);
    expect(samples).toHaveLength(6);
    for (const sample of samples) expect(sample).toContain("/srv/beats/data/tls/ca.pem");
    expect((await portal.visitor().get("/session")).json().ca_file).toBe(".data/tls/ca.pem");
  });

  test("is not shown if other machines reach the service", async () => {
    const { api, visitor } = await testPortal({ dataDir, host: "0.0.0.0" });
    expect((await visitor().get("/session")).json().ca_file).toBe("ca.pem");
    expect((await api.request({ url: "/openapi.json" })).body).not.toContain("/srv/beats");
  });
});

describe("a change", () => {
  test.each([
    ["another site", { origin: "https://evil.example" }],
    ["a page without an origin", { origin: "null" }],
    ["plain HTTP", { origin: "http://localhost:8443" }],
  ])("that comes from %s is 403", async (_, headers) => {
    expect((await portal.visitor().send("POST", "/auth/demo", undefined, headers)).statusCode).toBe(403);
  });

  test("is accepted from the address of the open page, even if PUBLIC_URL is another address", async () => {
    later();
    const headers = { origin: "https://127.0.0.1:8443", host: "127.0.0.1:8443" };
    expect((await portal.visitor().send("POST", "/auth/demo", undefined, headers)).statusCode).toBe(204);
  });

  test("is 401 without a session, 405 with an unknown method, and 404 at an unknown path", async () => {
    const visitor = portal.visitor();
    expect((await visitor.send("POST", "/auth/sign-out")).statusCode).toBe(401);
    const other = await visitor.send("DELETE", "/session");
    expect(other.statusCode).toBe(405);
    expect(other.headers.allow).toBe("GET, HEAD");
    expect((await visitor.get("/nowhere")).statusCode).toBe(404);
  });
});
