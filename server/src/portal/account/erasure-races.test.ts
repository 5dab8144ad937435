import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { placeTestOrder } from "../../../test/harness/database/place-order.ts";
import { mailedToken, makeKey, type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";

// Requests that arrive while an account is deleted. If the request runs first, the deletion sees its result; a later
// request is refused.

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock });
const { driver } = portal.database;
beforeEach(() => clock.advance(3_600_000));

const erase = (visitor: SignedInVisitor) => visitor.send("POST", "/account/erasure", { email: visitor.email });
const countWaiting = async (): Promise<number> => {
  const [row] = await driver<{ count: string }[]>`
    select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return Number(row?.count);
};

/**
 * Starts `calls` one after the other while another transaction locks the user. Runs `within` in this transaction, ends
 * it, and returns the responses.
 */
async function whileHeld<Answer>(
  userId: number,
  calls: readonly (() => Promise<Answer>)[],
  within: (transaction: typeof driver) => Promise<unknown> = async () => {},
): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  await driver.begin(async (transaction) => {
    await transaction`select from users where id = ${userId} for update`;
    for (const call of calls) {
      answers.push(call());
      await until(async () => (await countWaiting()) === answers.length);
    }
    await within(transaction as never);
  });
  return Promise.all(answers);
}

describe("after an account was deleted", () => {
  const laterCalls: [string, (visitor: SignedInVisitor) => Promise<() => Promise<{ statusCode: number }>>][] = [
    [
      "an API key",
      async (visitor) => {
        const proposed = (await visitor.send("POST", "/keys/proposals")).json();
        const key = { name: "Late", permissions: ["genres:read"], expires_in_days: null, proposed };
        return () => visitor.send("POST", "/keys", key);
      },
    ],
    [
      "a webhook endpoint",
      async (visitor) => () =>
        visitor.send("POST", "/webhooks/endpoints", { url: "https://late.example/", event_types: null }),
    ],
    ["a profile", async (visitor) => () => visitor.send("PATCH", "/account/profile", { bio: "Late." })],
    ["an organisation", async (visitor) => () => visitor.send("POST", "/organisations", { name: "Late" })],
    [
      "an order",
      async (visitor) => {
        const [beat = 0] = await insertBeats(portal.database, [{ title: "Late" }]);
        return () =>
          placeTestOrder(portal.database, { userId: visitor.userId, beatId: beat }).then(
            () => ({ statusCode: 201 }),
            (error: ApiError) => ({ statusCode: error.status }),
          );
      },
    ],
  ];
  test.each(laterCalls)("%s is refused, although the call was admitted before the deletion", async (_what, prepare) => {
    const visitor = await portal.signUp();
    const call = await prepare(visitor);
    const answers = await whileHeld<{ statusCode: number }>(visitor.userId, [() => erase(visitor), call]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 401]);
    const [counts] = await driver`
      select (select count(*)::int from api_keys where user_id = users.id) as keys,
             (select count(*)::int from webhook_endpoints where user_id = users.id) as endpoints,
             (select count(*)::int from orders where user_id = users.id) as orders,
             (select count(*)::int from organisation_members where user_id = users.id) as organisations, bio
      from users where id = ${visitor.userId}`;
    expect(counts).toEqual({ keys: 0, endpoints: 0, orders: 0, organisations: 0, bio: null });
  });
});

test("an order that is placed during the deletion of its buyer prevents the deletion", async () => {
  const visitor = await portal.signUp();
  const [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight" }]);
  const answers: ReturnType<typeof erase>[] = [];
  await driver.begin(async (transaction) => {
    await transaction`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
                          payment_method, payment_provider, payment_key, created_at)
      select ${visitor.userId}, id, title, user_id, 'Nightowl', 'basic', 2990, 'USD', 'pending', 'pm_card_visa', 'sandbox',
             'late', now()
      from beats where id = ${beat}`;
    answers.push(erase(visitor));
    await until(async () => (await countWaiting()) === 1);
  });
  expect((await answers[0])?.statusCode).toBe(409);
});

test("an account can be deleted even if others have chosen the name that a deleted account gets", async () => {
  const visitor = await portal.signUp();
  for (const name of [`Deleted ${visitor.userId}`, `Deleted_${visitor.userId}`])
    await portal.signUp(`${name.replace(" ", "")}@example.com`.toLowerCase(), name);
  expect((await erase(visitor)).statusCode).toBe(204);
});

test("a member who becomes an owner while the organisation is deleted also gets the mail", async () => {
  const [owner, second] = [await portal.signUp(), await portal.signUp()];
  const { id } = (await owner.send("POST", "/organisations", { name: "Acme" })).json();
  await owner.send("POST", "/organisation/invitations", { email: second.email, role: "viewer" });
  const token = await mailedToken(portal.mails, second.email);
  await second.send("POST", "/invitations/accept", { token });
  const { username } = (await owner.get("/organisation")).json();
  const [erased] = await whileHeld(
    id,
    [() => owner.send("POST", "/organisation/erasure", { username })],
    (transaction) => transaction`update organisation_members set role = 'owner' where user_id = ${second.userId}`,
  );
  expect(erased?.statusCode).toBe(204);
  await until(() =>
    portal.mails.some(({ to, text }) => to === second.email && text.includes(`it was deleted by ${owner.email}`)),
  );
});

test("the creation of a key is refused if its organisation is deleted during the call", async () => {
  const owner = await portal.signUp();
  const { id } = (await owner.send("POST", "/organisations", { name: "Acme" })).json();
  const { username } = (await owner.get("/organisation")).json();
  const answers = await whileHeld(id, [
    () => owner.send("POST", "/organisation/erasure", { username }),
    () => makeKey(owner, { permissions: ["genres:read"] }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 401]);
});
