import { loggedCall } from "@beatmarket/request-log/testing/log-entries.ts";
import { describe, expect, it } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { versions } from "../../access/versions.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { changeAccountVersion, findAccountVersion } from "./account-versions.ts";
import { createKey, rotateKey } from "./queries.ts";
import { pinKey } from "./restrict-key.ts";

const api = await testApi();
const { query: db } = api.database;
const time = new Date("2026-11-28T12:00:00Z");
const [first, second] = versions;
if (first === undefined || second === undefined) throw new Error("The test needs two versions.");
await db
  .transaction()
  .execute((transaction) =>
    emitEvents(transaction, [{ type: "beat.created", data: { n: 1 }, at: time, audience: "everyone" }]),
  );

let accounts = 0;
/** An account that has made no call, with a key. */
async function newAccount(version?: string) {
  const email = `versions-${++accounts}@example.com`;
  const { id } = await findOrCreateAccount(db, { email });
  const request = { userId: id, name: "test", plan: "internal", permissions: ["events:read", "genres:read"] } as const;
  const key = await createKey(db, { ...request, expiresAt: null, version }, time);
  return { id, keyId: key.id, key: key.key };
}
const call = (key: string, version?: string) =>
  api.get("/v1/events", { key, ...(version !== undefined && { headers: { "beat-version": version } }) });
const versionThatAnswers = async (key: string, version?: string) => (await call(key, version)).headers["beat-version"];
/** The names of an event's fields, which differ between the versions. */
const fieldsOf = async (key: string, version?: string) => Object.keys((await call(key, version)).json().data.events[0]);
/** A key's look-up is cached for half a second; another key of the account reads what is stored now. */
const anotherKey = async (userId: number) =>
  (
    await createKey(
      db,
      { userId, name: "other", plan: "internal", permissions: ["events:read"], expiresAt: null },
      time,
    )
  ).key;
const pinnedVersion = async (userId: number) =>
  await expect
    .poll(() => findAccountVersion(db, userId))
    .not.toBeNull()
    .then(() => findAccountVersion(db, userId));

describe("Beat-Version", () => {
  it("chooses the version in the request and names it in the response", async () => {
    const { key } = await newAccount();
    for (const { date } of versions) expect(await versionThatAnswers(key, date)).toBe(date);
    expect(await fieldsOf(key, first.date)).toEqual(["id", "created", "type", "data"]);
    expect(await fieldsOf(key, second.date)).toEqual(["id", "created_at", "type", "data"]);
  });

  it.each(["2026-11-19", "latest", "", "2026-11-20, 2026-11-28"])(
    "as %j is refused with 400 and the list of versions",
    async (text) => {
      const { key } = await newAccount();
      const response = await call(key, text);
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toMatchObject({ code: "invalid_request" });
      for (const { date } of versions) expect(response.json().error.details).toContain(date);
      expect(response.json().error.details).toContain("/portal/docs/api/versioning");
      expect(response.headers).not.toHaveProperty("beat-version");
    },
  );

  it("is checked after the key and the path: 401 and 404 come first", async () => {
    const headers = { "beat-version": "1" };
    expect((await api.get("/v1/genres", { key: null, headers })).statusCode).toBe(401);
    expect((await api.get("/v1/nowhere", { headers })).statusCode).toBe(404);
  });

  it("is part of Vary, and of ETags where the shapes differ", async () => {
    const { key } = await newAccount();
    const [old, recent] = [await call(key, first.date), await call(key, second.date)];
    expect(old.headers.vary).toContain("Beat-Version");
    expect(old.headers.etag).not.toBe(recent.headers.etag);
    const headers = { "beat-version": second.date, "if-none-match": String(old.headers.etag) };
    expect((await api.get("/v1/events", { key, headers })).statusCode).toBe(200);
    const genres = async (version: string) =>
      (await api.get("/v1/genres", { key, headers: { "beat-version": version } })).headers.etag;
    expect(await genres(first.date)).toBe(await genres(second.date));
  });

  it("is logged together with the version that answered; a refused call is logged without a version", async () => {
    const { key } = await newAccount();
    const response = await call(key, second.date);
    const refusal = await call(key, "1");
    await expect.poll(() => loggedCall(api.database, response.headers["x-request-id"])).toBeDefined();
    expect(await loggedCall(api.database, response.headers["x-request-id"])).toMatchObject({
      version: second.date,
      headers: expect.stringContaining(`beat-version: ${second.date}\n`),
    });
    await expect.poll(() => loggedCall(api.database, refusal.headers["x-request-id"])).toBeDefined();
    expect(await loggedCall(api.database, refusal.headers["x-request-id"])).toMatchObject({ version: null });
  });
});

describe("an account", () => {
  it("is pinned to the first version by a first call without the header", async () => {
    const { id, key } = await newAccount();
    expect(await findAccountVersion(db, id)).toBeNull();
    expect(await versionThatAnswers(key)).toBe(first.date);
    expect(await pinnedVersion(id)).toBe(first.date);
  });

  it("is pinned to the version that its first call names; later calls do not change the pin", async () => {
    const { id, key } = await newAccount();
    await call(key, second.date);
    expect(await versionThatAnswers(key)).toBe(second.date);
    expect(await pinnedVersion(id)).toBe(second.date);
    expect(await versionThatAnswers(await anotherKey(id), first.date)).toBe(first.date);
    expect(await versionThatAnswers(await anotherKey(id))).toBe(second.date);
    expect(await findAccountVersion(db, id)).toBe(second.date);
  });

  it("is not pinned by a refused header", async () => {
    const { id, key } = await newAccount();
    await call(key, "1");
    await versionThatAnswers(key, second.date);
    expect(await pinnedVersion(id)).toBe(second.date);
  });

  it("is pinned to another version by changeAccountVersion, which adds an entry to the audit log", async () => {
    const { id, key } = await newAccount();
    await versionThatAnswers(key);
    await pinnedVersion(id);
    await changeAccountVersion(db, id, second, "operator", time);
    expect(await versionThatAnswers(await anotherKey(id))).toBe(second.date);
    const entry = await db.selectFrom("audit_entries").selectAll().where("user_id", "=", id).execute();
    expect(entry.map(({ action }) => action)).toContain("account.version_changed");
  });
});

describe("a key", () => {
  it("overrides the account's version, also when rotated, until unpinned; the header overrides both", async () => {
    const { id, key, keyId } = await newAccount(second.date);
    expect(await versionThatAnswers(key)).toBe(second.date);
    expect(await versionThatAnswers(key, first.date)).toBe(first.date);
    await changeAccountVersion(db, id, first, "operator", time);
    const rotated = await rotateKey(db, keyId, { ownerId: id }, 0, time);
    expect(rotated.version).toBe(second.date);
    expect(await versionThatAnswers(rotated.key)).toBe(second.date);
    await pinKey(db, rotated.id, null, { ownerId: id }, time);
    const next = await rotateKey(db, rotated.id, { ownerId: id }, 0, time);
    expect(await versionThatAnswers(next.key)).toBe(first.date);
  });

  it("cannot be pinned by another account (404) or after its revocation (409)", async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    await expect(pinKey(db, one.keyId, first.date, { ownerId: other.id }, time)).rejects.toMatchObject({ status: 404 });
    await db.updateTable("api_keys").set({ revoked_at: time }).where("id", "=", one.keyId).execute();
    await expect(pinKey(db, one.keyId, first.date, { ownerId: one.id }, time)).rejects.toMatchObject({ status: 409 });
  });

  it("uses the account's version if only a newer release knows the key's version", async () => {
    const { id, key } = await newAccount("2099-01-01");
    await changeAccountVersion(db, id, second, "operator", time);
    expect(await versionThatAnswers(key)).toBe(second.date);
  });
});
