import { randomUUID } from "node:crypto";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { publicUrl } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { placeTestOrder } from "../../../test/harness/database/place-order.ts";
import {
  makeKey,
  type SignedInVisitor,
  type TestPortal,
  testPassword,
  testPortal,
  type Visitor,
} from "../../../test/harness/portal.ts";
import { sha256 } from "../../resources/api-keys/key-format.ts";
import { markOperator, suspendAccount } from "../../resources/users/standing.ts";
import { stepUpChallenge } from "../step-up.ts";
import { rejectsFile } from "./import-routes.ts";
import { adminRoutes } from "./routes.ts";

const clock = new FakeClock(Date.parse("2026-11-20T12:00:00Z"));
let portal: TestPortal;
let olga: SignedInVisitor;
let ada: SignedInVisitor;
/** Several operators, because an operator has only ten recovery codes and each sign-in uses one. */
let eve: SignedInVisitor;
let eva: SignedInVisitor;
let adasKey: { id: number; key: string; ends_with: string };
let beat = 0;
beforeAll(async () => {
  portal = await testPortal({ clock });
  olga = await portal.signUp("olga@example.com", "Olga Operator", "192.0.2.7");
  ada = await portal.signUp("ada@example.com", "Ada Abuser");
  await markOperator(portal.database.query, olga.email, true, byCommand());
  await olga.addAuthenticator();
  eve = await portal.signUp("eve@example.com", "Eve Operator", "192.0.2.7");
  await markOperator(portal.database.query, eve.email, true, byCommand());
  await eve.addAuthenticator();
  eva = await portal.signUp("eva@example.com", "Eva Operator", "192.0.2.7");
  await markOperator(portal.database.query, eva.email, true, byCommand());
  await eva.addAuthenticator();
  adasKey = (await makeKey(ada, { name: "Scraper", permissions: ["genres:read"] })).json();
  [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2990 }]);
});

const byCommand = () => ({ author: "operator", now: new Date(clock.nowMs()) }) as const;
const call = (key: string) => portal.api.get("/v1/genres", { key });
/** Lets the cached look-ups of keys expire after half a second. */
const halfASecond = () => clock.advance(501);
const auditOf = async (query = "") => (await olga.get(`/admin/audit${query}`)).json().entries;

describe("an account that is not an operator's", () => {
  const routes = [...adminRoutes({ payouts: {}, overview: {} } as never), rejectsFile].map(
    ({ method, path }) => [method, path.replace(/:\w+/, "1")] as const,
  );

  test.each([...routes])("404 for %s %s, as for a path that does not exist", async (method, path) => {
    const ask = (visitor: Visitor, to: string) =>
      portal.api.request({
        method: method as "GET",
        url: `/portal/api${to}`,
        headers: { origin: publicUrl, cookie: visitor.cookie() },
        ...(method !== "GET" && { payload: {} }),
      });
    const withoutPath = ({ body }: { body: string }) => body.replaceAll(/portal\/api\/[^.]*/g, "");
    for (const visitor of [portal.visitor(), ada]) {
      const [refused, unknown] = [await ask(visitor, path), await ask(visitor, "/nowhere")];
      expect([refused.statusCode, withoutPath(refused)]).toEqual([404, withoutPath(unknown)]);
      expect(refused.headers["www-authenticate"]).toBeUndefined();
    }
    const wrongMethod = await portal.api.request({
      method: "PATCH",
      url: `/portal/api${path}`,
      headers: { origin: publicUrl, cookie: ada.cookie() },
      payload: {},
    });
    expect([wrongMethod.statusCode, wrongMethod.headers.allow]).toEqual([404, undefined]);
  });

  test("an operator who loses the operator flag gets 404 immediately, and is signed out by a suspension", async () => {
    const former = await portal.signUp("former@example.com");
    await markOperator(portal.database.query, former.email, true, byCommand());
    expect((await former.get("/session")).json().account.operator).toBe(true);
    expect((await former.get("/admin/accounts")).statusCode).toBe(200);
    await markOperator(portal.database.query, former.email, false, byCommand());
    expect((await former.get("/admin/accounts")).statusCode).toBe(404);
    expect((await former.get("/session")).json().account.operator).toBe(false);
    await suspendAccount(
      portal.database.query,
      { email: former.email },
      { reason: "Left.", ...byCommand() },
      async () => {},
    );
    expect((await former.get("/session")).json().account).toBeNull();
  });
});

describe("a request that moves money", () => {
  const paths = ["/admin/orders/999999/refunds", "/admin/keys/999999/plan"] as const;
  const ask = (visitor: Visitor, path: string) =>
    visitor.send("POST", path, path.endsWith("plan") ? { plan: "plus", reason: "x" } : { amount: null, reason: "x" });

  test.each(paths)("%s is refused to an operator without a second factor, with the remedy", async (path) => {
    const operator = await portal.signUp();
    await markOperator(portal.database.query, operator.email, true, byCommand());
    const refusal = await ask(operator, path);
    expect(refusal.statusCode).toBe(403);
    expect(refusal.headers["www-authenticate"]).toBeUndefined();
    expect(refusal.json().error.details).toContain("Add an authenticator app or a passkey under Account");
    // The session began with only the password. Adding a factor does not count as a sign-in with the factor.
    await operator.addAuthenticator();
    const visitor: Visitor = { ...operator, ...portal.visitor() };
    const code = operator.nextCode();
    await visitor.send("POST", "/auth/sign-in", { email: operator.email, password: testPassword, code });
    expect((await ask(visitor, path)).statusCode).toBe(404);
    await portal.database.driver`update portal_sessions set second_factor = false`;
    const staleRefusal = await ask(visitor, path);
    expect([staleRefusal.statusCode, staleRefusal.headers["www-authenticate"]]).toEqual([403, stepUpChallenge]);
    expect(staleRefusal.json().error.details).toContain("with the code of your authenticator or with a passkey");
    expect((await ask(operator, path)).statusCode).toBe(404);
  });
});

test.each(
  adminRoutes({ payouts: {}, overview: {} } as never)
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }, index) => [method, path, index] as const),
)("%s %s needs a sign-in of the last 15 minutes", async (_method, path, index) => {
  const visitor = portal.visitor("192.0.2.7");
  const { email, nextCode } = index % 2 === 0 ? eve : eva;
  await visitor.send("POST", "/auth/sign-in", { email, password: testPassword, code: nextCode() });
  clock.advance(15 * 60_000 + 1);
  const bodies: Record<string, object> = {
    suspend: { reason: "x" },
    unsuspend: { reason: "x" },
    plan: { plan: "plus", reason: "x" },
    revoke: { reason: "x" },
    refunds: { amount: null, reason: "x" },
    enable: { replay: false },
    disable: { reason: "x" },
    takedown: { reason: "x", withdraw_files: false },
    restore: { reason: "x" },
    notice: {},
    uphold: { reason: "x", withdraw_files: false },
    reject: { reason: "x" },
    refuse: { response: "x" },
    "payout-runs": { method: "csv" },
    failed: { reason: "x" },
    commission: { basis_points: null, reason: "x" },
  };
  const name = path.split("/").at(-1) ?? "";
  const refusal = await visitor.send("POST", path.replace(/:\w+/, "1"), bodies[name]);
  expect([refusal.statusCode, refusal.headers["www-authenticate"]]).toEqual([403, stepUpChallenge]);
});

describe("accounts", () => {
  const search = async (q: string) =>
    (await olga.get(`/admin/accounts?q=${encodeURIComponent(q)}`))
      .json()
      .accounts.map((account: { email: string }) => account.email);

  test("are found by id, address, name, and the end or SHA-256 of a key; imported producers are not listed", async () => {
    for (const q of [
      String(ada.userId),
      "ADA@",
      "ada ab",
      adasKey.ends_with,
      `…${adasKey.ends_with}`,
      sha256(adasKey.key).toString("hex"),
    ])
      expect(await search(q), q).toContain("ada@example.com");
    expect(await search("ada@")).toEqual(["ada@example.com"]);
    for (const q of ["nobody", "%", "_da", "Nightowl", "0".repeat(64)]) expect(await search(q), q).toEqual([]);
  });

  test("are shown with keys, limits and sessions, and without secrets", async () => {
    await call(adasKey.key);
    const response = await olga.get(`/admin/accounts/${ada.userId}`);
    expect(response.json()).toMatchObject({
      email: "ada@example.com",
      name: "Ada Abuser",
      operator: false,
      suspension: null,
      active_keys: 1,
      keys: [{ id: adasKey.id, plan: "standard", windows: [{ name: "minute", limit: 10, remaining: 9 }, {}, {}] }],
      sessions: [{ started_at: expect.any(String) }],
    });
    expect(response.body).not.toContain(adasKey.key);
    expect((await olga.get("/admin/accounts/999999")).statusCode).toBe(404);
  });

  test("a new plan of a key applies within half a second; its owner sees that an operator changed it, and operators see which one", async () => {
    expect(
      (await olga.send("POST", `/admin/keys/${adasKey.id}/plan`, { plan: "plus", reason: "They pay" })).json(),
    ).toMatchObject({
      plan: "plus",
    });
    halfASecond();
    expect((await call(adasKey.key)).headers["ratelimit-policy"]).toContain("100");
    expect((await ada.get("/audit")).json().entries[0]).toMatchObject({
      action: "api_key.plan_changed",
      by: "operator",
      client_address: "",
      user_agent: "",
      subject: expect.stringMatching(/: standard to plus\. Reason: They pay\.$/),
    });
    expect((await auditOf("?action=api_key.plan_changed"))[0]).toMatchObject({
      by: "operator",
      operator: { user_id: olga.userId, email: olga.email },
      client_address: "192.0.2.7",
      account: { user_id: ada.userId },
    });
    expect((await olga.send("POST", `/admin/keys/${adasKey.id}/plan`, { plan: "gold", reason: "x" })).statusCode).toBe(
      400,
    );
  });
});

test("a plan, a revocation and a refund require a reason, and the owner of a revoked key reads the reason", async () => {
  const { id } = (await makeKey(ada, { name: "Leaked", permissions: ["genres:read"] })).json();
  const send = async (path: string, body: object) => (await olga.send("POST", path, body)).statusCode;
  for (const reason of [{}, { reason: "" }, { reason: " " }]) {
    expect(await send(`/admin/keys/${id}/plan`, { plan: "plus", ...reason })).toBe(400);
    expect(await send(`/admin/keys/${id}/revoke`, reason)).toBe(400);
    expect(await send("/admin/orders/1/refunds", { amount: null, ...reason })).toBe(400);
  }
  expect(await send(`/admin/keys/${id}/revoke`, { reason: "Found in a public repository" })).toBe(200);
  expect((await ada.get("/audit")).json().entries[0]).toMatchObject({
    action: "api_key.revoked",
    by: "operator",
    subject: expect.stringMatching(/^API key \d+ \(Leaked, .*\)\. Reason: Found in a public repository\.$/),
  });
});

describe("suspension", () => {
  afterEach(async () => {
    await olga.send("POST", `/admin/accounts/${ada.userId}/unsuspend`, { reason: "Test over." });
    await ada.send("POST", "/auth/sign-in", { email: ada.email, password: testPassword });
  });
  const suspend = (reason = "Scraping for resale") =>
    olga.send("POST", `/admin/accounts/${ada.userId}/suspend`, { reason });

  test("refuses every call within half a second with the reason and the way to appeal, until it is lifted", async () => {
    expect((await call(adasKey.key)).statusCode).toBe(200);
    expect((await suspend()).json().suspension).toMatchObject({ reason: "Scraping for resale." });
    halfASecond();
    for (const url of ["/v1/genres", "/v1/orders", "/v1/nowhere"]) {
      const refusal = await portal.api.get(url, { key: adasKey.key });
      expect(refusal.statusCode).toBe(403);
      expect(refusal.json()).toEqual({
        status: "error",
        error: {
          code: "forbidden",
          message: "Account suspended",
          details: "This account is suspended: Scraping for resale. To appeal, reply to the mail that said so.",
        },
      });
    }
    await olga.send("POST", `/admin/accounts/${ada.userId}/unsuspend`, { reason: "Sorted out." });
    halfASecond();
    expect((await call(adasKey.key)).statusCode).toBe(200);
  });

  test("ends sessions immediately and permanently; a sign-in is 403, but only with the right password", async () => {
    const session = ada.cookie();
    await suspend();
    const visitor = portal.visitor();
    expect(
      (await portal.visitor().send("POST", "/auth/sign-in", { email: ada.email, password: "wrong" })).statusCode,
    ).toBe(401);
    const refusal = await visitor.send("POST", "/auth/sign-in", { email: ada.email, password: testPassword });
    expect(refusal.statusCode).toBe(403);
    expect(refusal.json().error.details).toContain("To appeal");
    expect((await visitor.get("/session")).json().account).toBeNull();
    await olga.send("POST", `/admin/accounts/${ada.userId}/unsuspend`, { reason: "Sorted out." });
    const former = await portal.api.request({
      method: "GET",
      url: "/portal/api/session",
      headers: { cookie: session },
    });
    expect(former.json().account).toBeNull();
    expect((await ada.send("POST", "/auth/sign-in", { email: ada.email, password: testPassword })).statusCode).toBe(
      204,
    );
  });

  test("is mailed to the account's owner with the reason, and the end of the suspension is mailed, too", async () => {
    await suspend("Payments were disputed");
    const findMail = (subject: string) =>
      portal.mails.findLast((mail) => mail.to === ada.email && mail.subject === subject);
    await until(() => findMail("Your account is suspended") !== undefined);
    expect(findMail("Your account is suspended")?.text).toContain("Reason: Payments were disputed");
    await olga.send("POST", `/admin/accounts/${ada.userId}/unsuspend`, { reason: "Paid." });
    await until(() => findMail("Your account is not suspended any more") !== undefined);
    expect((await auditOf(`?account=${ada.userId}`))[0]).toMatchObject({
      action: "account.unsuspended",
      subject: "Reason: Paid.",
    });
  });

  test("is 400 without a reason, 404 for an unknown account, 409 for a suspended account and for an operator", async () => {
    const status = async (id: number, reason: string) =>
      (await olga.send("POST", `/admin/accounts/${id}/suspend`, { reason })).statusCode;
    expect(await status(ada.userId, " ")).toBe(400);
    expect(await status(999_999, "Abuse.")).toBe(404);
    expect(await status(olga.userId, "Abuse.")).toBe(409);
    expect(await status(ada.userId, "Abuse.")).toBe(200);
    expect(await status(ada.userId, "Abuse.")).toBe(409);
    const { accounts } = (await olga.get("/admin/accounts?kind=suspended")).json();
    expect(accounts.map((account: { id: number }) => account.id)).toContain(ada.userId);
  });
});

test("lists name an organisation by its username, and a person by their address", async () => {
  const boss = await portal.signUp("boss@example.com", "Bo Boss");
  await boss.send("POST", "/organisations", { name: "Acme Records" });
  const { accounts } = (await olga.get("/admin/accounts?kind=organisations")).json();
  const { id, username } = accounts.find((account: { name: string }) => account.name === "Acme Records");
  expect((await auditOf(`?account=${id}`))[0].account).toEqual({ user_id: id, email: null, organisation: username });
  expect((await auditOf(`?account=${boss.userId}`))[0].account).toEqual({
    user_id: boss.userId,
    email: boss.email,
    organisation: null,
  });
});

describe("orders", () => {
  const buy = async () => (await placeTestOrder(portal.database, { userId: ada.userId, beatId: beat })).id;
  const refund = (id: number, amount: number | null, key = randomUUID()) =>
    olga.send("POST", `/admin/orders/${id}/refunds`, { amount, reason: "Sold twice" }, { "idempotency-key": key });

  test("are found by buyer, state and the payment's id, and are shown with the payment and the ledger entries", async () => {
    const id = await buy();
    const list = async (query: string) =>
      (await olga.get(`/admin/orders${query}`)).json().orders.map((order: { id: number }) => order.id);
    expect((await list("?q=Ada@example.com"))[0]).toBe(id);
    expect(await list("?q=nobody@example.com")).toEqual([]);
    expect((await list(`?buyer=${ada.userId}&status=completed`))[0]).toBe(id);
    const order = (await olga.get(`/admin/orders/${id}`)).json();
    expect(order).toMatchObject({
      id,
      amount: 29.9,
      refundable_amount: 29.9,
      payment: { provider: "sandbox" },
      refunds: [],
    });
    expect(await list(`?q=${order.payment.reference}`)).toEqual([id]);
    for (const { entries } of order.ledger)
      expect(Math.round(entries.reduce((sum: number, entry: { amount: number }) => sum + entry.amount * 100, 0))).toBe(
        0,
      );
    expect(order.ledger.length).toBeGreaterThan(0);
    expect((await olga.get("/admin/orders/999999")).statusCode).toBe(404);
  });

  test("are refunded once for each Idempotency-Key, in parts, and the buyer's log records each refund", async () => {
    const id = await buy();
    const key = randomUUID();
    const [first, again] = [await refund(id, 9.9, key), await refund(id, 9.9, key)];
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await olga.get(`/admin/orders/${id}`)).json()).toMatchObject({
      refunded_amount: 9.9,
      refundable_amount: 20,
      is_refunded: false,
      refunds: [{ amount: 9.9, status: "succeeded", origin: "operator" }],
    });
    expect((await auditOf("?action=order.refunded"))[0]).toMatchObject({
      subject: `Order ${id}: 9.90 USD. Reason: Sold twice.`,
      operator: { user_id: olga.userId },
      account: { user_id: ada.userId },
    });
    expect((await refund(id, null)).json()).toMatchObject({ amount: 20 });
    expect((await refund(id, null)).statusCode).toBe(409);
    expect((await refund(id, 30)).statusCode).toBe(409);
    for (const amount of [0, -1, 1.234]) expect((await refund(id, amount)).statusCode).toBe(400);
  });
});

test("the list of endpoints is sorted by pending deliveries, then newest first, and each endpoint is on one page", async () => {
  const { driver } = portal.database;
  const owner = await portal.signUp();
  const rows = await driver<{ id: number }[]>`
    insert into webhook_endpoints (user_id, url, secret, created_at)
    select ${owner.userId}, 'https://receiver.example/' || number, 'sealed', now() from generate_series(1, 60) number
    returning id`;
  const ids = rows.map(({ id }) => Number(id));
  const [one = 0, three = 0] = [ids[20], ids[5]];
  for (const [id, pending] of [
    [one, 1],
    [three, 3],
  ] as const)
    await driver`
      insert into webhook_deliveries (endpoint_id, event_id, state, next_attempt_at, ordered, created_at)
      select ${id}, 'evt_' || number, 'pending', now() + interval '1 hour', false, now()
      from generate_series(1, ${pending}::int) number`;
  const page = async (query = "") => (await olga.get(`/admin/webhooks?account=${owner.userId}${query}`)).json();
  const first = await page();
  const second = await page(`&before=${first.next}`);
  const otherIds = ids.filter((id) => id !== one && id !== three).reverse();
  expect([...first.endpoints, ...second.endpoints].map(({ id }) => id)).toEqual([three, one, ...otherIds]);
  expect(first.endpoints.slice(0, 3)).toMatchObject([{ pending: 3 }, { pending: 1 }, { pending: 0 }]);
  expect(second.next).toBeNull();
  expect((await olga.get("/admin/webhooks?before=7")).statusCode).toBe(400);
});

test("the list of endpoints is filtered by account and health, and the owner's log has an operator's changes", async () => {
  const response = await ada.send("POST", "/webhooks/endpoints", {
    url: "https://receiver.example/",
    event_types: null,
  });
  const { id } = response.json().endpoint;
  const fleet = async (query = "") => (await olga.get(`/admin/webhooks${query}`)).json().endpoints;
  expect(await fleet(`?account=${ada.userId}`)).toMatchObject([
    { id, owner: { email: ada.email, suspended: false }, pending: 0 },
  ]);
  expect(await fleet("?health=disabled")).toEqual([]);
  await olga.send("POST", `/admin/webhooks/${id}/disable`, { reason: "Its receiver complained." });
  expect(await fleet("?health=disabled")).toMatchObject([{ id, disabled_reason: "Its receiver complained." }]);
  expect((await olga.send("POST", `/admin/webhooks/${id}/replay`)).statusCode).toBe(409);
  expect((await olga.send("POST", `/admin/webhooks/${id}/enable`, { replay: true })).json()).toMatchObject({
    replayed: 0,
  });
  expect((await olga.send("POST", `/admin/webhooks/${id}/replay`)).json()).toEqual({ replayed: 0 });
  expect((await auditOf(`?account=${ada.userId}&actor=${olga.userId}`)).slice(0, 4)).toMatchObject([
    { action: "webhook_endpoint.replayed", client_address: "192.0.2.7" },
    { action: "webhook_endpoint.replayed" },
    { action: "webhook_endpoint.enabled" },
    { action: "webhook_endpoint.disabled" },
  ]);
  expect((await ada.get("/audit")).json().entries[0]).toMatchObject({ by: "operator", client_address: "" });
});

test("the log has calls of all accounts and of unknown keys, and each kind of error has its first and last time", async () => {
  const nowMs = clock.nowMs();
  const minutesAgo = (minutes: number) => nowMs - minutes * 60_000;
  const refused = { status: 403, errorCode: "forbidden", refusedBy: "permission:beats:write", operation: "updateBeat" };
  await writeLogEntries(portal.database, [
    { userId: ada.userId, apiKeyId: adasKey.id, timeMs: minutesAgo(50), ...refused },
    { userId: olga.userId, apiKeyId: adasKey.id, timeMs: minutesAgo(10), ...refused },
    { status: 401, errorCode: "unauthorized", timeMs: minutesAgo(5), path: "/v1/stranger" },
    { userId: ada.userId, apiKeyId: adasKey.id, timeMs: minutesAgo(2 * 1440), path: "/v1/old", requestId: "0193" },
  ]);
  const paths = async (query: string) =>
    (await olga.get(`/admin/calls${query}`))
      .json()
      .calls.map((call: { path: string; account: { email: string } | null }) => [
        call.path,
        call.account?.email ?? null,
      ]);
  expect(await paths("?class=4xx&operation=updateBeat")).toEqual([
    ["/v1/beats", olga.email],
    ["/v1/beats", ada.email],
  ]);
  expect(await paths("?account=0&text=stranger")).toEqual([["/v1/stranger", null]]);
  expect(await paths("?text=/v1/old")).toEqual([]);
  expect(await paths(`?text=/v1/old&from=${new Date(minutesAgo(3 * 1440)).toISOString()}`)).toEqual([
    ["/v1/old", ada.email],
  ]);
  const [{ id }] = (await olga.get("/admin/calls?account=0")).json().calls;
  expect((await olga.get(`/admin/calls/${id}`)).json()).toMatchObject({ path: "/v1/stranger", status: 401 });
  const { errors, limits_problem } = (await olga.get("/admin/errors?span=hour")).json();
  expect(limits_problem).toBeNull();
  expect(errors.find((error: { operation: string }) => error.operation === "updateBeat")).toEqual({
    status: 403,
    refused_by: "permission:beats:write",
    operation: "updateBeat",
    calls: 2,
    accounts: 2,
    reason: expect.any(String),
    first_at: new Date(minutesAgo(50) - (minutesAgo(50) % 60_000)).toISOString(),
    last_at: new Date(minutesAgo(10) - (minutesAgo(10) % 60_000)).toISOString(),
  });
});

test("the audit log is filtered by actor, action and time, and is paged", async () => {
  const authors = async (query: string) => (await auditOf(query)).map((each: { by: string }) => each.by);
  expect(new Set(await authors("?actor=owners"))).toEqual(new Set(["owner"]));
  expect(new Set(await authors("?actor=operators"))).toEqual(new Set(["operator", "command"]));
  expect(await authors("?action=account.operator_marked")).toContain("command");
  expect(await authors(`?to=2020-01-01T00:00:00Z`)).toEqual([]);
  expect((await olga.get("/admin/audit?actor=somebody")).statusCode).toBe(400);
  const entries = await auditOf();
  expect((await auditOf(`?before=${entries[0].id}`))[0].id).toBe(entries[1].id);
});
