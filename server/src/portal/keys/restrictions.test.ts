import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.now());
const creation = { name: "Website", permissions: ["genres:read"], expires_in_days: null };
let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
let id: number;
let key: string;
beforeAll(async () => {
  portal = await testPortal({ clock });
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com");
  ({ id, key } = (await makeKey(ada, creation)).json() as { id: number; key: string });
});

describe("POST /keys/{key_id}/restrictions", () => {
  const restrict = (visitor: SignedInVisitor, id: number, body: object) =>
    visitor.send("POST", `/keys/${id}/restrictions`, { spending_cap: null, allowed_networks: [], ...body });

  test("sets a spending cap and addresses, which the response and the audit log show", async () => {
    const response = await restrict(ada, id, {
      spending_cap: 49.9,
      allowed_networks: ["203.0.113.0/24", " 2001:db8::1 "],
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ spending_cap: 49.9, allowed_networks: ["203.0.113.0/24", "2001:db8::1"] });
    expect((await ada.get("/audit")).json().entries[0]).toMatchObject({
      action: "api_key.restricted",
      subject: expect.stringContaining("spending cap 49.90, from 203.0.113.0/24, 2001:db8::1"),
    });
  });

  test.each([
    [{ spending_cap: 0 }, /spending_cap/],
    [{ spending_cap: 1.005 }, /spending_cap/],
    [{ spending_cap: 2_000_000 }, /spending_cap/],
    [{ allowed_networks: ["home"] }, /"home" is neither an IP address nor a network/],
    [{ allowed_networks: ["203.0.113.0/33"] }, /neither/],
    [{ allowed_networks: ["203.0.113.0/24/8"] }, /neither/],
  ])("refuses %j", async (body, sentence) => {
    const response = await restrict(ada, id, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toMatch(sentence);
  });

  test("is 404 for another account's key, and 409 for a revoked key", async () => {
    expect((await restrict(eve, id, {})).statusCode).toBe(404);
    const revoked = (await makeKey(ada, { ...creation, name: "Old" })).json() as { id: number };
    await ada.send("POST", `/keys/${revoked.id}/revoke`);
    expect((await restrict(ada, revoked.id, {})).statusCode).toBe(409);
  });

  test("a key with allowed addresses works from them, and is 403 from any other address", async () => {
    await restrict(ada, id, { allowed_networks: ["203.0.113.0/24"] });
    const refusal = await portal.api.get("/v1/genres", { key });
    expect(refusal.statusCode).toBe(403);
    expect(refusal.json().error.details).toMatch(/may not be used from 127\.0\.0\.1/);
    await restrict(ada, id, { allowed_networks: ["127.0.0.0/8"] });
    clock.advance(1_000);
    expect((await portal.api.get("/v1/genres", { key })).statusCode).toBe(200);
  });
});
