import { uuidPattern } from "@beatmarket/foundation/text/uuid.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type from "typebox";
import { effectKinds } from "../discounts/discount.ts";
import { OrderSchema } from "../orders/schema.ts";
import { checkoutStatuses, maxItems } from "./checkout.ts";

const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, whole seconds." });
const maxUrlLength = 2_000;

export const CheckoutId = Type.Object({ checkout_id: Type.Integer({ description: "Identifier of the checkout." }) });

const returnAddress = (description: string) =>
  Type.Optional(Type.String({ format: "uri", maxLength: maxUrlLength, description }));

const wantedItems = Type.Array(
  Type.Object(
    {
      beat_id: Type.Integer({ description: "The beat to buy a license of. Each beat may be there once." }),
      license_type: Type.Optional(Type.Enum([...licenseTypes], { description: "The license to buy. Default: basic." })),
      upgrades_license: Type.Optional(
        Type.String({
          pattern: uuidPattern,
          description:
            "The id of a license of the beat that the account has: the item upgrades or renews it, and costs the difference. Discounts take nothing off it.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems, description: "The licenses to buy by one payment." },
);
const discountCode = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

export const QuoteRequest = Type.Object(
  {
    items: wantedItems,
    discount_code: discountCode(
      "A discount code; upper and lower case are the same. `rules` says why it does not apply.",
    ),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: "The buyer's address, for discounts that are limited for each buyer. Default: the account's.",
      }),
    ),
  },
  { $id: "QuoteRequest" },
);

export const CheckoutRequest = Type.Object(
  {
    items: wantedItems,
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: "The address for the receipt. Default: the account's.",
      }),
    ),
    success_url: returnAddress(
      "Where the page sends the buyer after the payment. `{CHECKOUT_ID}` in it becomes the checkout's id. Default: the page itself, with the files.",
    ),
    cancel_url: returnAddress("Where the page sends a buyer who does not pay. Default: the basket."),
    discount_code: discountCode(
      "A discount code; upper and lower case are the same. A code that cannot be used is refused with 409.",
    ),
  },
  { $id: "CheckoutRequest" },
);

const appliedDiscount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  code: Type.Union([Type.String(), Type.Null()], { description: "Null for a discount that needs no code." }),
  amount: Type.Number({ minimum: 0, description: "The amount that it takes off. At most two decimals." }),
});

const upgradesLicense = Type.Union([Type.String(), Type.Null()], {
  description: "The license that the item upgrades or renews; null for none.",
});
const credit = Type.Number({
  minimum: 0,
  description: "What the license in `upgrades_license` takes off the current price. At most two decimals.",
});

const CheckoutSchema = Type.Object(
  {
    id: Type.Integer(),
    url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
      description:
        "The page on which a person pays. Open it in a browser. Null only while the provider cannot be reached.",
    }),
    status: Type.Enum([...checkoutStatuses], {
      description:
        "open becomes completed with the payment, expired at `expires_at`, or cancelled when an item is gone.",
    }),
    amount: Type.Number({ minimum: 0, description: "The sum of the items. At most two decimals." }),
    currency: Type.String({ description: "ISO 4217." }),
    success_url: Type.Union([Type.String(), Type.Null()]),
    cancel_url: Type.Union([Type.String(), Type.Null()]),
    failure_reason: Type.Union([Type.String(), Type.Null()], { description: "A sentence; null unless cancelled." }),
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
          description: "The part of its price that discounts take off. At most two decimals.",
        }),
        amount: Type.Number({
          minimum: 0,
          description: "The price when the checkout was made, less credit and discount. At most two decimals.",
        }),
      }),
    ),
    discounts: Type.Array(appliedDiscount, {
      description: "The discounts that were applied, each with the amount that it took off.",
    }),
    orders: Type.Array(OrderSchema, {
      description: "One for each item, once the payment came through. Empty before.",
    }),
  },
  { $id: "Checkout", description: "One payment of one or more licenses." },
);

const QuoteSchema = Type.Object(
  {
    amount: Type.Number({ minimum: 0, description: "What a checkout of the items charges. At most two decimals." }),
    currency: Type.String({ description: "ISO 4217." }),
    items: Type.Array(
      Type.Object({
        beat_id: Type.Integer(),
        license_type: Type.Enum([...licenseTypes]),
        title: Type.String(),
        producer_name: Type.String(),
        upgrades_license: upgradesLicense,
        credit,
        price: Type.Number({ minimum: 0, description: "Today's price, less the credit. At most two decimals." }),
        discount: Type.Number({ minimum: 0, description: "The sum of discounts. At most two decimals." }),
        amount: Type.Number({ minimum: 0, description: "The amount to pay. At most two decimals." }),
        discount_id: Type.Union([Type.Integer(), Type.Null()], {
          description: "The discount that `discount` comes from.",
        }),
      }),
      { description: "In the order of the request." },
    ),
    discounts: Type.Array(appliedDiscount, { description: "The discounts that take something off." }),
    rules: Type.Array(
      Type.Object({
        id: Type.Union([Type.Integer(), Type.Null()], { description: "Of the discount; null for an unknown code." }),
        name: Type.Union([Type.String(), Type.Null()]),
        kind: Type.Union([Type.Enum([...effectKinds]), Type.Null()]),
        code: Type.Union([Type.String(), Type.Null()], { description: "Null for a discount that needs no code." }),
        applied: Type.Boolean({ description: "Whether it takes something off." }),
        reason: Type.String({ description: "A sentence: what it takes off, or why nothing." }),
        amount: Type.Number({ minimum: 0, description: "The amount that it takes off. At most two decimals." }),
      }),
      { description: "Every discount that was tried." },
    ),
  },
  { $id: "Quote", description: "What a purchase would cost, with every discount that was tried." },
);

export const QuoteResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ quote: QuoteSchema }),
  console: QuoteSchema,
};

const bodies = { reference: Type.Object({ checkout: CheckoutSchema }), console: CheckoutSchema };

export const CheckoutResponse: ResponseSchemas = { status: 200, ...bodies };
export const CheckoutCreatedResponse: ResponseSchemas = { status: 201, ...bodies };
