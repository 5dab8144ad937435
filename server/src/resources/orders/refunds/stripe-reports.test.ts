import { expect, test } from "vitest";
import { stripeApi } from "../../../../test/harness/stripe.ts";

const shop = await stripeApi();
const { api, stripe, buy, orderOf, paidOrderOf, deliver, eventsOf } = shop;
const { driver } = api.database;

const intentOf = async (orderId: number) => (await paidOrderOf(orderId)).payment_reference ?? "";
/** Delivers the newest event of a type three times concurrently. */
const report = async (type: string) => {
  const event = eventsOf(type).at(-1) ?? {};
  for (const { statusCode } of await Promise.all([deliver(event), deliver(event), deliver(event)]))
    expect(statusCode).toBe(200);
};

test("refunds from Stripe's dashboard are applied once, and reversed when the bank returns them", async () => {
  const { id } = await buy("pm_card_visa");
  const payment_intent = await intentOf(id);
  stripe.account.refund(new URLSearchParams({ payment_intent, amount: "990" }));
  await report("refund.created");
  expect(await orderOf(id)).toMatchObject({ status: "completed", refunded_cents: 990 });
  const secondRefund = stripe.account.refund(new URLSearchParams({ payment_intent, amount: "2000" }));
  await report("refund.created");
  await report("charge.refunded");
  expect(await orderOf(id)).toMatchObject({ refunded_cents: 2990 });
  const created = eventsOf("refund.created").at(-1) ?? {};
  stripe.account.finishRefund(secondRefund.id, "fails");
  await report("refund.failed");
  // An older event only causes another query of the current state.
  await deliver(created);
  expect(await orderOf(id)).toMatchObject({ refunded_cents: 990 });
  expect(await driver`select origin, status, amount_cents from refunds order by id`).toEqual([
    { origin: "provider", status: "succeeded", amount_cents: 990 },
    { origin: "provider", status: "failed", amount_cents: 2000 },
  ]);
});

test.each([
  ["lost", 2990],
  ["won", 0],
] as const)("a dispute that is %s refunds %i cents", async (outcome, refunded) => {
  const { id } = await buy("pm_card_createDispute");
  const reference = [...stripe.account.disputes.keys()].at(-1) ?? "";
  await report("charge.dispute.created");
  expect(await orderOf(id)).toMatchObject({ refunded_cents: 0 });
  stripe.account.closeDispute(reference, outcome);
  await report("charge.dispute.closed");
  await report("charge.dispute.created");
  expect(await orderOf(id)).toMatchObject({ status: "completed", refunded_cents: refunded });
  expect(await driver`select status from disputes where reference = ${reference}`).toEqual([{ status: outcome }]);
});

test("a refund of an unknown payment is accepted, and changes no order", async () => {
  const { id } = await buy("pm_card_visa");
  stripe.account.refund(new URLSearchParams({ payment_intent: await intentOf(id) }));
  const [event] = eventsOf("refund.created").slice(-1);
  const foreign = JSON.parse(JSON.stringify(event).replaceAll(await intentOf(id), "pi_somebody_elses"));
  expect((await deliver(foreign)).statusCode).toBe(200);
  expect(await orderOf(id)).toMatchObject({ refunded_cents: 0 });
});
