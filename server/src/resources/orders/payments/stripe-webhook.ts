import type { FastifyInstance } from "fastify";
import { invalidRequest } from "../../../errors.ts";
import { type Checkout, paymentOf } from "../checkout/checkout.ts";
import { settle } from "../checkout/settle.ts";
import { findOrderByPaymentKey } from "../queries.ts";
import type { StripePayments } from "./stripe.ts";

const maxBodyBytes = 1_000_000;

/**
 * Where Stripe tells what became of payments. It repeats itself and does not keep an order, which is no matter:
 * `settle` takes the first word on an order and is deaf to later ones.
 */
export async function stripeWebhook(
  app: FastifyInstance,
  { stripe, checkout }: { stripe: StripePayments; checkout: Checkout },
): Promise<void> {
  // The signature is over the bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post("/webhooks/stripe", { bodyLimit: maxBodyBytes }, async (request) => {
    const signature = request.headers["stripe-signature"];
    const told = readOrRefuse(() =>
      stripe.readWebhook(request.body as Buffer, String(signature), checkout.clock.nowMs()),
    );
    const order = told === null ? undefined : await findOrderByPaymentKey(checkout.db, told.paymentKey);
    if (told !== null && order !== undefined) await settle(checkout, order.id, told.stateOf(paymentOf(order)));
    return { received: true };
  });
}

function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw invalidRequest("The Stripe-Signature header is missing, too old, or not of this body.", "Stripe-Signature");
  }
}
