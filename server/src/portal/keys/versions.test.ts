import { beforeAll, describe, expect, test } from "vitest";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

const creation = { name: "Website", permissions: ["genres:read"], expires_in_days: null };
const [first, second] = ["2026-11-20", "2026-11-28"];
let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com");
});
const createdKey = async (changes: object = {}) =>
  (await makeKey(ada, { ...creation, ...changes })).json() as { id: number; key: string; version: string | null };
const answeringVersion = async (key: string) => (await portal.api.get("/v1/genres", { key })).headers["beat-version"];
const actions = async () =>
  (await ada.get("/audit")).json().entries.map(({ action }: { action: string }) => action) as string[];

describe("a key", () => {
  test("is created with a version, or follows its account", async () => {
    expect(await createdKey()).toMatchObject({ version: null });
    const { key, version } = await createdKey({ version: second });
    expect(version).toBe(second);
    expect(await answeringVersion(key)).toBe(second);
  });

  test("gets another version, which the list and the audit log show", async () => {
    const { id, key } = await createdKey();
    const response = await ada.send("POST", `/keys/${id}/version`, { version: second });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ id, version: second });
    expect(await answeringVersion(key)).toBe(second);
    const { keys } = (await ada.get("/keys")).json() as { keys: { id: number; version: string | null }[] };
    expect(keys.find((each) => each.id === id)).toMatchObject({ version: second });
    expect(await actions()).toContain("api_key.version_changed");
    expect((await ada.send("POST", `/keys/${id}/version`, { version: null })).json()).toMatchObject({ version: null });
  });

  test("is 400 for a version that does not exist, 404 for another account's key, 409 for a revoked key", async () => {
    const { id } = await createdKey();
    const unknown = await ada.send("POST", `/keys/${id}/version`, { version: "2026-11-19" });
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json().error.details).toContain(`${first} or ${second}`);
    expect((await makeKey(ada, { ...creation, version: "new" })).statusCode).toBe(400);
    expect((await eve.send("POST", `/keys/${id}/version`, { version: null })).statusCode).toBe(404);
    await ada.send("POST", `/keys/${id}/revoke`);
    expect((await ada.send("POST", `/keys/${id}/version`, { version: null })).statusCode).toBe(409);
  });
});

describe("an account", () => {
  test("has no version before its first call, unless its owner chooses a version", async () => {
    expect((await eve.get("/keys/version")).json()).toEqual({ version: null });
    const response = await eve.send("POST", "/keys/version", { version: second });
    expect(response.json()).toEqual({ version: second });
    const { key } = (await makeKey(eve, creation)).json() as { key: string };
    expect(await answeringVersion(key)).toBe(second);
    expect((await eve.get("/keys/version")).json()).toEqual({ version: second });
  });

  test("gives its version to new endpoints", async () => {
    await eve.send("POST", "/keys/version", { version: second });
    const fields = { url: "https://receiver.example/hook", event_types: null };
    const { endpoint } = (await eve.send("POST", "/webhooks/endpoints", fields)).json();
    expect(endpoint).toMatchObject({ version: second });
    expect((await eve.send("POST", "/webhooks/inbox")).json()).toMatchObject({ version: second });
  });

  test("is 400 for a version that does not exist", async () => {
    expect((await ada.send("POST", "/keys/version", { version: "2026-11-19" })).statusCode).toBe(400);
  });
});
