import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { afterParameter, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type, { type Static } from "typebox";
import { maxPriceCents } from "../beats/licensing/licenses.ts";
import { orderStatuses } from "./order.ts";
import { sandboxMethodList } from "./payments/sandbox/methods.ts";

const currencyCode = /^[A-Z]{3}$/;

const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." });

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
          "The price that the buyer agreed to, in the currency's main unit. If the license has another price today, the order is 409 and nothing is charged.",
      }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: currencyCode.source,
        maxLength: 3,
        description:
          "The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order is 409.",
      }),
    ),
  },
  { $id: "OrderRequest" },
);

export const OrderSchema = Type.Object(
  {
    id: Type.Integer(),
    status: Type.Enum([...orderStatuses], {
      description: "The status. `pending` becomes `completed` or `failed`; both are final.",
    }),
    beat: Type.Object(
      { id: Type.Integer(), title: Type.String(), producer_id: Type.Integer(), producer_name: Type.String() },
      { description: "The beat as it was at the time of the purchase." },
    ),
    license_type: Type.Enum([...licenseTypes]),
    amount: Type.Number({ minimum: 0, description: "The price of the license, with at most two decimals." }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    payment_method: Type.String(),
    failure_reason: Type.Union([Type.String(), Type.Null()], {
      description: "Why the order failed, as a sentence. Null unless it failed.",
    }),
    created_at: time,
    completed_at: Type.Union([time, Type.Null()], { description: "When the order was completed. Null unless it was." }),
    refunded_amount: Type.Number({
      minimum: 0,
      description: "The part of `amount` that was paid back by refunds and lost disputes, with at most two decimals.",
    }),
    refunded_at: Type.Union([time, Type.Null()], {
      description: "When money was last paid back. Null if none was. The order stays completed.",
    }),
    client_secret: Type.Union([Type.String(), Type.Null()], {
      description:
        "Only with Stripe: the secret with which Stripe's scripts complete the payment in the buyer's browser. Null unless the order is pending.",
    }),
    next_action: Type.Union(
      [
        Type.Object({
          type: Type.Enum(["redirect"]),
          url: Type.String({ format: "uri", description: "The page on which the buyer completes the payment." }),
        }),
        Type.Null(),
      ],
      { description: "The buyer's next step, such as 3-D Secure: open `url`. Null unless the order is pending." },
    ),
  },
  { $id: "Order", description: "The purchase of a license by the account, also if it is pending or failed." },
);

/** `data` of a beat.purchased event (docs/api/events.md, Payload). */
export const Purchase = Type.Object(
  {
    beat_id: Type.Integer(),
    title: Type.String(),
    producer_id: Type.Integer(),
    producer_name: Type.String(),
    license_type: Type.Enum([...licenseTypes]),
    amount: Type.Number({ minimum: 0, description: "The price of the license, with at most two decimals." }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
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
      description: "The part of `amount` that refunds and lost disputes have paid back so far. At most two decimals.",
    }),
    refunded_at: Type.Union([time, Type.Null()], {
      description: "When money was last paid back. Null if all refunds were returned.",
    }),
  },
  { $id: "OrderRefund", description: "The refund of an order." },
);

/** `data` of an order.failed event. */
export const OrderFailure = Type.Object(
  { ...orderFacts, failure_reason: Type.String({ description: "The reason as a sentence." }) },
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
