import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import {
  mailedToken,
  makeKey,
  type TestPortal,
  testPassword,
  testPortal,
  type Visitor,
} from "../../test/harness/portal.ts";
import { stepUpChallenge } from "./step-up.ts";

const clock = new FakeClock();
const email = "ada@example.com";
let portal: TestPortal;
let ada: Visitor;
let endpointId = 0;
let keyId = 0;
let proposed: object;
beforeAll(async () => {
  portal = await testPortal({ clock, demoEmail: "demo@example.com" });
  await portal.signUp(email);
  ada = portal.visitor();
  await signIn(ada);
  endpointId = (await ada.send("POST", "/webhooks/endpoints", newEndpoint)).json().endpoint.id;
  proposed = (await ada.send("POST", "/keys/proposals")).json();
  keyId = (await makeKey(ada)).json().id;
});

const newKey = () => ({ name: "Website", permissions: ["genres:read"], expires_in_days: null, proposed });
const bodyOf = (body: object | (() => object) | undefined) => (typeof body === "function" ? body() : body);
const newEndpoint = { url: "https://receiver.example/", event_types: null };
const signIn = (visitor: Visitor) => visitor.send("POST", "/auth/sign-in", { email, password: testPassword });

describe("more than 15 minutes after the sign-in", () => {
  const callsThatNeedSignIn = [
    ["POST", () => "/keys", newKey],
    ["POST", () => "/keys/proposals", undefined],
    ["POST", () => `/keys/${keyId}/rotate`, () => ({ overlap_hours: 0, proposed })],
    ["POST", () => "/webhooks/endpoints", { ...newEndpoint, url: "https://other.example/" }],
    ["POST", () => `/webhooks/endpoints/${endpointId}/reveal-secret`, undefined],
    ["POST", () => `/webhooks/endpoints/${endpointId}/rotate-secret`, { overlap_hours: 1 }],
    ["DELETE", () => `/webhooks/endpoints/${endpointId}`, undefined],
    ["POST", () => "/account/email", { email: "ada.new@example.com" }],
    ["POST", () => "/account/authenticator/proposals", undefined],
    ["POST", () => "/account/passkeys/offers", undefined],
  ] as const;

  test.each(callsThatNeedSignIn)(
    "%s %s is 403 with a challenge, until the user signs in again",
    async (method, path, body) => {
      clock.advance(15 * 60_000 + 1);
      const refusal = await ada.send(method, path(), bodyOf(body));
      expect(refusal.statusCode).toBe(403);
      expect(refusal.headers["www-authenticate"]).toBe(stepUpChallenge);
      expect(refusal.body).not.toMatch(/whsec_|bm_/);
      const former = ada.cookie();
      expect((await signIn(ada)).statusCode).toBe(204);
      expect((await ada.send(method, path(), bodyOf(body))).statusCode).toBeLessThan(300);
      // The new sign-in does not extend a copied cookie.
      const copy = await portal.visitor().send(method, path(), bodyOf(body), { cookie: former });
      expect(copy.statusCode).toBe(401);
    },
  );

  test("members cannot be added, removed or changed, but an invitation can be revoked", async () => {
    const [bob, cleo] = [await portal.signUp(), await portal.signUp()];
    await signIn(ada);
    expect((await ada.send("POST", "/organisations", { name: "Acme" })).statusCode).toBe(201);
    for (const [email, role] of [
      [bob.email, "viewer"],
      [cleo.email, "viewer"],
    ] as const)
      expect((await ada.send("POST", "/organisation/invitations", { email, role })).statusCode).toBe(204);
    const token = await mailedToken(portal.mails, bob.email);
    expect((await bob.send("POST", "/invitations/accept", { token })).statusCode).toBe(204);
    const [{ id }] = (await ada.get("/organisation")).json().invitations;
    clock.advance(15 * 60_000 + 1);
    const invitation = `/organisation/invitations/${id}`;
    for (const [method, path, body] of [
      ["POST", "/organisation/invitations", { email: "accomplice@example.com", role: "owner" }],
      ["POST", `${invitation}/resend`, undefined],
      ["PATCH", `/organisation/members/${bob.userId}`, { role: "owner" }],
      ["DELETE", `/organisation/members/${bob.userId}`, undefined],
      ["POST", "/organisation/transfer", { user_id: bob.userId }],
    ] as const) {
      const refusal = await ada.send(method, path, body);
      expect([method, path, refusal.statusCode]).toEqual([method, path, 403]);
      expect(refusal.headers["www-authenticate"]).toBe(stepUpChallenge);
    }
    expect((await ada.send("DELETE", invitation)).statusCode).toBe(204);
    await signIn(ada);
    expect((await ada.send("DELETE", `/organisation/members/${bob.userId}`)).statusCode).toBe(204);
  });

  test("the revocation of a key requires no new sign-in, because it can do no harm", async () => {
    await signIn(ada);
    const { id } = (await makeKey(ada)).json();
    clock.advance(15 * 60_000 + 1);
    expect((await ada.send("POST", `/keys/${id}/revoke`)).statusCode).toBe(200);
    expect((await ada.get("/keys")).statusCode).toBe(200);
  });

  test("using the session does not count as a sign-in", async () => {
    await signIn(ada);
    for (let minute = 0; minute < 16; minute++) {
      clock.advance(60_000);
      await ada.get("/session");
    }
    expect((await makeKey(ada)).statusCode).toBe(403);
  });

  test("the demo account signs in again with a click", async () => {
    const visitor = portal.visitor();
    await visitor.send("POST", "/auth/demo");
    clock.advance(15 * 60_000 + 1);
    expect((await makeKey(visitor)).statusCode).toBe(403);
    await visitor.send("POST", "/auth/demo");
    expect((await makeKey(visitor)).statusCode).toBe(201);
  });
});

test("up to 15 minutes after the sign-in, no new sign-in is required", async () => {
  await signIn(ada);
  clock.advance(15 * 60_000);
  expect((await makeKey(ada)).statusCode).toBe(201);
});
