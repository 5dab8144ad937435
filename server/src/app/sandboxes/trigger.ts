import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { placeOrder } from "../../resources/orders/checkout/place-order.ts";
import { type CheckoutDependencies, paymentOf, requireProvider } from "../../resources/orders/checkout.ts";
import { Sandbox } from "../../resources/orders/payments/sandbox/sandbox.ts";
import { findOrderWithPayment } from "../../resources/orders/queries.ts";
import { requestRefund } from "../../resources/orders/refunds/request-refund.ts";
import { settle } from "../../resources/orders/settle.ts";
import type { TriggerEvent } from "../../resources/sandboxes/control.ts";
import type { EventType } from "../../resources/webhooks/event-types.ts";

type Chain = (checkout: CheckoutDependencies, userId: number) => Promise<{ orderId: number }>;

/** What is done, so that an event of the type follows. */
const chains: Partial<Record<EventType, Chain>> = {
  "beat.purchased": (checkout, userId) => buy(checkout, userId, "pm_card_visa"),
  "order.refunded": async (checkout, userId) => {
    const { orderId } = await buy(checkout, userId, "pm_card_visa");
    await requestRefund(checkout, orderId, { amountCents: null, origin: "operator" });
    return { orderId };
  },
  "order.failed": async (checkout, userId) => {
    const { orderId } = await buy(checkout, userId, "pm_card_authenticationRequired");
    const order = await findOrderWithPayment(checkout.db, userId, orderId);
    const provider = requireProvider(checkout, order);
    if (!(provider instanceof Sandbox)) throw new Error("A test half pays in the sandbox.");
    await provider.decline(orderId);
    const state = await provider.query(paymentOf(order));
    if (state !== null) await settle(checkout, orderId, state);
    return { orderId };
  },
};

/** The calls with a test key that cause the other events. */
const callOf: Readonly<Record<string, string>> = {
  "beat.created": "POST /beats with status published",
  "beat.updated": "PATCH /beats/{beat_id} of a beat on sale",
  "beat.withdrawn": "DELETE /beats/{beat_id} of a beat on sale",
  "beat.publishing_failed": "POST /beats with a file that cannot be published",
  "license.upgraded": "POST /licenses/{license_id}/upgrade",
  "license.usage": "POST /licenses/{license_id}/usage beyond 80 percent of a limit",
  "upload.ready": "POST /uploads with a recording",
  "upload.rejected": "POST /uploads with a file that is no recording",
  "user.updated": "PUT /users/profile",
};

/** Makes what an event describes, for an account of a test half. */
export const eventTrigger =
  (checkout: CheckoutDependencies): TriggerEvent =>
  async (userId, type) => {
    const chain = chains[type];
    if (chain !== undefined) return chain(checkout, userId);
    const call = callOf[type];
    throw invalidRequest(
      call === undefined
        ? `type: no call with a test key causes ${type}. These are caused here: ${Object.keys(chains).join(", ")}.`
        : `type: ${type} follows from a call with your test key: ${call}. These are caused here: ${Object.keys(chains).join(", ")}.`,
      "type",
    );
  };

/** Buys the first beat on sale that is not the account's own. */
async function buy(
  checkout: CheckoutDependencies,
  userId: number,
  paymentMethod: string,
): Promise<{ orderId: number }> {
  const beat = await checkout.db
    .selectFrom("beats")
    .select("id")
    .where("is_listed", "=", true)
    .where("user_id", "<>", userId)
    .orderBy("id")
    .executeTakeFirst();
  if (beat === undefined) throw conflict("No beat of another account is on sale in this test half.");
  const order = { userId, beatId: beat.id, licenseType: "basic", paymentMethod } as const;
  return { orderId: (await placeOrder(checkout, { ...order, run: null, requestId: "test-event" })).id };
}
