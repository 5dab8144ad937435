import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { findDelivery, listDeliveries } from "@beatmarket/webhooks/deliveries.ts";
import { findEndpoint, listEndpoints, secretsOf } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { listAudit } from "../audit/queries.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import type { AuditedPrincipal } from "./audit.ts";
import {
  createEndpoint,
  createInbox,
  deleteEndpoint,
  disableEndpoint,
  type EndpointRequest,
  enableEndpoint,
  maxEndpoints,
  revealSecrets,
  rotateSecret,
  updateEndpoint,
} from "./endpoints.ts";
import { emitEvents, eventRules } from "./outbox.ts";

const { query: db } = await testDatabase();
const secrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });
const now = new Date("2026-03-01T12:00:00Z");
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const context = { secrets, allowPrivate: false, now };
const [userId = 0, strangerId = 0] = await Promise.all(
  ["owner", "stranger"].map(async (name) => (await findOrCreateAccount(db, { email: `${name}@example.com` })).id),
);
const author = { clientAddress: "192.0.2.7", userAgent: "Firefox" };
const owner: AuditedPrincipal = { ownerId: userId, author };
const url = "https://receiver.example/hook";

beforeEach(async () => {
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
});
const make = (overrides: Partial<EndpointRequest> = {}) =>
  createEndpoint(db, { userId, url, eventTypes: null, ...overrides }, context, author);
const emit = () => emitEvents(db, [{ type: "user.updated", data: {}, at: now, audience: "everyone" }]);

test("a new endpoint has a secret, which is stored sealed", async () => {
  const { endpoint, secret } = await make({ eventTypes: ["user.updated", "beat.created"], description: " Staging " });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toMatchObject({
    userId,
    url,
    eventTypes: ["beat.created", "user.updated"],
    description: "Staging",
    state: "enabled",
    failingSince: null,
  });
  const row = await db.selectFrom("webhook_endpoints").selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(secret.slice("whsec_".length));
  expect(await secretsOf(db, endpoint.id, owner, context)).toEqual([secret]);
});

describe("an endpoint is rejected with", () => {
  test.each([
    ["http", { url: "http://receiver.example/" }, 400, "https://"],
    ["a loopback address", { url: "https://127.0.0.1/" }, 400, "public"],
    ["no event type", { eventTypes: [] }, 400, "at least one event type"],
    ["a long description", { description: "x".repeat(201) }, 400, "at most 200"],
    ["a user who does not exist", { userId: 999_999 }, 404, "no user 999999"],
  ])("%s", async (_, overrides, status, details) => {
    await expect(make(overrides)).rejects.toMatchObject({ status, details: expect.stringContaining(details) });
  });

  test("409 if the account has twenty endpoints, even for concurrent requests", async () => {
    const results = await Promise.allSettled(Array.from({ length: maxEndpoints + 3 }, () => make()));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { status: 409 } });
  });
});

test("every operation answers 404 for an endpoint of another account", async () => {
  const { endpoint } = await make();
  const stranger: AuditedPrincipal = { ownerId: strangerId, author };
  await emit();
  const [delivery] = await listDeliveries(db, endpoint.id, { limit: 1 }, eventRules);
  for (const attempt of [
    () => findEndpoint(db, endpoint.id, stranger),
    () => updateEndpoint(db, endpoint.id, stranger, { description: "mine" }, context),
    () => disableEndpoint(db, endpoint.id, stranger, { reason: "no", now }),
    () => enableEndpoint(db, endpoint.id, stranger, { replay: false, now }),
    () => rotateSecret(db, endpoint.id, stranger, 0, context),
    () => revealSecrets(db, endpoint.id, stranger, context),
    () => deleteEndpoint(db, endpoint.id, stranger, now),
    () => findDelivery(db, delivery?.id ?? 0, stranger),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 });
  expect(await listEndpoints(db, stranger)).toEqual([]);
  expect(await listEndpoints(db, owner)).toEqual([endpoint]);
});

test("an update does not change absent fields, and rejects a private address", async () => {
  const { endpoint } = await make({ eventTypes: ["beat.created"], description: "Staging" });
  expect(await updateEndpoint(db, endpoint.id, owner, { url: "https://other.example/" }, context)).toEqual({
    ...endpoint,
    url: "https://other.example/",
  });
  expect((await updateEndpoint(db, endpoint.id, owner, { eventTypes: null }, context)).eventTypes).toBeNull();
  await expect(updateEndpoint(db, endpoint.id, owner, { url: "https://10.0.0.1/" }, context)).rejects.toThrow();
});

describe("a rotation of the secret", () => {
  test("lets the previous secret sign during the overlap", async () => {
    const { endpoint, secret } = await make();
    const rotated = await rotateSecret(db, endpoint.id, owner, 24 * 3_600_000, context);
    const secretsAfter = (hours: number) => secretsOf(db, endpoint.id, owner, { secrets, now: hoursLater(hours) });
    expect(await secretsAfter(23)).toEqual([rotated.secret, secret]);
    expect(await secretsAfter(24)).toEqual([rotated.secret]);
  });

  test("during an overlap needs force or an overlap of 0, which stops both earlier secrets; 31 days are too many", async () => {
    const { endpoint, secret } = await make();
    const second = await rotateSecret(db, endpoint.id, owner, 3_600_000, context);
    // A second rotation during the overlap would end the first secret too early.
    const early = rotateSecret(db, endpoint.id, owner, 3_600_000, context);
    await expect(early).rejects.toMatchObject({
      status: 409,
      details: expect.stringContaining(`signs until ${hoursLater(1).toISOString()}`),
    });
    expect(await secretsOf(db, endpoint.id, owner, context)).toEqual([second.secret, secret]);
    const third = await rotateSecret(db, endpoint.id, owner, 3_600_000, { ...context, force: true });
    expect(await secretsOf(db, endpoint.id, owner, context)).toEqual([third.secret, second.secret]);
    const fourth = await rotateSecret(db, endpoint.id, owner, 3_600_000, { secrets, now: hoursLater(1) });
    expect(await secretsOf(db, endpoint.id, owner, { secrets, now: hoursLater(1) })).toEqual([
      fourth.secret,
      third.secret,
    ]);
    const last = await rotateSecret(db, endpoint.id, owner, 0, context);
    expect(await secretsOf(db, endpoint.id, owner, context)).toEqual([last.secret]);
    await expect(rotateSecret(db, endpoint.id, owner, 31 * 86_400_000, context)).rejects.toMatchObject({ status: 400 });
  });
});

test("the audit log has each change and each reveal of the secrets with the author, and no rejected changes", async () => {
  const { endpoint } = await make();
  await updateEndpoint(db, endpoint.id, owner, { description: "Staging" }, context);
  await updateEndpoint(db, endpoint.id, owner, { url: "http://10.0.0.1/" }, context).catch(() => {});
  await revealSecrets(db, endpoint.id, owner, context);
  await rotateSecret(db, endpoint.id, owner, 0, context);
  await disableEndpoint(db, endpoint.id, "operator", { reason: "Spam.", now });
  await enableEndpoint(db, endpoint.id, owner, { replay: true, now });
  await deleteEndpoint(db, endpoint.id, owner, now);
  const entries = (await listAudit(db, userId, { limit: 8 })).reverse();
  const endpointText = `Endpoint ${endpoint.id} at ${url}`;
  expect(entries).toMatchObject([
    { action: "webhook_endpoint.created", subject: endpointText, author, time: now },
    { action: "webhook_endpoint.updated", author },
    { action: "webhook_endpoint.secret_revealed", author },
    { action: "webhook_endpoint.secret_rotated", author },
    { action: "webhook_endpoint.disabled", author: "operator" },
    { action: "webhook_endpoint.enabled", author },
    { action: "webhook_endpoint.replayed", subject: `${endpointText}: skipped`, author },
    { action: "webhook_endpoint.deleted", subject: endpointText, author },
  ]);
});

test("the owner gets a mail if the operator disables an endpoint, but not if the owner disables it", async () => {
  const [first, second] = [await make(), await make()];
  await disableEndpoint(db, first.endpoint.id, "operator", { reason: "Spam.", now });
  await disableEndpoint(db, second.endpoint.id, owner, { reason: "Holidays.", now });
  const rows = await db.selectFrom("webhook_endpoints").select(["state", "mail_due"]).orderBy("id").execute();
  expect(rows).toEqual([
    { state: "disabled", mail_due: "disabled" },
    { state: "disabled", mail_due: null },
  ]);
});

test("the deletion of an endpoint deletes only its own deliveries and attempts", async () => {
  const [deleted, kept] = [await make(), await make()];
  await emit();
  for (const { id } of await db.selectFrom("webhook_deliveries").select("id").execute())
    await db
      .insertInto("webhook_attempts")
      .values({ delivery_id: id, attempted_at: now, status: 500, duration_ms: 1, error: "No.", answer: "" })
      .execute();
  await deleteEndpoint(db, deleted.endpoint.id, owner, now);
  const remaining = await db.selectFrom("webhook_deliveries").select(["id", "endpoint_id"]).execute();
  expect(remaining.map(({ endpoint_id }) => endpoint_id)).toEqual([kept.endpoint.id]);
  const attempts = await db.selectFrom("webhook_attempts").select("delivery_id").execute();
  expect(attempts.map(({ delivery_id }) => delivery_id)).toEqual(remaining.map(({ id }) => id));
});

test("an account has at most one inbox, next to other endpoints; an unknown account gets 404", async () => {
  const results = await Promise.allSettled([1, 2, 3].map(() => createInbox(db, userId, context, author)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { status: 409 } });
  await createEndpoint(db, { userId, url: "https://receiver.example/", eventTypes: null }, context, author);
  expect((await listEndpoints(db, owner)).map(({ kind }) => kind)).toEqual(["inbox", "http"]);
  await expect(createInbox(db, 999_999, context, author)).rejects.toMatchObject({ status: 404 });
});

test("an inbox can have event types, but no url", async () => {
  const endpoint = await createInbox(db, userId, context, author);
  const change = { url: "https://receiver.example/" };
  await expect(updateEndpoint(db, endpoint.id, owner, change, context)).rejects.toMatchObject({ status: 400 });
  const changed = await updateEndpoint(db, endpoint.id, owner, { eventTypes: ["beat.created"] }, context);
  expect(changed).toEqual({ ...endpoint, eventTypes: ["beat.created"] });
});
