import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { afterParameter, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type, { type Static } from "typebox";
import { maxPriceCents } from "../beats/licensing/licenses.ts";
import { orderStatuses } from "./order.ts";
import { sandboxMethodList } from "./payments/sandbox/methods.ts";

const currencyCode = /^[A-Z]{3}$/;

const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, whole seconds." });

export const OrderId = Type.Object({ order_id: Type.Integer({ description: "Identifier of the order." }) });

export const OrdersQuery = Type.Object({
  ...pageParameters(20, 100),
  status: Type.Optional(Type.Enum([...orderStatuses], { description: "Only orders in this state." })),
  ...afterParameter,
});

export const OrderRequest = Type.Object(
  {
    beat_id: Type.Integer({ description: "The beat to buy." }),
    payment_method: Type.String({
      minLength: 1,
      maxLength: 255,
      "x-no-card-number": true,
      description: `How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: ${sandboxMethodList}.`,
    }),
    license_type: Type.Enum([...licenseTypes], {
      default: "basic",
      description: "The license to buy. An exclusive one sells once, and takes the beat out of the catalogue.",
    }),
    expected_amount: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxPriceCents / 100,
        multipleOf: 0.01,
        description:
          "The price that the buyer agreed to, in the currency's main unit. If the license costs another amount today, the order is 409 and nothing is charged.",
      }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: currencyCode.source,
        maxLength: 3,
        description: "The currency that the buyer agreed to, ISO 4217. If prices are in another one, the order is 409.",
      }),
    ),
  },
  { $id: "OrderRequest" },
);

export const OrderSchema = Type.Object(
  {
    id: Type.Integer(),
    status: Type.Enum([...orderStatuses], { description: "pending becomes completed or failed; both are final." }),
    beat: Type.Object(
      { id: Type.Integer(), title: Type.String(), producer_id: Type.Integer(), producer_name: Type.String() },
      { description: "The beat as it was when it was bought." },
    ),
    license_type: Type.Enum([...licenseTypes]),
    amount: Type.Number({ minimum: 0, description: "At most two decimals." }),
    currency: Type.String({ description: "ISO 4217." }),
    payment_method: Type.String(),
    failure_reason: Type.Union([Type.String(), Type.Null()], { description: "A sentence; null unless failed." }),
    created_at: time,
    completed_at: Type.Union([time, Type.Null()], { description: "Null unless completed." }),
    refunded_amount: Type.Number({
      minimum: 0,
      description: "The part of `amount` that was paid back by refunds and lost disputes. At most two decimals.",
    }),
    refunded_at: Type.Union([time, Type.Null()], {
      description: "When money was last paid back; null if none was. The order stays completed.",
    }),
    client_secret: Type.Union([Type.String(), Type.Null()], {
      description:
        "With Stripe: the secret with which Stripe's own scripts finish the payment in the buyer's browser. Null unless pending.",
    }),
    next_action: Type.Union(
      [
        Type.Object({
          type: Type.Enum(["redirect"]),
          url: Type.String({ format: "uri", description: "The page on which the buyer finishes the payment." }),
        }),
        Type.Null(),
      ],
      { description: "The buyer's next step, such as 3-D Secure: open `url`. Null unless pending." },
    ),
  },
  { $id: "Order", description: "A license that the account bought, or tried to." },
);

/** `data` of a beat.purchased event (docs/api/events.md, Payload). */
export const Purchase = Type.Object(
  {
    beat_id: Type.Integer(),
    title: Type.String(),
    producer_id: Type.Integer(),
    producer_name: Type.String(),
    license_type: Type.Enum([...licenseTypes]),
    amount: Type.Number({ minimum: 0, description: "At most two decimals." }),
    currency: Type.String({ description: "ISO 4217." }),
    purchaser_id: Type.Integer(),
  },
  { $id: "Purchase", description: "A completed purchase of a beat." },
);

/** The facts of an order in events for buyer and producer. */
const orderFacts = { order_id: Type.Integer(), ...Purchase.properties };

/** `data` of an order.refunded event. */
export const OrderRefund = Type.Object(
  {
    ...orderFacts,
    refunded_amount: Type.Number({
      minimum: 0,
      description: "The part of `amount` that was paid back so far by refunds and lost disputes. At most two decimals.",
    }),
    refunded_at: Type.Union([time, Type.Null()], {
      description: "When money was last paid back; null if all of it was returned.",
    }),
  },
  { $id: "OrderRefund", description: "The refund of an order." },
);

/** `data` of an order.failed event. */
export const OrderFailure = Type.Object(
  { ...orderFacts, failure_reason: Type.String({ description: "A sentence." }) },
  { $id: "OrderFailure", description: "An order that failed after it was placed." },
);

const orderBodies = {
  reference: Type.Object({ order: OrderSchema }),
  console: OrderSchema,
};

export const OrderResponse: ResponseSchemas = { status: 200, ...orderBodies };
export const OrderCreatedResponse: ResponseSchemas = { status: 201, ...orderBodies };

export const OrdersResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ orders: Type.Array(OrderSchema), pagination: ReferencePagination }),
  console: Type.Array(OrderSchema),
  meta: true,
};

/** Returns the price and currency that the buyer agreed to, for `placeOrder`. Throws 400 for an invalid currency. */
export function expectedOf({
  expected_amount,
  currency,
}: Pick<Static<typeof OrderRequest>, "expected_amount" | "currency">) {
  if (currency !== undefined && !currencyCode.test(currency))
    throw invalidRequest(
      `The currency field must be an ISO 4217 code in capitals, such as USD. Given: ${JSON.stringify(currency)}.`,
      "currency",
    );
  return { amountCents: expected_amount === undefined ? undefined : Math.round(expected_amount * 100), currency };
}
