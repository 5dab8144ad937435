import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { deleteOldLimitRequests } from "../../resources/limit-requests/requests.ts";
import { markOperator } from "../../resources/users/standing.ts";

const clock = new FakeClock(Date.parse("2026-11-20T12:00:00Z"));
const reason = "The shop opens on Monday: 50 calls a minute.";
let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
let olga: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal({ clock });
  ada = await portal.signUp("ada@example.com", "Ada Developer");
  eve = await portal.signUp("eve@example.com");
  olga = await portal.signUp("olga@example.com", "Olga Operator");
  const now = new Date(clock.nowMs());
  await markOperator(portal.database.query, olga.email, true, { author: "operator", now });
  await olga.addAuthenticator();
  await portal.database.driver`delete from outgoing_mails`;
});

const newKey = async (): Promise<{ id: number; key: string }> =>
  (await makeKey(ada, { name: "Shop", permissions: ["genres:read"], expires_in_days: null })).json();
const ask = (id: number, fields: object = {}, visitor = ada) =>
  visitor.send("POST", `/keys/${id}/limit-requests`, { plan: "plus", reason, ...fields });
const requestOf = async (id: number) =>
  (await ada.get("/keys/limit-requests")).json().requests.find(({ key_id }: { key_id: number }) => key_id === id);
const openRequests = async () => (await olga.get("/admin/limit-requests")).json().requests;
const answer = (id: number, verb: "grant" | "refuse", body?: object) =>
  olga.send("POST", `/admin/limit-requests/${id}/${verb}`, body);
/** The mails since the last call: template, recipient and facts. */
const mails = async () =>
  (await portal.database.driver`delete from outgoing_mails returning template, recipient, facts`).map((row) => ({
    ...row,
  }));

describe("a request for higher limits", () => {
  test("is mailed to operators; a grant sets the plan of the key, and the requester gets a mail", async () => {
    const { id, key } = await newKey();
    const response = await ask(id);
    expect(response.statusCode, response.body).toBe(201);
    expect(response.json().requests).toEqual([
      { key_id: id, plan: "plus", state: "open", response: null, created_at: "2026-11-20T12:00:00.000Z" },
    ]);
    expect(await mails()).toEqual([
      {
        template: "limits-requested",
        recipient: "olga@example.com",
        facts: expect.objectContaining({
          account: "Ada Developer",
          present: "standard",
          plan: "plus",
          message: reason,
        }),
      },
    ]);
    const [request] = await openRequests();
    expect(request).toMatchObject({ user_id: ada.userId, key_id: id, present_plan: "standard", plan: "plus", reason });
    expect((await olga.get("/admin/overview")).json().figures).toContainEqual(
      expect.objectContaining({ name: "Requests for limits", value: "1", state: "warning", page: "/admin/accounts" }),
    );

    const granted = await answer(request.id, "grant");
    expect([granted.statusCode, granted.json()], granted.body).toEqual([200, { requests: [] }]);
    clock.advance(501);
    const { headers } = await portal.api.get("/v1/genres", { key });
    expect(headers["x-ratelimit-limit"] ?? headers["ratelimit-limit"]).toMatch(/^100\b/);
    expect(await requestOf(id)).toMatchObject({ state: "granted" });
    expect(await mails()).toEqual([
      {
        template: "limits-granted",
        recipient: "ada@example.com",
        facts: expect.objectContaining({ key: `${id} (…${key.slice(-4)})`, plan: "plus" }),
      },
    ]);
    expect((await answer(request.id, "grant")).statusCode).toBe(409);
    expect((await ada.get("/audit")).json().entries[0]).toMatchObject({ action: "api_key.plan_changed" });
    expect((await ask(id)).json().error.details).toContain("has the plan plus already");
    expect((await ask(id, { plan: "partner" })).statusCode).toBe(201);
    await mails();
  });

  test("can be open once for a key, is refused with a sentence by mail, and can be sent three times", async () => {
    const { id } = await newKey();
    for (let turn = 0; turn < 3; turn++) {
      expect((await ask(id)).statusCode).toBe(201);
      expect((await ask(id)).json().error.details).toContain("requested for this key already");
      await mails();
      const request = (await openRequests()).find(({ key_id }: { key_id: number }) => key_id === id);
      expect((await answer(request.id, "refuse", { response: "" })).statusCode).toBe(400);
      expect((await answer(request.id, "refuse", { response: "Mirror by /changes." })).statusCode).toBe(200);
      expect(await mails()).toEqual([
        {
          template: "limits-refused",
          recipient: "ada@example.com",
          facts: expect.objectContaining({ message: "Mirror by /changes.", plan: "plus" }),
        },
      ]);
      expect(await requestOf(id)).toMatchObject({ state: "refused", response: "Mirror by /changes." });
    }
    expect((await ask(id)).json().error.details).toContain("refused 3 times");
  });

  test.each([
    [{ plan: "internal" }, /plan/],
    [{ plan: "standard" }, /plan/],
    [{ reason: "" }, /reason/],
    [{ reason: "\u0007" }, /reason/],
  ])("with %j is 400", async (fields, sentence) => {
    const response = await ask((await newKey()).id, fields);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toMatch(sentence);
  });

  test("is 404 for another account's key, and is refused for a revoked key; the grant of an unknown request is 404", async () => {
    const { id } = await newKey();
    expect((await ask(id, {}, eve)).statusCode).toBe(404);
    await ada.send("POST", `/keys/${id}/revoke`);
    expect((await ask(id)).json().error.details).toContain("does not work any more");
    expect((await answer(999_999, "grant")).statusCode).toBe(404);
  });

  test("is closed when the key gets the plan in another way, or is revoked", async () => {
    const ids = [(await newKey()).id, (await newKey()).id] as const;
    for (const id of ids) await ask(id);
    const isWaiting = async (id: number) =>
      (await openRequests()).some(({ key_id }: { key_id: number }) => key_id === id);
    expect([await isWaiting(ids[0]), await isWaiting(ids[1])]).toEqual([true, true]);
    await olga.send("POST", `/admin/keys/${ids[0]}/plan`, { plan: "plus", reason: "They pay" });
    await ada.send("POST", `/keys/${ids[1]}/revoke`);
    expect([await isWaiting(ids[0]), await isWaiting(ids[1])]).toEqual([false, false]);
    expect((await ask(ids[0], { plan: "partner" })).statusCode).toBe(201);
  });

  test("does not lower the plan of a key that got a higher plan before the grant", async () => {
    const { id } = await newKey();
    await ask(id);
    const request = (await openRequests()).find(({ key_id }: { key_id: number }) => key_id === id);
    await olga.send("POST", `/admin/keys/${id}/plan`, { plan: "partner", reason: "They pay" });
    expect((await answer(request.id, "grant")).statusCode).toBe(200);
    const [key] = await portal.database.driver`select plan from api_keys where id = ${id}`;
    expect(key).toEqual({ plan: "partner" });
    expect((await mails()).at(-1)?.facts).toMatchObject({ plan: "partner" });
  });

  test("loses its text with the account, and is deleted after three years", async () => {
    const leaver = await portal.signUp("leaver@example.com");
    const { id } = (
      await makeKey(leaver, { name: "Shop", permissions: ["genres:read"], expires_in_days: null })
    ).json();
    await ask(id, {}, leaver);
    const erased = await leaver.send("POST", "/account/erasure", { email: leaver.email });
    expect(erased.statusCode, erased.body).toBeLessThan(300);
    const rows = () => portal.database.driver`select reason from limit_requests where api_key_id = ${id}`;
    expect((await rows())[0]).toEqual({ reason: null });
    await deleteOldLimitRequests(portal.database.query, new Date(Date.UTC(2030, 0, 1)));
    expect(await rows()).toHaveLength(0);
  });
});
