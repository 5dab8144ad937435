import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { unpromised } from "../../../../test/harness/documents/promised-responses.ts";
import type { SettlementDependencies } from "../checkout.ts";
import { Sandbox } from "../payments/sandbox/sandbox.ts";
import { requestRefund } from "./request-refund.ts";

const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const api = await testApi({ clock });
const { query: db } = api.database;
const publicUrl = "https://beats.example";
const log = pino({ level: "silent" });
const checkout: SettlementDependencies = {
  db,
  clock,
  log,
  payments: [new Sandbox(db)],
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
  publicUrl,
};

let beat = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(api.database, [{ title: "Refunded", priceCents: 2990 }]);
});

const data = async (path: string) => (await api.get(`/v1${path}`)).json().data;
const buy = async (license_type: string) => {
  const response = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
    payload: JSON.stringify({ beat_id: beat, payment_method: "pm_card_visa", license_type }),
  });
  return { statusCode: response.statusCode, order: response.json().data?.order };
};
const refund = (orderId: number, amountCents: number | null = null) =>
  requestRefund(checkout, orderId, { amountCents, origin: "operator" });

test("an order shows the refunded amount and the time of the last refund", async () => {
  const { order } = await buy("basic");
  expect(order).toMatchObject({ refunded_amount: 0, refunded_at: null });
  await refund(order.id, 990);
  clock.advance(60_000);
  const response = await api.get(`/v1/orders/${order.id}`);
  expect(unpromised("getOrder", response)).toBeNull();
  expect(response.json().data.order).toMatchObject({
    status: "completed",
    refunded_amount: 9.9,
    refunded_at: "2026-05-01T09:30:00Z",
  });
  await refund(order.id);
  expect((await data(`/orders/${order.id}`)).order).toMatchObject({
    status: "completed",
    refunded_amount: 29.9,
    refunded_at: "2026-05-01T09:31:00Z",
  });
});

test("a full refund puts a sold beat back into lists, search and changes, and the beat can be bought again", async () => {
  const { order } = await buy("exclusive");
  const isListed = async () =>
    [(await data("/beats?limit=100")).beats, (await data("/search?q=Refunded")).beats].map((beats) =>
      beats.some(({ id }: { id: number }) => id === beat),
    );
  const availability = async () =>
    (await data(`/beats/${beat}`)).beat.licenses.map(({ available }: { available: boolean }) => available);
  expect(await isListed()).toEqual([false, false]);
  expect(await availability()).toEqual([false, false, false, false]);
  const { next: after } = await data("/changes");

  await refund(order.id, 100);
  expect((await buy("basic")).statusCode).toBe(409);
  await refund(order.id);
  // The refund does not go through the API, so the API's lists change only after a notification.
  await eventually(async () => expect(await isListed()).toEqual([true, true]));
  expect(await availability()).toEqual([true, true, true, true]);
  const { changes } = await data(`/changes?after=${after}`);
  expect(changes).toMatchObject([{ type: "published", beat_id: beat, beat: { id: beat } }]);

  expect((await buy("basic")).statusCode).toBe(201);
  const secondSale = await buy("exclusive");
  expect(secondSale.order).toMatchObject({ status: "completed" });
  expect(await isListed()).toEqual([false, false]);
  await refund(secondSale.order.id);
  await eventually(async () => expect(await isListed()).toEqual([true, true]));
});

test("each refund emits order.refunded to buyer and producer, with the total refunded amount", async () => {
  const { order } = await buy("basic");
  const times = [clock.now().toISOString(), new Date(clock.nowMs() + 1_000).toISOString()];
  await refund(order.id, 990);
  clock.advance(1_000);
  await refund(order.id);
  const events = await db
    .selectFrom("events")
    .select(["payload", "audience"])
    .where("type", "=", "order.refunded")
    .where((eb) => eb(sql<number>`(payload::jsonb -> 'data' ->> 'order_id')::bigint`, "=", order.id))
    .orderBy("id")
    .execute();
  const { id, title, producer_id, producer_name } = order.beat;
  const facts = { order_id: order.id, beat_id: id, title, producer_id, producer_name, license_type: "basic" };
  const money = { amount: 29.9, currency: "USD", purchaser_id: api.userId };
  expect(events.map(({ payload, audience }) => [JSON.parse(payload).data, audience])).toEqual(
    [9.9, 29.9].map((refunded_amount, turn) => [
      { ...facts, ...money, refunded_amount, refunded_at: times[turn]?.replace(/\.\d+/, "") },
      [producer_id, api.userId],
    ]),
  );
});
