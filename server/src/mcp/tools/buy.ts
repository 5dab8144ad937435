import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import Type from "typebox";
import type { Quote, Quotes } from "../quotes.ts";
import { Confirmation, type Desk, dataOf, Refusal, type Tool } from "../tool.ts";

export const buy = (quotes: Quotes): Tool => ({
  name: "buy",
  description:
    "Buy a quoted license. Without `payment_method` it returns a page on which the person pays. With one, the person confirms first, and the key's spending cap holds.",
  isReadOnly: false,
  input: Type.Object({
    quote: Type.String({ maxLength: 2_000, description: "from `quote`" }),
    payment_method: Type.Optional(Type.String({ maxLength: 100, description: "such as 'pm_card_visa'" })),
  }),
  call: async ({ quote: sealed, payment_method }, desk) => {
    const quote = quotes.open(String(sealed), desk.caller.keyId, desk.nowMs);
    if (quote === null)
      throw new Refusal(
        "The quote is not one of this key, or it is over. Nothing was bought: get another one with quote.",
      );
    const capCents = desk.caller.spendingCapCents;
    if (capCents === undefined)
      throw new Refusal(
        "This key has no spending cap, and agents buy only within one. Nothing was bought: set a spending cap on the key in the developer portal, under API keys.",
      );
    if (Math.round(quote.price * 100) > capCents)
      throw new Refusal(
        `The license costs ${priceText(quote)}, and this key may spend ${formatAmount(capCents, quote.currency)} in 30 days. Nothing was bought: raise the key's spending cap in the developer portal, or choose another license.`,
      );
    return payment_method === undefined ? openPage(quote, desk) : order(quote, String(payment_method), desk);
  },
});

/** The person pays on the checkout's page, which is the confirmation. */
async function openPage(quote: Quote, { request }: Desk): Promise<object> {
  const { checkout } = dataOf(
    await request({
      method: "POST",
      url: "/v1/checkouts",
      headers: { "idempotency-key": `mcp-checkout-${quote.id}` },
      body: { items: [{ beat_id: quote.beatId, license_type: quote.licenseType }] },
    }),
  ) as { checkout: Record<string, unknown> };
  return {
    status: "waiting_for_payment",
    page: checkout.url,
    checkout_id: checkout.id,
    amount: checkout.amount,
    currency: checkout.currency,
    expires_at: checkout.expires_at,
    next: "Give the page to the person, who pays there. Nothing is bought before.",
  };
}

async function order(quote: Quote, paymentMethod: string, desk: Desk): Promise<object | Confirmation> {
  if (!desk.canAsk)
    throw new Refusal(
      "A person has to confirm this purchase, and this client cannot ask one. Nothing was bought: call buy without payment_method, and give its page to the person.",
    );
  const confirmation = desk.confirmation(quote.id);
  if (confirmation === "declined") throw new Refusal("The person did not confirm the purchase. Nothing was bought.");
  if (confirmation === "unasked")
    return new Confirmation(
      quote.id,
      `Buy the ${quote.licenseType} license of “${quote.title}” for ${priceText(quote)}? The payment method ${paymentMethod} is charged.`,
    );
  const placed = dataOf(
    await desk.request({
      method: "POST",
      url: "/v1/orders",
      headers: { "idempotency-key": `mcp-order-${quote.id}` },
      body: {
        beat_id: quote.beatId,
        license_type: quote.licenseType,
        payment_method: paymentMethod,
        expected_amount: quote.price,
        currency: quote.currency,
      },
    }),
  ).order as Record<string, unknown>;
  return {
    order_id: placed.id,
    status: placed.status,
    amount: placed.amount,
    currency: placed.currency,
    ...(placed.failure_reason !== null && { failure_reason: placed.failure_reason }),
    next:
      placed.status === "completed"
        ? "The files are in the library of the developer portal, and at GET /v1/orders/{order_id}/files."
        : "GET /v1/orders/{order_id} says how the payment ends.",
  };
}

const priceText = ({ price, currency }: Quote): string => formatAmount(Math.round(price * 100), currency);
