import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { licenseTypes } from "../beats/licensing/licenses.ts";
import { effectKinds } from "../discounts/pricing/rule.ts";
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
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems, description: "What is bought, by one payment." },
);
const discountCode = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

export const QuoteRequest = Type.Object(
  {
    items: wantedItems,
    discount_code: discountCode("A discount code, in any case. Why it does not apply is in `rules`."),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: "Who buys: limits of discounts for each buyer count by it. Default: the account's address.",
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
        description: "Where the receipt goes. Default: the account's address.",
      }),
    ),
    success_url: returnAddress(
      "Where the page sends the buyer after the payment. `{CHECKOUT_ID}` in it becomes the checkout's id. Default: the page itself, with the files.",
    ),
    cancel_url: returnAddress("Where a buyer goes who does not pay. Default: the basket."),
    discount_code: discountCode("A discount code, in any case. One that cannot be used is 409."),
  },
  { $id: "CheckoutRequest" },
);

const appliedDiscount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  code: Type.Union([Type.String(), Type.Null()], { description: "Null for one that applies by itself." }),
  amount: Type.Number({ minimum: 0, description: "What it takes off. At most two decimals." }),
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
        discount: Type.Number({ minimum: 0, description: "What discounts take off its price. At most two decimals." }),
        amount: Type.Number({
          minimum: 0,
          description: "The price when the checkout was made, less the discount. At most two decimals.",
        }),
      }),
    ),
    discounts: Type.Array(appliedDiscount, { description: "What was taken off, by which discount." }),
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
        price: Type.Number({ minimum: 0, description: "Today's price. At most two decimals." }),
        discount: Type.Number({ minimum: 0, description: "What is taken off. At most two decimals." }),
        amount: Type.Number({ minimum: 0, description: "What is to be paid. At most two decimals." }),
        discount_id: Type.Union([Type.Integer(), Type.Null()], { description: "The discount that takes it off." }),
      }),
      { description: "In the order of the request." },
    ),
    discounts: Type.Array(appliedDiscount, { description: "Those that take something off." }),
    rules: Type.Array(
      Type.Object({
        id: Type.Union([Type.Integer(), Type.Null()], { description: "Of the discount; null for an unknown code." }),
        name: Type.Union([Type.String(), Type.Null()]),
        kind: Type.Union([Type.Enum([...effectKinds]), Type.Null()]),
        code: Type.Union([Type.String(), Type.Null()], { description: "Null for one that applies by itself." }),
        applied: Type.Boolean({ description: "Whether it takes something off." }),
        reason: Type.String({ description: "A sentence: what it takes off, or why nothing." }),
        amount: Type.Number({ minimum: 0, description: "What it takes off. At most two decimals." }),
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
