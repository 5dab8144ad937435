import { parseTraceparent, recordTraces } from "@beatmarket/foundation/testing/tracing.ts";
import { SpanStatusCode } from "@opentelemetry/api";
import { beforeEach, expect, test } from "vitest";
import { stripeApi } from "../../../../test/harness/stripe.ts";

// Recording must start before Stripe's client is created, because that client propagates the trace.
const spans = recordTraces();
const shop = await stripeApi();
const { api, clock, stripe, buy, reconcile, deliver, eventsOf } = shop;
const { driver } = api.database;

beforeEach(() => {
  spans.length = 0;
});

const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const order = (
  payment_method: string,
  traceparent = `00-${caller.traceId}-${caller.spanId}-01`,
  licenseType = "basic",
) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}`, traceparent },
    payload: { beat_id: shop.beat, payment_method, license_type: licenseType },
  });
const eventTraces = async () => {
  const rows = await driver<{ type: string; trace: string | null }[]>`select type, trace_context as trace from events`;
  return rows.map(({ trace }) => trace);
};
const payments = () => spans.filter(({ name }) => name === "payment");
const settleByWebhook = () => {
  const [intent] = stripe.account.intents.values();
  stripe.account.authenticate(intent?.id ?? "", "succeeds");
  return deliver(eventsOf("payment_intent.succeeded")[0] ?? {});
};

test("a purchase is one trace: request, statements, payment, calls to Stripe, and its events", async () => {
  expect((await order("pm_card_visa", undefined, "exclusive")).statusCode).toBe(201);
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([caller.traceId]));
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["POST /v1/orders", "postgresql with", "payment", "stripe POST"]),
  );
  const [payment] = payments();
  const events = spans.filter(({ name }) => name.startsWith("event "));
  expect(events.map(({ name }) => name)).toEqual([
    ...["event beat.purchased", "event beat.updated", "event beat.sold_exclusively"],
  ]);
  for (const event of events) expect(event.parentSpanContext?.spanId).toBe(payment?.spanContext().spanId);
  // A delivery continues these traces.
  const traces = await eventTraces();
  expect(traces.map((trace) => parseTraceparent(String(trace)).spanId).toSorted()).toEqual(
    events.map((event) => event.spanContext().spanId).toSorted(),
  );
  for (const trace of traces) expect(parseTraceparent(String(trace)).traceId).toBe(caller.traceId);
});

test("a payment that Stripe's webhook settles belongs to the trace of its order", async () => {
  await order("pm_card_authenticationRequired", undefined, "exclusive");
  spans.length = 0;
  expect((await settleByWebhook()).statusCode).toBe(200);
  const webhook = spans.find(({ name }) => name === "POST /webhooks/stripe");
  expect(webhook?.spanContext().traceId).not.toBe(caller.traceId);
  expect(payments().map((span) => span.spanContext().traceId)).toEqual([caller.traceId]);
  expect(await eventTraces()).toHaveLength(3);
  for (const trace of await eventTraces()) expect(parseTraceparent(String(trace)).traceId).toBe(caller.traceId);
});

test("a payment with an unknown outcome marks its span as failed", async () => {
  shop.trouble(/confirm$/, "unreachable");
  expect((await order("pm_card_visa")).json().data.order.status).toBe("pending");
  expect(payments().map(({ status }) => status)).toEqual([
    { code: SpanStatusCode.ERROR, message: expect.stringMatching(/./) },
  ]);
});

test("a payment that the reconciler settles or cancels belongs to the trace of its order", async () => {
  shop.trouble(/confirm$/, "unreachable");
  await order("pm_card_visa");
  stripe.trouble = () => null;
  spans.length = 0;
  await reconcile();
  expect(payments().map((span) => span.spanContext().traceId)).toEqual([caller.traceId]);
  expect(spans.filter(({ name }) => name.startsWith("stripe ")).map((span) => span.spanContext().traceId)).toContain(
    caller.traceId,
  );
  const [trace] = await eventTraces();
  expect(parseTraceparent(String(trace)).traceId).toBe(caller.traceId);

  await order("pm_card_authenticationRequired");
  spans.length = 0;
  clock.advance(24 * 60 * 60_000);
  await reconcile();
  const canceled = spans.filter(({ name }) => name.startsWith("stripe "));
  expect(canceled.length).toBeGreaterThan(0);
  for (const span of canceled) expect(span.spanContext().traceId).toBe(caller.traceId);
});

test("an order in an unsampled trace passes the trace on, and records no spans", async () => {
  await order("pm_card_visa", `00-${caller.traceId}-${caller.spanId}-00`);
  expect(spans).toEqual([]);
  const [trace] = await eventTraces();
  expect(parseTraceparent(String(trace))).toMatchObject({ traceId: caller.traceId, isSampled: false });
});

test("an order without a trace does not join the trace of the process that settles it", async () => {
  const { id } = await buy("pm_card_authenticationRequired", { licenseType: "exclusive" });
  expect(await driver`select trace_context from orders where id = ${id}`).toEqual([{ trace_context: null }]);
  await settleByWebhook();
  expect(await eventTraces()).toEqual([null, null, null]);
});
