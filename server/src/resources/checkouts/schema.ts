import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { licenseTypes } from "../beats/licensing/licenses.ts";
import { OrderSchema } from "../orders/schema.ts";
import { checkoutStatuses, maxItems } from "./checkout.ts";

const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, whole seconds." });
const maxUrlLength = 2_000;

export const CheckoutId = Type.Object({ checkout_id: Type.Integer({ description: "Identifier of the checkout." }) });

const returnAddress = (description: string) =>
  Type.Optional(Type.String({ format: "uri", maxLength: maxUrlLength, description }));

export const CheckoutRequest = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          beat_id: Type.Integer({ description: "The beat to buy a license of. Each beat may be there once." }),
          license_type: Type.Optional(
            Type.Enum([...licenseTypes], { description: "The license to buy. Default: basic." }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems, description: "What is bought, by one payment." },
    ),
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
    discount_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A discount code. One that is unknown or over is 409.",
      }),
    ),
  },
  { $id: "CheckoutRequest" },
);

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
        amount: Type.Number({ minimum: 0, description: "The price when the checkout was made. At most two decimals." }),
      }),
    ),
    orders: Type.Array(OrderSchema, {
      description: "One for each item, once the payment came through. Empty before.",
    }),
  },
  { $id: "Checkout", description: "One payment of one or more licenses." },
);

const bodies = { reference: Type.Object({ checkout: CheckoutSchema }), console: CheckoutSchema };

export const CheckoutResponse: ResponseSchemas = { status: 200, ...bodies };
export const CheckoutCreatedResponse: ResponseSchemas = { status: 201, ...bodies };
