import { readFileSync } from "node:fs";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Permission, permissions } from "../../../src/access/roles.ts";
import { consoleType, publicUrl } from "../../harness/api.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { insertUpload } from "../../harness/database/uploads.ts";
import { apiDocument, apiOperations } from "../../harness/documents/promised-responses.ts";
import { makeKey, type SignedInVisitor, testPortal } from "../../harness/portal.ts";
import {
  bodies,
  type Document,
  deviceLoginOperations,
  fieldsOf,
  isIdentifier,
  isIntegral,
  orderOperations,
  publicDataOperations,
  quantities,
  removals,
  testModeOperations,
  uploadFields,
} from "./cases.ts";

// OWASP API1, API3 and API5:2023, authorization. The two documents define the cases, and each document has a test that
// compares it with the table of routes. A new route, identifier or field fails here until this file names its owner.

const portalDocument = JSON.parse(
  readFileSync(new URL("../../../../contract/portal-openapi.json", import.meta.url), "utf8"),
) as Document;
const allPortalOperations = Object.entries(portalDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, value]) => ({
    ...value,
    parameters: value.parameters ?? [],
    method: method.toUpperCase(),
    path,
  })),
);
/** These routes take identifiers of other accounts by design. portal/admin/admin.test.ts tests who is an operator. */
const isOperators = ({ path }: { path: string }): boolean => path.startsWith("/admin/");
const portalOperations = allPortalOperations.filter((operation) => !isOperators(operation));

const clock = new FakeClock();
const portal = await testPortal({ clock, webhookAllowPrivate: true });
const { driver } = portal.database;
let ada: SignedInVisitor;
let bob: SignedInVisitor;
let bobsKey = "";
/** One id of each kind of resource that an account can have. */
let adas: Record<
  | "key_id"
  | "endpoint_id"
  | "delivery_id"
  | "receipt_id"
  | "call_id"
  | "order_id"
  | "checkout_id"
  | "beat_id"
  | "view_id"
  | "report_id"
  | "discount_id"
  | "share_id",
  number
> & {
  upload_id: string;
  session_id: string;
  passkey_id: number;
  /** A member of ada's organisation. */
  user_id: number;
  invitation_id: number;
};
/** The organisations of ada and bob, by their owners. */
const organisations = new Map<number, number>();

beforeAll(async () => {
  [ada, bob] = [await portal.signUp(), await portal.signUp()];
  const adasKey = await issueKey(ada);
  const { key } = await issueKey(bob);
  bobsKey = key;
  const { id: endpoint_id } = (await ada.send("POST", "/webhooks/inbox")).json();
  await ada.send("POST", `/webhooks/endpoints/${endpoint_id}/test`, { type: "beat.created" });
  const { deliveries } = (await ada.get(`/webhooks/endpoints/${endpoint_id}/deliveries`)).json();
  await portal.database.query
    .insertInto("webhook_receipts")
    .values({
      endpoint_id,
      delivery_id: deliveries[0].id,
      received_at: clock.now(),
      headers: { "webhook-id": "evt_1", "webhook-timestamp": "1" },
      body: '{"type":"beat.created"}',
      computed_signature: "",
      secret_end: "",
      verified: true,
    })
    .execute();
  const [receipt] = await driver<{ id: number }[]>`select id from webhook_receipts`;
  const [beat, ownBeat] = await insertBeats(portal.database, [{}, {}]);
  await portal.database.query
    .updateTable("beats")
    .set({ user_id: ada.userId })
    .where("id", "=", ownBeat ?? 0)
    .execute();
  const boughtOrder = await order(adasKey.key, beat ?? 0);
  const openedCheckout = await portal.api.request({
    method: "POST",
    url: "/v1/checkouts",
    headers: { authorization: `Bearer ${adasKey.key}` },
    payload: { items: [{ beat_id: beat }] },
  });
  const calls = async () => (await ada.get("/calls")).json().calls;
  await until(async () => (await calls()).length > 0);
  adas = {
    key_id: adasKey.id,
    endpoint_id,
    delivery_id: deliveries[0].id,
    receipt_id: receipt?.id ?? 0,
    call_id: (await calls())[0].id,
    order_id: boughtOrder.json().data.order.id,
    checkout_id: openedCheckout.json().data.checkout.id,
    beat_id: ownBeat ?? 0,
    view_id: (await ada.send("POST", "/calls/views", { name: "Mine", query: "status=404" })).json().id,
    ...(await sellerThingsOf(ada, ownBeat ?? 0, beat ?? 0)),
    upload_id: await insertUpload(portal.database, { userId: ada.userId, createdAt: clock.now() }),
    ...(await signInsOf(ada)),
    ...(await createOrganisations()),
  };
});

// The limit for an account's changes counts one minute, so each test begins in a new minute.
beforeEach(async () => {
  clock.advance(60_000);
  // These tests are about ownership. step-up.test.ts is about the age of a sign-in.
  await driver`update portal_sessions set created_at = ${clock.now()}`;
});

/** Creates an organisation of ada with a member and an invitation, and an organisation of bob. */
async function createOrganisations(): Promise<{ user_id: number; invitation_id: number }> {
  const member = await portal.signUp();
  for (const owner of [ada, bob]) {
    organisations.set(owner.userId, (await owner.send("POST", "/organisations", { name: "Records" })).json().id);
    if (owner === ada) {
      await driver`
        insert into organisation_members (organisation_id, user_id, role, created_at)
        values (${organisations.get(ada.userId) ?? 0}, ${member.userId}, 'developer', now())`;
      await ada.send("POST", "/organisation/invitations", { email: "invited@example.com", role: "viewer" });
    }
    await owner.send("PUT", "/session/account", { user_id: owner.userId });
  }
  const [invitation] = await driver<{ id: number }[]>`select id from organisation_invitations`;
  return { user_id: member.userId, invitation_id: invitation?.id ?? 0 };
}

/**
 * Creates the resources of a seller: a discount, a report whose notice was sent, and an offered split of another
 * producer's beat.
 */
async function sellerThingsOf(
  { userId, ...visitor }: SignedInVisitor,
  ownBeatId: number,
  otherBeatId: number,
): Promise<{ report_id: number; discount_id: number; share_id: number }> {
  const discount = await visitor.send("POST", "/studio/discounts", {
    name: "Ten",
    kind: "percent",
    percent: 10,
    code: "ADA10",
  });
  const [report] = await driver<{ id: number }[]>`
    insert into beat_reports (beat_id, reason, details, email, created_at, state, noticed_at, counter_until)
    values (${ownBeatId}, 'other', 'It is mine.', 'reporter@example.com', ${clock.now()}, 'notice_sent', ${clock.now()},
      ${clock.now()}::timestamptz + interval '14 days') returning id`;
  const [share] = await driver<{ id: number }[]>`
    insert into beat_shares (beat_id, user_id, basis_points, invited_at)
    values (${otherBeatId}, ${userId}, 1000, ${clock.now()}) returning id`;
  return {
    report_id: report?.id ?? 0,
    discount_id: discount.json().discount.id,
    share_id: share?.id ?? 0,
  };
}

/** Creates a session in another browser, and a passkey. */
async function signInsOf({ email }: SignedInVisitor): Promise<{ session_id: string; passkey_id: number }> {
  const [session] = await driver<{ id: string }[]>`
    insert into portal_sessions (id, user_id, token, expires_at, created_at, updated_at)
    select 'another', id, 'another', now() + interval '1 day', now(), now() from portal_users where email = ${email}
    returning id`;
  const [passkey] = await driver<{ id: number }[]>`
    insert into portal_passkeys (account_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
    select id, 'AA', '', 0, '{}', 'Laptop', false, now() from portal_users where email = ${email} returning id`;
  return { session_id: session?.id ?? "", passkey_id: passkey?.id ?? 0 };
}

const issueKey = async (visitor: SignedInVisitor): Promise<{ id: number; key: string }> =>
  (await makeKey(visitor)).json();

const order = (key: string, beatId: number, headers: Record<string, string> = {}) =>
  portal.api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${key}`, ...headers },
    payload: { beat_id: beatId, payment_method: "pm_card_visa" },
  });

const withIds = portalOperations
  .filter(
    ({ path, operationId }) =>
      path.includes("{") &&
      ![...publicDataOperations, ...orderOperations, ...deviceLoginOperations, ...testModeOperations].includes(
        operationId,
      ),
  )
  .sort((a, b) => removals.indexOf(a.operationId) - removals.indexOf(b.operationId));

const pathOf = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(adas[name as keyof typeof adas] ?? 1));
const call = async (
  visitor: Pick<SignedInVisitor, "get" | "send"> & { userId?: number },
  { method, path, operationId }: (typeof withIds)[number],
) => {
  if (visitor.userId !== undefined && path.startsWith("/organisation"))
    await visitor.send("PUT", "/session/account", { user_id: organisations.get(visitor.userId) ?? 0 });
  const query = operationId === "previewWebhookReplay" ? "?which=failed" : "";
  // The server proposes a new key to the caller who rotates.
  const proposeKey = async () => (await visitor.send("POST", "/keys/proposals")).json();
  const body = operationId === "rotateKey" ? { overlap_hours: 1, proposed: await proposeKey() } : bodies[operationId];
  const response =
    method === "GET"
      ? await visitor.get(pathOf(path) + query)
      : await visitor.send(method as "POST", pathOf(path), body);
  if (visitor.userId !== undefined && path.startsWith("/organisation"))
    await visitor.send("PUT", "/session/account", { user_id: visitor.userId });
  return response;
};

describe("API1:2023 Broken object level authorization", () => {
  test("this file knows the owner of every identifier of every portal route", () => {
    const ofNobody = [
      "status",
      "limit",
      "overlap_hours",
      "min_ms",
      "expires_in_days",
      "before",
      "older_than",
      "newer_than",
      "page",
      "genre",
      // Amounts of a discount and a split.
      ...["percent", "pack_size", "pack_paid", "max_uses", "max_uses_per_buyer", "own_basis_points"],
      // Public producers.
      "ids",
      // An upload of the account. The test of identifiers of another account covers it.
      "upload",
      // Beats of a discount, which must belong to the account: portal/studio/discounts.test.ts.
      "beat_ids",
      // The number of streams in a report.
      "quantity",
      // The code of a login, which belongs to no account yet.
      "user_code",
      // Filters the account's own sales.
      "beat",
      // test/sandboxes/portal.test.ts shows that sandboxes of another account are 404. Live mode has no sandboxes.
      ...["sandbox_id", "orders_per_day"],
    ];
    const knownParameters = [...Object.keys(adas), "key", ...uploadFields, ...ofNobody];
    for (const { operationId, parameters, requestBody } of portalOperations) {
      const names = [
        ...parameters
          .filter((parameter) => parameter.in === "path" || isIntegral(parameter.schema))
          .map(({ name }) => name),
        ...Object.entries(fieldsOf(requestBody, portalDocument))
          .filter(([, schema]) => isIdentifier(schema))
          .map(([name]) => name),
      ];
      for (const name of names) expect(knownParameters, `${operationId} takes ${name}`).toContain(name);
    }
    expect(withIds.length).toBeGreaterThan(15);
  });

  test.each(withIds)("$method $path is 404 for another account and 401 without a session", async (operation) => {
    const before = await digestTables();
    expect((await call(bob, operation)).statusCode).toBe(404);
    expect((await call(portal.visitor(), operation)).statusCode).toBe(401);
    expect(await digestTables()).toEqual(before);
  });

  test.each(withIds)(
    "$method $path succeeds or conflicts for its owner, so the request does not cause the 404",
    async (operation) => {
      expect([200, 201, 202, 204, 409]).toContain((await call(ada, operation)).statusCode);
    },
  );

  test("an identifier of another account in a query or a body gives no access", async () => {
    const { key_id, endpoint_id, call_id } = adas;
    expect((await bob.get(`/calls?key=${key_id}`)).json().calls).toEqual([]);
    expect((await bob.get(`/sales?beat=${adas.beat_id}`)).json().sales).toEqual([]);
    expect((await bob.get(`/audit?before=${call_id + 1_000_000}`)).body).not.toContain(ada.email);
    const { body } = await bob.get(`/analytics?span=day&key=${key_id}`);
    expect(JSON.stringify(JSON.parse(body).keys ?? [])).not.toContain(String(key_id));
    const doctorRequest = { endpoint_id, headers: "webhook-id: evt_1", body_base64: "e30=" };
    expect((await bob.send("POST", "/webhooks/doctor", doctorRequest)).statusCode).toBe(404);
    expect((await bob.send("PUT", "/account/picture", { upload: adas.upload_id })).statusCode).toBe(404);
  });

  test("every identifier of every API route is public or belongs to the account, and one of another account gives no access", async () => {
    // A person who knows the id of a certificate may ask about it.
    const publicIds = ["beat_id", "beat_ids", "genre", "ids", "license_id", "producer", "user_id"];
    // `key` and `beat` filter the account's own objects. playlists.test.ts tests public playlists of other accounts.
    const accountIds = ["beat", "checkout_id", "key", "order_id", "playlist_id", "upload_id", ...uploadFields];
    for (const { operationId, parameters, requestBody } of apiOperations) {
      const names = [
        ...parameters
          .filter(({ name, schema }) => isIdentifier(schema) && !quantities.includes(name))
          .map(({ name }) => name),
        ...Object.entries(fieldsOf(requestBody, apiDocument))
          .filter(([name, schema]) => isIdentifier(schema) && !quantities.includes(name))
          .map(([name]) => name),
      ];
      for (const name of names) expect([...publicIds, ...accountIds], `${operationId} takes ${name}`).toContain(name);
    }
    for (const prefix of ["/v1", "/api/v1"])
      for (const accept of ["application/json", consoleType]) {
        clock.advance(60_000);
        const response = await portal.api.get(`${prefix}/orders/${adas.order_id}`, { key: bobsKey, accept });
        expect(response.statusCode).toBe(404);
        expect(response.body).not.toContain("amount");
        const files = await portal.api.get(`${prefix}/orders/${adas.order_id}/files`, { key: bobsKey, accept });
        expect(files.statusCode).toBe(404);
        const checkout = await portal.api.get(`${prefix}/checkouts/${adas.checkout_id}`, { key: bobsKey, accept });
        expect(checkout.statusCode).toBe(404);
        expect(checkout.body).not.toContain("amount");
        const sales = await portal.api.get(`${prefix}/users/me/sales?beat=${adas.beat_id}`, { key: bobsKey, accept });
        expect([sales.statusCode, sales.body.includes("buyer")]).toEqual([200, false]);
        const upload = await portal.api.get(`${prefix}/uploads/${adas.upload_id}`, { key: bobsKey, accept });
        expect(upload.statusCode).toBe(404);
        expect(upload.body).not.toContain("filename");
      }
    for (const field of uploadFields) {
      clock.advance(60_000);
      const payload = { title: "Hers", genre: 1, price: 1, audio: adas.upload_id, [field]: adas.upload_id };
      const headers = { authorization: `Bearer ${bobsKey}` };
      const response = await portal.api.request({ method: "POST", url: "/v1/beats", headers, payload });
      expect([response.statusCode, field]).toEqual([400, field]);
    }
    expect((await portal.api.get("/v1/orders", { key: bobsKey })).json().data.orders).toEqual([]);
  });

  test("an Idempotency-Key belongs to its account: another account's key neither replays nor blocks", async () => {
    const [beat = 0] = await insertBeats(portal.database, [{ title: "Shared" }]);
    const headers = { "idempotency-key": "the-same" };
    const first = await order(portal.api.key, beat, headers);
    const second = await order(bobsKey, beat, headers);
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.headers["idempotent-replayed"]).toBeUndefined();
    expect(second.json().data.order.id).not.toBe(first.json().data.order.id);
  });
});

describe("API3:2023 Broken object property level authorization", () => {
  const notTheirs = [
    "id",
    "user_id",
    "email",
    "plan",
    "role",
    "is_producer",
    "is_admin",
    "marketplace",
    "status",
    "amount",
    "amount_cents",
    "price",
    "currency",
    "created_at",
    "key",
    "secret",
    "owner_id",
  ];
  const writes = [
    // The operations of test mode answer every live key with 403. sandboxes.test.ts tests their bodies.
    ...apiOperations
      .filter((operation) => operation["x-test-mode"] !== true)
      .map((operation) => ({ ...operation, document: apiDocument, url: `/v1${operation.path}` })),
    ...portalOperations.map((operation) => ({
      ...operation,
      document: portalDocument,
      url: `/portal/api${operation.path}`,
    })),
  ].filter(({ requestBody }) => requestBody?.content["application/json"] !== undefined);

  test.each(writes)(
    "$method $url refuses a field that the caller may not set",
    async ({ method, url, requestBody, document, path }) => {
      const knownFields = Object.keys(fieldsOf(requestBody, document));
      for (const field of notTheirs.filter((name) => !knownFields.includes(name))) {
        const response = await portal.api.request({
          method: method as "POST",
          url: url.replace(path, pathOf(path)),
          headers: { origin: publicUrl, cookie: ada.cookie(), authorization: `Bearer ${portal.api.key}` },
          payload: { [field]: "1" },
        });
        expect(response.statusCode, field).toBe(400);
        expect(response.json().error.details).toContain(field);
      }
    },
  );

  test("a person's e-mail address is only in responses of that person's session", async () => {
    for (const path of [`/v1/users/${ada.userId}`, "/v1/producers", "/v1/search?q=developer", "/v1/orders"])
      expect((await portal.api.get(path)).body).not.toContain("@example.com");
    expect((await ada.get("/session")).json().account.email).toBe(ada.email);
  });
});

describe("API5:2023 Broken function level authorization", () => {
  test.each(allPortalOperations.filter(isOperators))(
    "$method $path is 404 for an account that is not an operator's, signed in or not, with any body",
    async ({ method, path }) => {
      for (const cookie of [bob.cookie(), ""]) {
        const response = await portal.api.request({
          method: method as "GET",
          url: `/portal/api${path.replaceAll(/\{\w+\}/g, String(ada.userId))}`,
          headers: { origin: publicUrl, cookie },
          ...(method !== "GET" && { payload: { reason: "x", operator: true } }),
        });
        expect(response.statusCode).toBe(404);
      }
    },
  );

  const withPermission = apiOperations.filter((operation) => operation["x-permission"] !== undefined);
  test.each(withPermission)(
    "$operationId needs its one permission, even if a key has all others",
    async ({ method, path, "x-permission": needed }) => {
      const otherPermissions = permissions.filter((permission: Permission) => permission !== needed);
      const key = await portal.api.makeKey({ permissions: otherPermissions });
      const url = `/api/v1${path.replaceAll(/\{\w+\}/g, "1")}`;
      const response = await portal.api.request({
        method: method as "GET",
        url,
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.statusCode).toBe(403);
      if (method !== "HEAD") expect(response.json().error.details).toContain(needed);
    },
  );

  test.each(withPermission)("$operationId refuses a portal session", async ({ method, path }) => {
    const url = `/v1${path.replaceAll(/\{\w+\}/g, "1")}`;
    const headers = { cookie: ada.cookie(), origin: publicUrl, "sec-fetch-site": "same-origin" };
    expect((await portal.api.request({ method: method as "GET", url, headers })).statusCode).toBe(401);
  });

  test.each(portalOperations.filter(({ responses }) => "401" in responses))(
    "$method /portal/api$path refuses an API key with every permission",
    async ({ method, path, operationId }) => {
      const response = await portal.api.request({
        method: method as "GET",
        url: `/portal/api${pathOf(path)}`,
        headers: { authorization: `Bearer ${portal.api.key}`, origin: publicUrl, "content-type": "application/json" },
        ...(method !== "GET" && { payload: JSON.stringify(bodies[operationId] ?? {}) }),
      });
      // These operations need no session. They refuse the empty body.
      expect(response.statusCode).toBe(
        ["confirmRegistration", "signIn", "signInWithPasskey", "confirmEmailChange"].includes(operationId) ? 400 : 401,
      );
    },
  );
});

/**
 * A digest of each table that a stranger's call could change, without the time of last use of keys, which the server
 * writes later.
 */
async function digestTables(): Promise<unknown> {
  const tables = [
    "api_keys",
    "portal_passkeys",
    "webhook_endpoints",
    "webhook_deliveries",
    "webhook_receipts",
    "orders",
    "audit_entries",
    "users",
  ];
  return Promise.all(
    tables.map(async (table) => {
      const { rows } =
        await sql`select md5(string_agg(row::text, '' order by row::text)) from (select to_jsonb(t) - 'last_used_at' as row from ${sql.table(table)} t) its`.execute(
          portal.database.query,
        );
      return [table, rows];
    }),
  );
}
