import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, expect, test } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { createKey } from "../../api-keys/queries.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const beats = await insertBeats(
  api.database,
  Array.from({ length: 30 }, (_, index) => ({ title: `Beat ${index}`, priceCents: 2_000 })),
);
let key: string;
let next = 0;

/** Creates a key that may spend 50.00. */
beforeEach(async () => {
  const { id } = await findOrCreateAccount(api.database.query, { email: `buyer-${next}@example.com`, name: "Buyer" });
  const request = {
    userId: id,
    name: "agent",
    plan: "internal",
    permissions: ["orders:write"],
    expiresAt: null,
  } as const;
  ({ key } = await createKey(api.database.query, { ...request, spendingCapCents: 5_000 }, clock.now()));
});

const order = (body: object = {}) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    payload: JSON.stringify({ beat_id: beats[next++ % beats.length], payment_method: "pm_card_visa", ...body }),
  });

test("a key's orders stay within its cap", async () => {
  expect((await order()).statusCode).toBe(201);
  expect((await order()).statusCode).toBe(201);
  const refusal = await order();
  expect(refusal.statusCode).toBe(403);
  expect(refusal.json().error).toMatchObject({
    code: "forbidden",
    details: expect.stringMatching(
      /may spend 50\.00 USD in 30 days, and 10\.00 USD of it is left\. Nothing was charged/,
    ),
  });
});

test("concurrent orders together stay within the cap", async () => {
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await order()).statusCode));
  expect(statuses.sort()).toEqual([201, 201, 403, 403, 403, 403]);
});

test("an exclusive license that exceeds the cap is refused, and its beat stays on sale", async () => {
  const beat = beats[next % beats.length];
  const refusal = await order({ beat_id: beat, license_type: "exclusive" });
  expect(refusal.statusCode).toBe(403);
  expect((await order({ beat_id: beat })).statusCode).toBe(201);
});

test("failed orders and orders older than 30 days do not count toward the cap", async () => {
  const declined = await order({ payment_method: "pm_card_visa_chargeDeclined" });
  expect(declined.json().data.order.status).toBe("failed");
  for (const _ of [1, 2]) expect((await order()).statusCode).toBe(201);
  expect((await order()).statusCode).toBe(403);
  clock.advance(30 * 86_400_000 + 1_000);
  expect((await order()).statusCode).toBe(201);
});
