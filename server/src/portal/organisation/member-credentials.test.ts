import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { mailedToken, makeKey, rotateKey, type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";
import { keyPermissionsOf, mayDo, permissions, roleNames } from "../../access/roles.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock });

beforeEach(() => clock.advance(3_600_000));

let organisationCount = 0;
async function acme(): Promise<{ owner: SignedInVisitor; id: number }> {
  const owner = await portal.signUp();
  const created = await owner.send("POST", "/organisations", { name: `Acme ${++organisationCount}` });
  return { owner, id: created.json().id };
}

async function join(owner: SignedInVisitor, role: string): Promise<SignedInVisitor> {
  const person = await portal.signUp();
  const before = portal.mails.filter(({ to }) => to === person.email).length;
  await owner.send("POST", "/organisation/invitations", { email: person.email, role });
  await until(() => portal.mails.filter(({ to }) => to === person.email).length > before);
  const token = await mailedToken(portal.mails, person.email);
  expect((await person.send("POST", "/invitations/accept", { token })).statusCode).toBe(204);
  return person;
}

const endpoint = { url: "https://receiver.example/hook", description: "", event_types: null, ordered: false };
const call = (key: string, url = "/v1/genres") =>
  portal.api.request({ method: "GET", url, headers: { authorization: `Bearer ${key}` } });
const inExplorer = (visitor: SignedInVisitor, keyId: number, url = "/v1/genres") =>
  portal.api.request({
    method: "GET",
    url,
    headers: { cookie: visitor.cookie(), "sec-fetch-site": "same-origin", "x-explorer-key": String(keyId) },
  });
const awaitMail = (email: string, text: string) =>
  until(() => portal.mails.some((mail) => mail.to === email && mail.text.includes(text)));

describe("a key of a member", () => {
  test.each(permissions)("can have %s only if the role allows it", async (permission) => {
    const { owner } = await acme();
    const developer = await join(owner, "developer");
    const response = await makeKey(developer, { permissions: [...new Set(["beats:read", permission])] });
    if (keyPermissionsOf("developer").includes(permission)) expect(response.statusCode).toBe(201);
    else {
      expect(response.statusCode).toBe(403);
      expect(response.json().error.details).toContain(`you may not make a key with the permission ${permission}`);
    }
    expect((await makeKey(owner, { permissions: [permission] })).statusCode).toBe(201);
  });

  test("is neither rotated nor used in the explorer if it may do more than the role", async () => {
    const { owner } = await acme();
    const strong = (await makeKey(owner)).json();
    const ofOrders = (await makeKey(owner, { permissions: ["genres:read", "orders:read"] })).json();
    const allowed = (await makeKey(owner, { permissions: ["genres:read", "beats:write"] })).json();
    const developer = await join(owner, "developer");
    for (const { id } of [strong, ofOrders]) {
      expect((await rotateKey(developer, id, 0)).statusCode).toBe(403);
      const refusal = await inExplorer(developer, id);
      expect(refusal.statusCode).toBe(403);
      expect(refusal.json().error.details).toContain("you may not use a key with the permission orders:read");
      expect((await inExplorer(owner, id)).statusCode).toBe(200);
    }
    expect((await inExplorer(developer, allowed.id)).statusCode).toBe(200);
    const explorerKeys = (await developer.get("/explorer/keys")).json().keys;
    expect(explorerKeys.map(({ id }: { id: number }) => id)).toEqual([allowed.id]);
    expect((await owner.get("/explorer/keys")).json().keys).toHaveLength(3);
    expect((await rotateKey(developer, allowed.id, 0)).statusCode).toBe(201);
  });

  test("is shown to all members with the name of its maker", async () => {
    const { owner } = await acme();
    const developer = await join(owner, "developer");
    await makeKey(developer, { permissions: ["beats:read"] });
    const viewer = await join(owner, "viewer");
    const [key] = (await viewer.get("/keys")).json().keys;
    expect(key.created_by).toEqual({ user_id: developer.userId, name: "Ada Developer", email: developer.email });
    const visitor = await portal.signUp();
    await makeKey(visitor);
    expect((await visitor.get("/keys")).json().keys[0].created_by.user_id).toBe(visitor.userId);
  });

  test("is not created from a key that was proposed to another member", async () => {
    const { owner } = await acme();
    const developer = await join(owner, "developer");
    const proposed = (await developer.send("POST", "/keys/proposals")).json();
    const body = { proposed, name: "Theirs", permissions: ["orders:write"], expires_in_days: null };
    expect((await owner.send("POST", "/keys", body)).statusCode).toBe(400);
  });

  test("is not created by a request that was admitted before the member was removed", async () => {
    const { owner, id } = await acme();
    const developer = await join(owner, "developer");
    // Holds the organisation's lock, like the removal of a member, until the request waits for the lock.
    const { driver } = portal.database;
    const creation = Promise.withResolvers<Awaited<ReturnType<typeof makeKey>>>();
    await driver.begin(async (transaction) => {
      await transaction`select from users where id = ${id} for no key update`;
      void makeKey(developer, { permissions: ["beats:read"] }).then(creation.resolve, creation.reject);
      await until(async () => {
        const [row] = await driver`
          select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return Number(row?.waiting) > 0;
      });
      await transaction`delete from organisation_members where organisation_id = ${id} and user_id = ${developer.userId}`;
    });
    expect((await creation.promise).statusCode).toBe(409);
    expect((await owner.get("/keys")).json().keys).toEqual([]);
  });
});

describe("a member's credential", () => {
  test("ends with the membership, unless the owner keeps it", async () => {
    for (const keep of [false, true]) {
      const { owner } = await acme();
      const developer = await join(owner, "developer");
      const { key, id, ends_with } = (await makeKey(developer, { permissions: ["genres:read"] })).json();
      const ownerKey = (await makeKey(owner, { permissions: ["genres:read"] })).json();
      const created = (await developer.send("POST", "/webhooks/endpoints", endpoint)).json().endpoint;
      expect(created.created_by).toBe(developer.userId);
      const path = `/organisation/members/${developer.userId}`;
      expect((await owner.get(`${path}/credentials`)).json()).toEqual({
        keys: [{ id, name: "Website", ends_with }],
        endpoints: [{ id: created.id, url: endpoint.url }],
        invitations: [],
      });
      expect((await owner.send("DELETE", keep ? `${path}?keep_credentials=true` : path)).statusCode).toBe(204);
      clock.advance(1_000);
      expect((await call(key)).statusCode).toBe(keep ? 200 : 401);
      expect((await call(ownerKey.key)).statusCode).toBe(200);
      const shownEndpoint = (await owner.get(`/webhooks/endpoints/${created.id}`)).json();
      expect(shownEndpoint.state).toBe(keep ? "enabled" : "disabled");
      if (!keep)
        expect(shownEndpoint.disabled_reason).toBe("The person who created this endpoint is no longer a member.");
      await awaitMail(
        owner.email,
        `${keep ? "stay valid" : "were revoked"}: API key ${id} (…${ends_with}), webhook endpoint`,
      );
    }
  });

  test("is disabled if it is an endpoint whose address the member set", async () => {
    const { owner } = await acme();
    const developer = await join(owner, "developer");
    const { id } = (await owner.send("POST", "/webhooks/endpoints", endpoint)).json().endpoint;
    await developer.send("PATCH", `/webhooks/endpoints/${id}`, { url: "https://elsewhere.example/" });
    await owner.send("DELETE", `/organisation/members/${developer.userId}`);
    expect((await owner.get(`/webhooks/endpoints/${id}`)).json().state).toBe("disabled");
  });

  test.each(roleNames)("beyond the role %s ends when an owner gets that role", async (role) => {
    const { owner } = await acme();
    const second = await join(owner, "owner");
    const strong = (await makeKey(second)).json();
    const plain = (await makeKey(second, { permissions: ["genres:read"] })).json();
    const created = (await second.send("POST", "/webhooks/endpoints", endpoint)).json().endpoint;
    const friend = { email: `friend-${created.id}@example.com`, role: "owner" };
    await second.send("POST", "/organisation/invitations", friend);
    const path = `/organisation/members/${second.userId}`;
    const listed = (await owner.get(`${path}/credentials?role=${role}`)).json();
    const changed = await owner.send("PATCH", path, { role });
    expect(changed.statusCode).toBe(role === "owner" ? 409 : 204);
    clock.advance(1_000);
    expect((await call(strong.key)).statusCode).toBe(role === "owner" ? 200 : 401);
    expect((await call(plain.key)).statusCode).toBe(mayDo(role, "keys:write") ? 200 : 401);
    const isSubscriber = mayDo(role, "webhooks:write");
    expect((await owner.get(`/webhooks/endpoints/${created.id}`)).json().state).toBe(
      isSubscriber ? "enabled" : "disabled",
    );
    expect((await owner.get("/organisation")).json().invitations).toHaveLength(role === "owner" ? 1 : 0);
    const expectedKeys = { owner: 0, developer: 1 };
    expect(listed.keys).toHaveLength(expectedKeys[role as keyof typeof expectedKeys] ?? 2);
  });

  test("ends when the member leaves, transfers the ownership, or deletes the member's own account", async () => {
    const { owner } = await acme();
    const leaving = await join(owner, "developer");
    const keyOfLeaver = (await makeKey(leaving, { permissions: ["genres:read"] })).json();
    const path = `/organisation/members/${leaving.userId}/credentials`;
    expect((await leaving.get(path)).json().keys).toHaveLength(1);
    expect((await leaving.get(`/organisation/members/${owner.userId}/credentials`)).statusCode).toBe(404);
    await leaving.send("POST", "/organisation/leave");

    const erased = await join(owner, "developer");
    const erasedKey = (await makeKey(erased, { permissions: ["genres:read"] })).json();
    const proposal = (await owner.send("POST", "/keys/proposals")).json();
    expect(proposal.key).toMatch(/^bm_/);
    const erasure = { email: erased.email };
    const deleted = await erased.send("POST", "/account/erasure", erasure);
    expect(deleted.statusCode).toBeLessThan(300);

    const strong = (await makeKey(owner)).json();
    const next = await join(owner, "developer");
    await owner.send("POST", "/organisation/transfer", { user_id: next.userId });
    clock.advance(1_000);
    for (const { key } of [keyOfLeaver, erasedKey, strong]) expect((await call(key)).statusCode).toBe(401);
  });
});
