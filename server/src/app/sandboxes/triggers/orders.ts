import { conflict } from "@beatmarket/foundation/errors.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import { grantOf } from "../../../resources/licenses/answers/ask.ts";
import type { PublicLicense } from "../../../resources/licenses/queries.ts";
import { reportUsage } from "../../../resources/licenses/usage/report-usage.ts";
import { findHeldLicense, sumsOf } from "../../../resources/licenses/used.ts";
import { placeOrder } from "../../../resources/orders/checkout/place-order.ts";
import { paymentOf, requireProvider } from "../../../resources/orders/checkout.ts";
import { Sandbox } from "../../../resources/orders/payments/sandbox/sandbox.ts";
import { findOrderWithPayment } from "../../../resources/orders/queries.ts";
import { requestRefund } from "../../../resources/orders/refunds/request-refund.ts";
import { settle } from "../../../resources/orders/settle.ts";
import type { TestEventCall } from "../../../resources/sandboxes/control.ts";
import type { EventType } from "../../../resources/webhooks/event-types.ts";
import { beatOfOthers, type Chain, nowOf, type TriggerParts } from "./parts.ts";

const testCard = "pm_card_visa";

/** Events of orders and licenses, of which the account is the buyer. */
export const orderChains = {
  "beat.purchased": async (parts, call) => ({ orderId: (await buy(parts, call)).orderId }),
  "beat.sold_exclusively": (parts, call) => buy(parts, call, { licenseType: "exclusive" }),
  "order.refunded": async (parts, call) => {
    const { orderId } = await buy(parts, call);
    await requestRefund(parts.checkout, orderId, { amountCents: null, origin: "operator" });
    return { orderId };
  },
  "order.failed": async (parts, call) => {
    const { checkout } = parts;
    const { orderId } = await buy(parts, call, { paymentMethod: "pm_card_authenticationRequired" });
    const order = await findOrderWithPayment(checkout.db, call.caller.userId, orderId);
    const provider = requireProvider(checkout, order);
    if (!(provider instanceof Sandbox)) throw new Error("Test mode pays in the sandbox.");
    await provider.decline(orderId);
    const state = await provider.query(paymentOf(order));
    if (state !== null) await settle(checkout, orderId, state);
    return { orderId };
  },
  "license.upgraded": async (parts, call) => {
    const { checkout } = parts;
    const license = await buyLicense(parts, call);
    const { id } = await placeOrder(checkout, {
      userId: call.caller.userId,
      beatId: license.claims.beat.id,
      licenseType: "premium",
      replaces: license,
      paymentMethod: testCard,
      run: null,
      requestId: call.requestId,
    });
    return { orderId: id, licenseId: license.id };
  },
  "license.usage": async (parts, call) => {
    const { db } = parts.checkout;
    const now = nowOf(parts);
    const license = await buyLicense(parts, call);
    const sums = await sumsOf(db, license.id, grantOf(license));
    const limited = sums.find(({ limit }) => limit !== null);
    if (limited === undefined) throw conflict("The basic license has no limit in test mode, so none is reached.");
    const period = now.toISOString().slice(0, "2026-11".length);
    // 80 % is the lower of the two levels that cause an event, so only one event is caused.
    const quantity = Math.ceil((limited.limit ?? 0) * 0.8);
    const report = { use: limited.use, quantity, period, source: "Test event" };
    await reportUsage(db, parts.answers, {
      licenseId: license.id,
      userId: call.caller.userId,
      reports: [report],
      requestId: call.requestId,
      now,
    });
    return { orderId: license.claims.order_id, licenseId: license.id };
  },
} as const satisfies Partial<Record<EventType, Chain>>;

/** Buys a license of the first beat on sale that is not the account's own. */
async function buy(
  parts: Pick<TriggerParts, "checkout">,
  { caller, requestId }: TestEventCall,
  { licenseType = "basic", paymentMethod = testCard }: { licenseType?: LicenseType; paymentMethod?: string } = {},
): Promise<{ orderId: number; beatId: number }> {
  const beat = await beatOfOthers(parts, caller.userId, "first");
  const order = { userId: caller.userId, beatId: beat.id, licenseType, paymentMethod };
  const { id } = await placeOrder(parts.checkout, { ...order, run: null, requestId });
  return { orderId: id, beatId: beat.id };
}

/** Buys a basic license, and issues it with its files as `GET /orders/{order_id}/files` does. */
async function buyLicense(parts: TriggerParts, call: TestEventCall): Promise<PublicLicense> {
  const { orderId } = await buy(parts, call);
  // The request already holds a concurrency permit.
  const underPermit = <T>(work: () => Promise<T>) => work();
  const { license } = await parts.fulfilments.list({ ...call, params: { order_id: orderId }, underPermit });
  return findHeldLicense(parts.checkout.db, license.id, call.caller.userId);
}
