import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { publicUrl } from "../../../test/harness/api.ts";
import { mailedToken, makeKey, type SignedInVisitor, testPassword, testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock, demoEmail: "demo@example.com" });
const { driver } = portal.database;
const dayMs = 86_400_000;

/** Skips an hour, so that attempts of one test do not count in the next. */
beforeEach(() => clock.advance(3_600_000));

const wasMailed = (email: string, text: string) =>
  until(() => portal.mails.some((mail) => mail.to === email && mail.text.includes(text)));
const session = async (visitor: { get: SignedInVisitor["get"] }) => (await visitor.get("/session")).json().account;
const members = async (visitor: SignedInVisitor) => (await visitor.get("/organisation")).json().members;

let organisationCount = 0;
/** Creates an organisation whose owner acts as the organisation. */
async function acme(name = `Acme ${++organisationCount}`): Promise<{ owner: SignedInVisitor; id: number }> {
  const owner = await portal.signUp();
  const created = await owner.send("POST", "/organisations", { name });
  expect(created.statusCode).toBe(201);
  return { owner, id: created.json().id };
}

async function inviteMember(owner: SignedInVisitor, email: string, role: string): Promise<string> {
  const before = portal.mails.filter(({ to }) => to === email).length;
  expect((await owner.send("POST", "/organisation/invitations", { email, role })).statusCode).toBe(204);
  await until(() => portal.mails.filter(({ to }) => to === email).length > before);
  return mailedToken(portal.mails, email);
}

/** Creates an account that accepts an invitation and acts as the organisation. */
async function join(owner: SignedInVisitor, role: string): Promise<SignedInVisitor> {
  const person = await portal.signUp();
  const token = await inviteMember(owner, person.email, role);
  expect((await person.send("POST", "/invitations/accept", { token })).statusCode).toBe(204);
  return person;
}

describe("an organisation", () => {
  test("is a separate account, as which its owner acts", async () => {
    const { owner, id } = await acme("Acme Records");
    expect(await session(owner)).toMatchObject({
      user_id: id,
      person_id: owner.userId,
      email: owner.email,
      organisation: { name: "Acme Records", role: "owner", suspended_for: null, refusals: {} },
      organisations: [{ user_id: id, name: "Acme Records", role: "owner" }],
    });
    const { key } = (await makeKey(owner, { permissions: ["beats:read"] })).json();
    await owner.send("PUT", "/session/account", { user_id: owner.userId });
    expect((await owner.get("/keys")).json().keys).toEqual([]);
    expect((await session(owner)).organisation).toBeNull();
    await owner.send("PUT", "/session/account", { user_id: id });
    expect((await owner.get("/keys")).json().keys).toHaveLength(1);
    const profile = { method: "GET" as const, url: `/v1/users/${id}`, headers: { authorization: `Bearer ${key}` } };
    expect((await portal.api.request(profile)).statusCode).toBe(403);
  });

  test("lets only members act as it", async () => {
    const { id } = await acme();
    const stranger = await portal.signUp();
    const refusal = await stranger.send("PUT", "/session/account", { user_id: id });
    expect(refusal.statusCode).toBe(404);
    expect(refusal.json().error.details).toContain("Ask one of its owners for an invitation.");
    for (const path of ["/organisation", "/organisation/profile", "/organisation/audit"])
      expect((await stranger.get(path)).statusCode).toBe(409);
    const erasure = { username: "stranger" };
    expect((await stranger.send("POST", "/organisation/erasure", erasure)).statusCode).toBe(409);
  });

  test("does not own the person's profile, sessions and log", async () => {
    const { owner } = await acme();
    expect((await owner.get("/account/profile")).json().id).toBe(owner.userId);
    expect((await owner.get("/account/sessions")).statusCode).toBe(200);
    const shared = (await owner.get("/organisation/audit")).json().entries;
    expect(shared[0]).toMatchObject({ action: "organisation.created", person: owner.email, by: "portal" });
    const entries = (await owner.get("/audit")).json().entries;
    expect(entries.map(({ action }: { action: string }) => action)).not.toContain("organisation.created");
  });

  test("remains the account of the session after a step-up", async () => {
    const { owner, id } = await acme();
    clock.advance(3_600_000);
    expect((await makeKey(owner)).statusCode).toBe(201);
    expect((await session(owner)).user_id).toBe(id);
  });

  test("cannot be changed from a page that shows another account", async () => {
    const { owner, id } = await acme();
    const refusal = await makeKey(owner, {}, { "x-account": String(owner.userId) });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("Reload the page");
    expect((await makeKey(owner, {}, { "x-account": String(id) })).statusCode).toBe(201);
  });

  test("has a name and a profile that every owner can change", async () => {
    const { owner } = await acme();
    const second = await join(owner, "owner");
    const changed = await second.send("PATCH", "/organisation/profile", { display_name: "Acme Two", bio: "Beats." });
    expect(changed.json()).toMatchObject({ display_name: "Acme Two", bio: "Beats." });
    expect((await session(owner)).organisation.name).toBe("Acme Two");
    expect((await session(second)).name).toBe("Ada Developer");
  });

  test("cannot be created by the demo account", async () => {
    const demo = portal.visitor();
    await demo.send("POST", "/auth/demo");
    expect((await demo.send("POST", "/organisations", { name: "Demo" })).statusCode).toBe(409);
  });

  test("keeps each person's views of the log separate", async () => {
    const { owner } = await acme();
    const viewer = await join(owner, "viewer");
    const view = { name: "Errors", query: "class=5xx" };
    expect((await owner.send("POST", "/calls/views", view)).statusCode).toBe(201);
    expect((await viewer.get("/calls/views")).json().views).toEqual([]);
    expect((await viewer.send("POST", "/calls/views", view)).statusCode).toBe(201);
    await owner.send("PUT", "/session/account", { user_id: owner.userId });
    expect((await owner.get("/calls/views")).json().views).toEqual([]);
  });
});

describe("a member", () => {
  test("may do only what the role permits, and gets the reason for a refusal", async () => {
    const { owner } = await acme("Acme");
    const viewer = await join(owner, "viewer");
    await wasMailed(owner.email, `${viewer.email} is a member now, with the role viewer`);
    const refusal = await makeKey(viewer);
    expect(refusal.statusCode).toBe(403);
    expect(refusal.json().error.details).toBe(
      "Your role in Acme is viewer, which may not create, rotate or revoke API keys. Ask an owner for the role owner or developer.",
    );
    expect((await session(viewer)).organisation.refusals["keys:write"]).toBe(refusal.json().error.details);
    const { user_id } = await session(viewer);
    expect(
      (await owner.send("PATCH", `/organisation/members/${viewer.userId}`, { role: "developer" })).statusCode,
    ).toBe(204);
    expect((await makeKey(viewer, { permissions: ["beats:read"] })).statusCode).toBe(201);
    expect((await viewer.get("/organisation")).json()).toMatchObject({ id: user_id, invitations: [] });
  });

  test("immediately loses access to the organisation when removed", async () => {
    const { owner, id } = await acme();
    const developer = await join(owner, "developer");
    expect((await owner.send("DELETE", `/organisation/members/${developer.userId}`)).statusCode).toBe(204);
    expect(await session(developer)).toMatchObject({
      user_id: developer.userId,
      organisation: null,
      organisations: [],
    });
    expect((await makeKey(developer, {}, { "x-account": String(id) })).statusCode).toBe(409);
    await wasMailed(developer.email, `${developer.email} was removed from the members`);
    await wasMailed(owner.email, `${developer.email} was removed from the members`);
  });

  test("can return only with a new invitation when removed, and old keys stay revoked", async () => {
    const { owner, id } = await acme();
    const developer = await portal.signUp();
    const token = await inviteMember(owner, developer.email, "developer");
    expect((await developer.send("POST", "/invitations/accept", { token })).statusCode).toBe(204);
    const { id: keyId, key } = (await makeKey(developer, { permissions: ["genres:read"] })).json();
    const other = portal.visitor();
    await other.send("POST", "/auth/sign-in", { email: developer.email, password: testPassword });
    await other.send("PUT", "/session/account", { user_id: id });
    expect((await owner.send("DELETE", `/organisation/members/${developer.userId}`)).statusCode).toBe(204);

    for (const window of [developer, other]) {
      expect((await window.get("/keys")).json().keys).toEqual([]);
      expect((await window.get(`/keys/${keyId}/use`)).statusCode).toBe(404);
      expect((await window.send("PUT", "/session/account", { user_id: id })).statusCode).toBe(404);
      expect((await window.send("POST", "/invitations/accept", { token })).statusCode).toBe(409);
    }
    const explorer = { "x-explorer-key": String(keyId), "sec-fetch-site": "same-origin", origin: publicUrl };
    const headers = { ...explorer, cookie: developer.cookie() };
    expect((await portal.api.request({ method: "GET", url: "/v1/genres", headers })).statusCode).toBe(401);
    expect((await portal.api.get("/v1/genres", { key })).statusCode).toBe(401);

    const again = await inviteMember(owner, developer.email, "viewer");
    expect((await session(developer)).organisation).toBeNull();
    expect((await developer.send("POST", "/invitations/accept", { token: again })).statusCode).toBe(204);
    expect((await session(developer)).organisation.role).toBe("viewer");
  });

  test("can leave, but not as the last owner", async () => {
    const { owner } = await acme();
    const viewer = await join(owner, "viewer");
    const refusal = await owner.send("POST", "/organisation/leave");
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("Make another member an owner first, or delete the organisation.");
    const demoted = await owner.send("PATCH", `/organisation/members/${owner.userId}`, { role: "viewer" });
    expect(demoted.statusCode).toBe(409);
    expect((await viewer.send("POST", "/organisation/leave")).statusCode).toBe(204);
    expect(await members(owner)).toHaveLength(1);
  });

  test("becomes the owner by a transfer, and the former owner becomes a developer", async () => {
    const { owner } = await acme();
    const viewer = await join(owner, "viewer");
    expect((await owner.send("POST", "/organisation/transfer", { user_id: viewer.userId })).statusCode).toBe(204);
    expect((await members(viewer)).map(({ role }: { role: string }) => role)).toEqual(["owner", "developer"]);
    await wasMailed(owner.email, "owns it now");
    expect((await owner.send("POST", "/organisation/transfer", { user_id: viewer.userId })).statusCode).toBe(403);
  });

  test("is left as the only owner if two owners demote each other concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const { owner } = await acme();
      const other = await join(owner, "owner");
      const demote = (actor: SignedInVisitor, whom: SignedInVisitor) =>
        actor.send("PATCH", `/organisation/members/${whom.userId}`, { role: "viewer" });
      const answers = await Promise.all([demote(owner, other), demote(other, owner)]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 403]);
      expect((await members(owner)).map(({ role }: { role: string }) => role)).toEqual(["owner", "viewer"]);
    }
  });
});

test("an organisation always has an owner after concurrent actions of two owners", async () => {
  const leave = (owner: SignedInVisitor) => owner.send("POST", "/organisation/leave");
  const transfer = (owner: SignedInVisitor, to: SignedInVisitor) =>
    owner.send("POST", "/organisation/transfer", { user_id: to.userId });
  const remove = (owner: SignedInVisitor, whom: SignedInVisitor) =>
    owner.send("DELETE", `/organisation/members/${whom.userId}`);
  const races: ((one: SignedInVisitor, other: SignedInVisitor, viewer: SignedInVisitor) => Promise<unknown>[])[] = [
    (one, other) => [leave(one), leave(other)],
    (one, other) => [remove(one, other), remove(other, one)],
    (one, other) => [transfer(one, other), transfer(other, one)],
    (one, other) => [transfer(one, other), leave(other)],
    (one, other, viewer) => [transfer(one, viewer), remove(other, viewer), leave(other)],
    (one, other) => [one, other].map((each) => each.send("POST", "/account/erasure", { email: each.email })),
  ];
  for (const race of races) {
    const { owner, id } = await acme();
    const [second, viewer] = [await join(owner, "owner"), await join(owner, "viewer")];
    clock.advance(3_600_000);
    await Promise.all(race(owner, second, viewer));
    const [row] = await driver<{ owners: number }[]>`
      select count(*)::int as owners from organisation_members where organisation_id = ${id} and role = 'owner'`;
    expect([race.toString(), row?.owners]).toEqual([race.toString(), expect.toSatisfy((owners) => owners >= 1)]);
  }
});

describe("an invitation", () => {
  const find = (token: string) => portal.visitor().send("POST", "/invitations/find", { token });

  test("registers its address with one mail, which does not name the organisation", async () => {
    const { owner, id } = await acme("Buy cheap pills");
    const email = "newcomer@example.com";
    const token = await inviteMember(owner, email, "developer");
    expect(portal.mails.filter(({ to }) => to === email).map(({ text }) => text.includes("pills"))).toEqual([false]);
    expect((await find(token)).json()).toEqual({
      organisation: "Buy cheap pills",
      email,
      role: "developer",
      state: "open",
      has_account: false,
    });
    const newcomer = portal.visitor();
    const body = { token, name: "Nell", password: testPassword };
    expect((await newcomer.send("POST", "/invitations/register", body)).statusCode).toBe(204);
    expect(await session(newcomer)).toMatchObject({ user_id: id, name: "Nell", organisation: { role: "developer" } });
    expect(portal.mails.filter(({ to }) => to === email)).toHaveLength(1);
    expect((await newcomer.send("POST", "/invitations/register", body)).statusCode).toBe(409);
    expect((await find(token)).json()).toMatchObject({ state: "accepted", has_account: true });
  });

  test("expires, can be sent again, and can be revoked", async () => {
    const { owner } = await acme();
    const person = await portal.signUp();
    const first = await inviteMember(owner, person.email, "viewer");
    clock.advance(6 * dayMs);
    await session(owner);
    clock.advance(dayMs);
    expect((await find(first)).json().state).toBe("expired");
    await owner.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
    const { id } = await invitationOf(owner);
    expect((await invitationOf(owner)).has_expired).toBe(true);
    expect((await owner.send("POST", `/organisation/invitations/${id}/resend`)).statusCode).toBe(204);
    await until(async () => (await mailedToken(portal.mails, person.email)) !== first);
    const second = await mailedToken(portal.mails, person.email);
    expect((await find(first)).json().error.details).toContain("Open the link of the newest mail");
    expect((await owner.send("DELETE", `/organisation/invitations/${id}`)).statusCode).toBe(204);
    expect((await find(second)).json().state).toBe("revoked");
    await person.send("POST", "/auth/sign-in", { email: person.email, password: testPassword });
    const refusal = await person.send("POST", "/invitations/accept", { token: second });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("was revoked");
    expect((await owner.send("DELETE", `/organisation/invitations/${id}`)).statusCode).toBe(404);
  });

  test("is valid only for its address, and is refused for an invited address and for a member", async () => {
    const { owner } = await acme();
    const [ada, bob] = [await portal.signUp(), await portal.signUp()];
    const token = await inviteMember(owner, ada.email, "billing");
    const other = await bob.send("POST", "/invitations/accept", { token });
    expect(other.statusCode).toBe(403);
    expect(other.json().error.details).toContain(`Sign in to the account of ${ada.email}`);
    const again = { email: ada.email, role: "viewer" };
    expect((await owner.send("POST", "/organisation/invitations", again)).json().error.details).toContain(
      "invited already",
    );
    const responses = await Promise.all([1, 2].map(() => ada.send("POST", "/invitations/accept", { token })));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
    expect((await owner.send("POST", "/organisation/invitations", again)).json().error.details).toContain(
      "is a member already",
    );
  });

  const invitationOf = async (owner: SignedInVisitor) => {
    const [invitation] = (await owner.get("/organisation")).json().invitations;
    return invitation;
  };
});

describe("the deletion", () => {
  test("of an organisation deletes its keys and memberships", async () => {
    const { owner, id } = await acme();
    const viewer = await join(owner, "viewer");
    const { key } = (await makeKey(owner)).json();
    const { username } = (await owner.get("/organisation")).json();
    expect((await owner.send("POST", "/organisation/erasure", { username: "other" })).statusCode).toBe(400);
    expect((await owner.send("POST", "/organisation/erasure", { username })).statusCode).toBe(204);
    expect(await session(viewer)).toMatchObject({ user_id: viewer.userId, organisations: [] });
    expect(await session(owner)).toMatchObject({ user_id: owner.userId, organisations: [] });
    await wasMailed(owner.email, "it was deleted by");
    const call = { method: "GET" as const, url: "/v1/beats", headers: { authorization: `Bearer ${key}` } };
    await until(async () => (await portal.api.request(call)).statusCode === 401);
    const [row] = await driver<{ organisation: boolean }[]>`select organisation from users where id = ${id}`;
    expect(row?.organisation).toBe(false);
  });

  test("of an only owner is refused while the organisation has other members, and otherwise deletes the organisation", async () => {
    const { owner, id } = await acme("Sole");
    const other = await join(owner, "developer");
    const erase = () => owner.send("POST", "/account/erasure", { email: owner.email });
    const refusal = await erase();
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("only owner of Sole");
    await other.send("POST", "/organisation/leave");
    expect((await erase()).statusCode).toBe(204);
    const entries = await driver<{ subject: string }[]>`select subject from audit_entries where user_id = ${id}`;
    expect(JSON.stringify(entries)).not.toContain("@");
  });

  test("of a member removes the name and the IP address from the organisation's log", async () => {
    const { owner } = await acme();
    const developer = await join(owner, "developer");
    await makeKey(developer, { permissions: ["beats:read"] });
    expect((await developer.send("POST", "/account/erasure", { email: developer.email })).statusCode).toBe(204);
    const log = await owner.get("/organisation/audit");
    expect(log.body).not.toContain(developer.email);
    const erasedAuthor = { person: null, client_address: "", by: "portal" };
    expect(log.json().entries.slice(0, 2)).toMatchObject([
      { action: "api_key.revoked", ...erasedAuthor },
      { action: "api_key.created", ...erasedAuthor },
    ]);
  });
});

test("a suspended organisation is refused with the reason, and its owners get a mail", async () => {
  const operator = await portal.signUp();
  await driver`update users set operator = true where id = ${operator.userId}`;
  const { owner, id } = await acme();
  await join(owner, "viewer");
  const { key } = (await makeKey(owner)).json();
  const suspended = await operator.send("POST", `/admin/accounts/${id}/suspend`, { reason: "Spam." });
  expect(suspended.json()).toMatchObject({ email: null, suspension: { reason: "Spam." } });
  expect(suspended.json().members.map(({ role }: { role: string }) => role)).toEqual(["owner", "viewer"]);
  expect((await session(owner)).organisation.suspended_for).toBe("Spam.");
  clock.advance(1_000);
  expect((await portal.api.get("/v1/genres", { key })).json().error.details).toContain(
    "This account is suspended: Spam.",
  );
  const refusal = await owner.get("/keys");
  expect(refusal.statusCode).toBe(403);
  expect(refusal.json().error.details).toContain("This account is suspended: Spam.");
  await wasMailed(owner.email, "is suspended");
  await operator.send("POST", `/admin/accounts/${id}/unsuspend`, { reason: "Settled." });
  expect((await owner.get("/keys")).statusCode).toBe(200);
  expect((await operator.get("/admin/accounts?kind=organisations")).body).toContain(`"id":${id}`);
});
