import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { makeKey, rotateKey, type SignedInVisitor, testPassword, testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock, demoEmail: "demo@example.com" });
const { driver, query } = portal.database;
const permissions = ["beats:read", "orders:write", "orders:read"];

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const wasMailed = (email: string, subject: string) =>
  until(() => portal.mails.some((mail) => mail.to === email && mail.subject === subject));
const erase = (visitor: SignedInVisitor, email = visitor.email) => visitor.send("POST", "/account/erasure", { email });
const issueKey = async (visitor: SignedInVisitor): Promise<string> =>
  (await makeKey(visitor, { name: "Ada's laptop", permissions })).json().key;
const order = (key: string, beatId: number) =>
  portal.api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${key}` },
    payload: { beat_id: beatId, payment_method: "pm_card_visa" },
  });

/** Creates an account with data of every kind. */
async function accountWithData(
  email: string,
): Promise<{ owner: SignedInVisitor; key: string; beatId: number; orderId: number }> {
  const owner = await portal.signUp(email, "Ada Lovelace");
  const key = await issueKey(owner);
  await owner.send("POST", "/webhooks/endpoints", { url: "https://ada.example/hook", event_types: null });
  await owner.send("PATCH", "/account/profile", { bio: "I am Ada.", website: "https://ada.example" });
  const [others = 0, beatId = 0] = await insertBeats(portal.database, [{}, { title: "Engine" }]);
  await driver`update beats set user_id = ${owner.userId} where id = ${beatId}`;
  const orderId = (await order(key, others)).json().data.order.id;
  return { owner, key, beatId, orderId };
}

let ada: Awaited<ReturnType<typeof accountWithData>>;
beforeAll(async () => {
  ada = await accountWithData("ada@example.com");
});

describe("an export", () => {
  const take = async (visitor: SignedInVisitor) => {
    const { origin } = new URL("https://localhost:8443");
    const headers = { origin, cookie: visitor.cookie() };
    return portal.api.request({ method: "POST", url: "/portal/api/account/export", headers });
  };

  test("contains all data of the account, no data of others and no secret", async () => {
    const { owner, key, beatId, orderId } = ada;
    await portal.signUp("stranger@example.com");
    await owner.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
    const response = await take(owner);
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-disposition"]).toContain("attachment");
    const data = response.json();
    expect(data).toMatchObject({
      account: { email: owner.email, sessions: [expect.objectContaining({ ip_address: "127.0.0.1" })] },
      profile: [{ id: owner.userId, bio: "I am Ada." }],
      api_keys: [{ name: "Ada's laptop" }],
      webhook_endpoints: [{ url: "https://ada.example/hook" }],
      beats: [{ beat: expect.objectContaining({ id: beatId, title: "Engine" }) }],
      orders: [{ id: orderId }],
    });
    expect(data.security_log.at(-1).action).toBe("account.exported");
    for (const secret of [key, "whsec_", "sha256", "stranger@example.com"]) expect(response.body).not.toContain(secret);
    await wasMailed(owner.email, "Your data were exported");
  });

  test("requires a sign-in in the last 15 minutes, is rate-limited, and is refused for the demo account", async () => {
    const { owner } = ada;
    clock.advance(16 * 60_000);
    expect((await take(owner)).statusCode).toBe(403);
    await owner.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await take(owner)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const demo = portal.visitor();
    await demo.send("POST", "/auth/demo");
    expect((await take(demo as SignedInVisitor)).statusCode).toBe(409);
  });
});

describe("the erasure of an account", () => {
  test("ends every access, removes the name from profile and orders, and leaves the address only in tables with a retention period", async () => {
    const { owner, key, beatId, orderId } = await accountWithData("grace@example.com");
    const other = portal.visitor();
    await other.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
    const response = await erase(owner);
    expect(response.statusCode).toBe(204);

    expect((await owner.get("/session")).json().account).toBeNull();
    expect((await other.get("/session")).json().account).toBeNull();
    const signIn = { email: owner.email, password: testPassword };
    expect((await portal.visitor().send("POST", "/auth/sign-in", signIn)).statusCode).toBe(401);
    clock.advance(2_000);
    await until(async () => (await portal.api.get("/v1/beats", { key })).statusCode === 401);
    expect((await portal.api.get(`/v1/beats/${beatId}`)).json().data?.beat?.available ?? false).toBe(false);
    expect((await portal.api.get(`/v1/users/${owner.userId}`)).json().data.user).toMatchObject({
      username: `deleted_${owner.userId}`,
      display_name: "Deleted account",
      bio: null,
      website: null,
      is_producer: false,
    });
    const [order] = await driver`select buyer_name, status from orders where id = ${orderId}`;
    expect(order).toEqual({ buyer_name: "Deleted account", status: "completed" });
    const events = await query.selectFrom("events").select("payload").where("type", "=", "user.updated").execute();
    expect(events.map(({ payload }) => JSON.parse(payload).data.username)).toContain(`deleted_${owner.userId}`);

    const tables = await driver<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`;
    // Rows of these tables are retained until their rate-limit window or retention period ends (docs/privacy.md).
    const retainedTables = [
      "portal_attempts",
      "events",
      "event_batches",
      "catalogue_changes",
      "licenses",
      "request_log_blocks",
    ];
    for (const { name } of tables.filter((table) => !retainedTables.includes(table.name))) {
      const rows = await driver.unsafe(`select to_jsonb(t)::text as row from ${name} t`);
      const text = rows.map(({ row }) => row).join("\n");
      expect(text.includes(owner.email), `${name} has the address`).toBe(false);
    }
    const [erased, ...rest] = await query
      .selectFrom("audit_entries")
      .select(["action", "client_address"])
      .where("user_id", "=", owner.userId)
      .execute();
    expect([erased, rest]).toEqual([{ action: "account.erased", client_address: null }, []]);
    await wasMailed(owner.email, "Your account was deleted");
    const again = await portal.visitor().send("POST", "/auth/register", { ...signIn, name: "Grace" });
    expect(again.statusCode).toBe(202);
  });

  test("deletes saved views and open claims, and removes the names of uploads and of claimed producers", async () => {
    const owner = await portal.signUp("mary@example.com", "Mary");
    await owner.send("POST", "/calls/views", { name: "Mary's orders", query: "path=mary" });
    const employer = await portal.signUp("employer@example.com", "Employer");
    const [organisation] = await driver`
      insert into users (username, display_name, organisation) values ('works', 'Works', true) returning id`;
    const [producer] = await driver`
      insert into users (username, display_name, import_name, joined_user_id)
      values ('mary-beats', 'Mary Beats', 'mary beats', ${owner.userId}) returning id`;
    await driver`
      insert into saved_views (user_id, person_id, name, query, created_at)
      values (${organisation?.id}, ${owner.userId}, 'of Mary', 'path=mary', now()),
        (${organisation?.id}, ${employer.userId}, 'of the employer', 'path=employer', now())`;
    await driver`
      insert into producer_claims (producer_id, email, token_sha256, created_at, expires_at)
      values (${employer.userId}, ${owner.email}, ${Buffer.alloc(32)}, now(), now())`;
    await driver`
      insert into uploads (id, user_id, kind, filename, bytes, created_at, expires_at)
      values ('mary', ${owner.userId}, 'audio', 'mary.wav', 1, now(), now())`;

    expect((await erase(owner)).statusCode).toBe(204);
    const left = await driver`select name from saved_views where query in ('path=mary', 'path=employer')`;
    expect(left.map(({ name }) => name)).toEqual(["of the employer"]);
    expect(await driver`select id from producer_claims where email = ${owner.email}`).toEqual([]);
    const [upload] = await driver`select filename from uploads where user_id = ${owner.userId}`;
    expect(upload).toEqual({ filename: "erased" });
    const [joined] = await driver`select username, display_name from users where id = ${producer?.id}`;
    expect(joined).toEqual({ username: `deleted_${producer?.id}`, display_name: "Deleted account" });
  });

  test("requires the account's address, and is refused for the demo account", async () => {
    const owner = await portal.signUp();
    expect((await erase(owner, "somebody@example.com")).statusCode).toBe(400);
    const demo = portal.visitor();
    await demo.send("POST", "/auth/demo");
    expect((await demo.send("POST", "/account/erasure", { email: "demo@example.com" })).statusCode).toBe(409);
    expect((await owner.get("/session")).json().account).not.toBeNull();
  });

  test("is refused while an order is being paid or an exclusive license is reserved", async () => {
    const { owner, key, beatId, orderId } = await accountWithData("whole@example.com");
    await driver`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
        payment_method, payment_provider, payment_key, created_at)
      select user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
        payment_method, payment_provider, 'pending one', created_at from orders where id = ${orderId}`;
    expect((await erase(owner)).statusCode).toBe(409);
    await driver`update orders set status = 'failed', failure_reason = 'declined' where payment_key = 'pending one'`;
    await driver`
      update beats set exclusive_state = 'held', exclusive_order_id = ${orderId},
        exclusive_held_until = ${new Date(clock.nowMs() + 60_000)} where id = ${beatId}`;
    expect((await erase(owner)).statusCode).toBe(409);
    expect((await owner.get("/session")).json().account.email).toBe(owner.email);
    expect((await portal.api.get("/v1/beats", { key })).statusCode).toBe(200);
  });
});

test("the owner gets a mail about a key that a new device creates or rotates, but not about a known device's key", async () => {
  const { owner } = ada;
  const before = portal.mails.length;
  await issueKey(owner);
  const stranger = portal.visitor("203.0.113.9");
  await stranger.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
  // A second sign-in does not turn the stranger's browser into a known device.
  await stranger.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
  await issueKey({ ...owner, ...stranger });
  for (const rotating of [owner, stranger]) {
    const [{ id }] = (await owner.get("/keys")).json().keys;
    await rotateKey(rotating, id, 1);
  }
  const sentMails = () =>
    portal.mails.slice(before).filter(({ subject }) => subject === "A new device made an API key");
  await expect.poll(() => sentMails().length).toBe(2);
});
