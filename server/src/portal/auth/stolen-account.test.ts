import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  mailedToken,
  makeKey,
  type SignedInVisitor,
  testPassword,
  testPortal,
  type Visitor,
} from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock });
const { mails } = portal;

beforeEach(() => clock.advance(3_600_000));

const endpoint = { url: "https://receiver.example/hook", description: "", event_types: null, ordered: false };
const works = async (key: string): Promise<boolean> => {
  clock.advance(501);
  return (await portal.api.get("/v1/genres", { key })).statusCode === 200;
};
const mail = async (to: string, subject: string) => {
  await until(() => mails.some((each) => each.to === to && each.subject === subject));
  return mails.findLast((each) => each.to === to && each.subject === subject)?.text ?? "";
};

interface Theft {
  owner: SignedInVisitor;
  thief: Visitor;
  owned: { key: string; endpointId: number };
  stolen: { key: string; id: number; endsWith: string; endpointId: number };
}

/** Creates an account and a thief who knows the password. In a new browser, the thief creates a key and an endpoint. */
async function theft(): Promise<Theft> {
  const owner = await portal.signUp();
  const ownersKey = (await makeKey(owner)).json();
  const ownEndpoint = (await owner.send("POST", "/webhooks/endpoints", endpoint)).json().endpoint;
  clock.advance(60_000);
  const thief = portal.visitor("192.0.2.66");
  await thief.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
  clock.advance(60_000);
  const thiefsKey = (await makeKey(thief)).json();
  const thiefsEndpoint = (await thief.send("POST", "/webhooks/endpoints", endpoint)).json().endpoint;
  return {
    owner,
    thief,
    owned: { key: ownersKey.key, endpointId: ownEndpoint.id },
    stolen: { key: thiefsKey.key, id: thiefsKey.id, endsWith: thiefsKey.ends_with, endpointId: thiefsEndpoint.id },
  };
}

async function requestReset(email: string): Promise<string> {
  await portal.visitor().send("POST", "/auth/request-reset", { email });
  await mail(email, "Choose a new password");
  return mailedToken(mails, email);
}

async function stateOf(email: string, password: string, endpointId: number) {
  const visitor = portal.visitor();
  await visitor.send("POST", "/auth/sign-in", { email, password });
  const { state, disabled_reason } = (await visitor.get(`/webhooks/endpoints/${endpointId}`)).json();
  return { state, reason: disabled_reason };
}
const suspect = { state: "disabled", reason: "Created while another person may have used the account of its creator." };

describe("a change of address that is undone", () => {
  test("revokes and lists the credentials created or changed since the thief's sign-in, including organisations' credentials", async () => {
    const { owner, thief, owned, stolen } = await theft();
    await thief.send("POST", "/account/email", { email: "thief@example.net" });
    const token = await mailedToken(mails, "thief@example.net");
    await thief.send("POST", "/auth/confirm-email", { token, password: testPassword });
    await thief.send("PATCH", `/webhooks/endpoints/${owned.endpointId}`, { url: "https://thief.example/" });
    await thief.send("POST", "/organisations", { name: "Thieves" });
    const organisations = (await makeKey(thief)).json();
    await mail(owner.email, "The address of your account was changed");
    const undo = { token: await mailedToken(mails, owner.email), password: "a new fine password" };
    expect((await portal.visitor().send("POST", "/auth/undo-email", undo)).statusCode).toBe(204);

    expect([await works(stolen.key), await works(organisations.key), await works(owned.key)]).toEqual([
      false,
      false,
      true,
    ]);
    for (const id of [stolen.endpointId, owned.endpointId])
      expect(await stateOf(owner.email, undo.password, id)).toEqual(suspect);
    const text = await mail(owner.email, "Your account has its address back");
    expect(text).toContain(`- API key ${stolen.id} (…${stolen.endsWith})\n- API key ${organisations.id} `);
    expect(text).toContain(`- webhook endpoint ${owned.endpointId}\n- webhook endpoint ${stolen.endpointId}\n`);
    expect(text).not.toMatch(/Website|receiver\.example|thief\.example/);
  });

  test("revokes the credentials created since the request, if the owner's session requested the change", async () => {
    const owner = await portal.signUp();
    const before = (await makeKey(owner)).json();
    clock.advance(1_000);
    await owner.send("POST", "/account/email", { email: "robber@example.net" });
    const token = await mailedToken(mails, "robber@example.net");
    const between = (await makeKey(owner)).json();
    await owner.send("POST", "/auth/confirm-email", { token, password: testPassword });
    const after = (await makeKey(owner)).json();
    await mail(owner.email, "The address of your account was changed");
    const undo = { token: await mailedToken(mails, owner.email), password: "a new fine password" };
    await portal.visitor().send("POST", "/auth/undo-email", undo);
    expect([await works(before.key), await works(between.key), await works(after.key)]).toEqual([true, false, false]);
  });
});

describe("a reset of the password", () => {
  test.each([false, true])(
    "revokes and lists the credentials of a new device unless keep_credentials is true: %s",
    async (keep_credentials) => {
      const { owner, owned, stolen } = await theft();
      const reset = { token: await requestReset(owner.email), password: "a new fine password" };
      const body = keep_credentials ? { ...reset, keep_credentials } : reset;
      expect((await portal.visitor().send("POST", "/auth/reset", body)).statusCode).toBe(204);
      expect([await works(owned.key), await works(stolen.key)]).toEqual([true, keep_credentials]);
      const stolenEndpoint = await stateOf(owner.email, reset.password, stolen.endpointId);
      expect(stolenEndpoint).toEqual(keep_credentials ? { state: "enabled", reason: null } : suspect);
      expect((await stateOf(owner.email, reset.password, owned.endpointId)).state).toBe("enabled");
      const text = await mail(owner.email, "Your password was changed");
      expect(text.includes(`- API key ${stolen.id} (…${stolen.endsWith})\n- webhook endpoint`)).toBe(!keep_credentials);
      expect(text).not.toContain("Website");
    },
  );

  test("revokes no credentials of an account without sign-ins of new devices", async () => {
    const owner = await portal.signUp();
    await owner.send("POST", "/auth/sign-in", { email: owner.email, password: testPassword });
    const { key } = (await makeKey(owner)).json();
    const reset = { token: await requestReset(owner.email), password: "a new fine password" };
    await portal.visitor().send("POST", "/auth/reset", reset);
    expect(await works(key)).toBe(true);
    expect(await mail(owner.email, "Your password was changed")).not.toContain("no longer works");
  });

  test("leaves no credential of a request that was admitted before its session ended", async () => {
    const { owner, thief } = await theft();
    const token = await requestReset(owner.email);
    const { driver } = portal.database;
    const proposed = (await thief.send("POST", "/keys/proposals")).json();
    const body = { proposed, name: "Late", permissions: ["beats:read"], expires_in_days: null };
    const creation = Promise.withResolvers<{ statusCode: number }>();
    await driver.begin(async (transaction) => {
      await transaction`select from users where id = ${owner.userId} for no key update`;
      void thief.send("POST", "/keys", body).then(creation.resolve, creation.reject);
      await until(async () => {
        const [row] = await driver`
          select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return Number(row?.waiting) > 0;
      });
      await transaction`delete from portal_sessions`;
    });
    expect((await creation.promise).statusCode).toBe(401);
    await portal.visitor().send("POST", "/auth/reset", { token, password: "a new fine password" });
    expect(await works(proposed.key)).toBe(false);
  });
});
