import { uuidPattern } from "@beatmarket/foundation/text/uuid.ts";
import { money, timestamp } from "@beatmarket/http/formats.ts";
import type { PresenterContext, ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type from "typebox";
import { effectKinds } from "../discounts/discount.ts";
import { orderFields } from "../orders/present.ts";
import { OrderSchema } from "../orders/schema.ts";
import type { CheckoutWithItems } from "./checkout.ts";
import { checkoutStatuses, maxItems } from "./checkout.ts";
import type { NamedQuote } from "./quote.ts";

const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." });
const maxUrlLength = 2_000;

export const CheckoutId = Type.Object({ checkout_id: Type.Integer({ description: "Identifier of the checkout." }) });

const returnAddress = (description: string) =>
  Type.Optional(Type.String({ format: "uri", maxLength: maxUrlLength, description }));

const requestedItems = Type.Array(
  Type.Object(
    {
      beat_id: Type.Integer({ description: "The beat of which to buy a license. Each beat may be named once." }),
      license_type: Type.Optional(Type.Enum([...licenseTypes], { description: "The license to buy. Default: basic." })),
      upgrades_license: Type.Optional(
        Type.String({
          pattern: uuidPattern,
          description:
            "The id of a license of the beat that the account has. The item upgrades or renews it, and costs the difference. Discounts do not apply to it.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems, description: "The licenses to buy with one payment." },
);
const discountCode = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

export const QuoteRequest = Type.Object(
  {
    items: requestedItems,
    discount_code: discountCode(
      "A discount code. Upper and lower case are equal. If it does not apply, `rules` says why.",
    ),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: "The buyer's e-mail address, for discounts with a limit for each buyer. Default: the account's.",
      }),
    ),
  },
  { $id: "QuoteRequest" },
);

export const CheckoutRequest = Type.Object(
  {
    items: requestedItems,
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: "The e-mail address for the receipt. Default: the account's.",
      }),
    ),
    success_url: returnAddress(
      "The address to which the page sends the buyer after the payment. `{CHECKOUT_ID}` in it is replaced by the checkout's id. Default: the page itself, with the files.",
    ),
    cancel_url: returnAddress("The address to which the page sends a buyer who does not pay. Default: the basket."),
    discount_code: discountCode(
      "A discount code. Upper and lower case are equal. A code that cannot be used is refused with 409.",
    ),
  },
  { $id: "CheckoutRequest" },
);

const appliedDiscount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  code: Type.Union([Type.String(), Type.Null()], { description: "The code of the discount. Null if it needs none." }),
  amount: Type.Number({ minimum: 0, description: "The amount of the discount, with at most two decimals." }),
});

const upgradesLicense = Type.Union([Type.String(), Type.Null()], {
  description: "The license that the item upgrades or renews. Null if it does neither.",
});
const credit = Type.Number({
  minimum: 0,
  description:
    "The credit for the license in `upgrades_license`, which is subtracted from the current price. At most two decimals.",
});

const CheckoutSchema = Type.Object(
  {
    id: Type.Integer(),
    url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
      description:
        "The page on which a person pays. Open it in a browser. Null only while the provider is unreachable.",
    }),
    status: Type.Enum([...checkoutStatuses], {
      description:
        "The status. `open` becomes `completed` with the payment, `expired` at `expires_at`, or `cancelled` when it cannot be fulfilled, for example because an item is no longer for sale.",
    }),
    amount: Type.Number({ minimum: 0, description: "The sum of the items, with at most two decimals." }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    success_url: Type.Union([Type.String(), Type.Null()]),
    cancel_url: Type.Union([Type.String(), Type.Null()]),
    failure_reason: Type.Union([Type.String(), Type.Null()], {
      description: "Why the checkout was cancelled, as a sentence. Null unless it was.",
    }),
    created_at: time,
    expires_at: time,
    items: Type.Array(
      Type.Object({
        beat_id: Type.Integer(),
        license_type: Type.Enum([...licenseTypes]),
        title: Type.String(),
        producer_name: Type.String(),
        upgrades_license: upgradesLicense,
        credit,
        discount: Type.Number({
          minimum: 0,
          description: "The amount of the item's discount, with at most two decimals.",
        }),
        amount: Type.Number({
          minimum: 0,
          description: "The price at the time of the checkout, less credit and discount. At most two decimals.",
        }),
      }),
    ),
    discounts: Type.Array(appliedDiscount, {
      description: "The applied discounts, each with its amount.",
    }),
    orders: Type.Array(OrderSchema, {
      description: "One order for each item, once the payment has succeeded. Empty before.",
    }),
  },
  { $id: "Checkout", description: "One payment of one or more licenses." },
);

const QuoteSchema = Type.Object(
  {
    amount: Type.Number({
      minimum: 0,
      description: "The amount that a checkout of the items charges, with at most two decimals.",
    }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    items: Type.Array(
      Type.Object({
        beat_id: Type.Integer(),
        license_type: Type.Enum([...licenseTypes]),
        title: Type.String(),
        producer_name: Type.String(),
        upgrades_license: upgradesLicense,
        credit,
        price: Type.Number({ minimum: 0, description: "Today's price, less the credit. At most two decimals." }),
        discount: Type.Number({ minimum: 0, description: "The amount of the discount, with at most two decimals." }),
        amount: Type.Number({ minimum: 0, description: "The amount to pay, with at most two decimals." }),
        discount_id: Type.Union([Type.Integer(), Type.Null()], {
          description: "The discount that reduces the price. Null if no discount applies.",
        }),
      }),
      { description: "The items, in the order of the request." },
    ),
    discounts: Type.Array(appliedDiscount, { description: "The discounts that apply." }),
    rules: Type.Array(
      Type.Object({
        id: Type.Union([Type.Integer(), Type.Null()], {
          description: "The id of the discount. Null for an unknown code.",
        }),
        name: Type.Union([Type.String(), Type.Null()]),
        kind: Type.Union([Type.Enum([...effectKinds]), Type.Null()]),
        code: Type.Union([Type.String(), Type.Null()], {
          description: "The code of the discount. Null if it needs none.",
        }),
        applied: Type.Boolean({ description: "Whether the discount applies." }),
        reason: Type.String({ description: "A sentence: the effect of the discount, or why it does not apply." }),
        amount: Type.Number({ minimum: 0, description: "The amount of the discount, with at most two decimals." }),
      }),
      { description: "Every discount that was considered." },
    ),
  },
  { $id: "Quote", description: "The price of a purchase, with every discount that was considered." },
);

export const QuoteResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ quote: QuoteSchema }),
  console: QuoteSchema,
};

const bodies = { reference: Type.Object({ checkout: CheckoutSchema }), console: CheckoutSchema };

export const CheckoutResponse: ResponseSchemas = { status: 200, ...bodies };
export const CheckoutCreatedResponse: ResponseSchemas = { status: 201, ...bodies };

/** The fields of a checkout, equal in both forms. */
const checkoutFields = (checkout: CheckoutWithItems, publicUrl: string) => ({
  id: checkout.id,
  url: checkout.url,
  status: checkout.status,
  amount: money(checkout.amount_cents),
  currency: checkout.currency,
  success_url: checkout.success_url,
  cancel_url: checkout.cancel_url,
  failure_reason: checkout.failure_reason,
  created_at: timestamp(checkout.created_at),
  expires_at: timestamp(checkout.expires_at),
  items: checkout.items.map(
    ({
      beat_id,
      license_type,
      amount_cents,
      discount_cents,
      title,
      producer_name,
      upgrades_license,
      credit_cents,
    }) => ({
      beat_id,
      license_type,
      title,
      producer_name,
      upgrades_license,
      credit: money(credit_cents),
      discount: money(discount_cents),
      amount: money(amount_cents),
    }),
  ),
  discounts: checkout.discounts.map(({ id, name, code, amount_cents }) => ({
    id,
    name,
    code,
    amount: money(amount_cents),
  })),
  orders: checkout.orders.map((order) => orderFields(order, publicUrl)),
});

export const checkoutReference = (checkout: CheckoutWithItems, { publicUrl }: PresenterContext) => ({
  checkout: checkoutFields(checkout, publicUrl),
});

export const checkoutConsole = (checkout: CheckoutWithItems, { publicUrl }: PresenterContext) => ({
  data: checkoutFields(checkout, publicUrl),
});

/** The fields of a quote, equal in both forms. */
const quoteFields = ({ quote, currency, licenses }: NamedQuote) => ({
  amount: money(quote.totalCents),
  currency,
  items: quote.items.map((item, place) => ({
    beat_id: item.beatId,
    license_type: item.licenseType,
    title: licenses[place]?.title ?? "",
    producer_name: licenses[place]?.producer_name ?? "",
    upgrades_license: licenses[place]?.upgrades_license ?? null,
    credit: money(licenses[place]?.credit_cents ?? 0),
    price: money(item.priceCents),
    discount: money(item.discountCents),
    amount: money(item.amountCents),
    discount_id: item.ruleId,
  })),
  discounts: quote.rules.flatMap(({ rule, applied, discountCents }) =>
    rule !== null && applied ? [{ id: rule.id, name: rule.name, code: rule.code, amount: money(discountCents) }] : [],
  ),
  rules: quote.rules.map(({ rule, code, applied, reason, discountCents }) => ({
    id: rule?.id ?? null,
    name: rule?.name ?? null,
    kind: rule?.effect.kind ?? null,
    code,
    applied,
    reason,
    amount: money(discountCents),
  })),
});

export const quoteReference = (quote: NamedQuote) => ({ quote: quoteFields(quote) });

export const quoteConsole = (quote: NamedQuote) => ({ data: quoteFields(quote) });
