import { route } from "@beatmarket/http/pipeline/api-route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type from "typebox";
import { LicenseId } from "../licenses/answers/schema.ts";
import { findHeldLicense } from "../licenses/used.ts";
import { placeOrder } from "./checkout/place-order.ts";
import type { CheckoutDependencies } from "./checkout.ts";
import { orderConsole, orderReference, ordersConsole, ordersReference } from "./present.ts";
import { findOrder, listOrders } from "./queries.ts";
import {
  expectedOf,
  OrderCreatedResponse,
  OrderId,
  OrderRequest,
  OrderResponse,
  OrdersQuery,
  OrdersResponse,
  Purchase,
} from "./schema.ts";

export const orderRoutes = (checkout: CheckoutDependencies) => [
  route({
    operationId: "listOrders",
    client: "orders.list",
    method: "GET",
    path: "/orders",
    tag: "Orders",
    summary: "List your orders",
    description: "Returns the orders of the key's account, newest first, one page at a time.",
    permission: "orders:read",
    query: OrdersQuery,
    response: OrdersResponse,
    present: { reference: ordersReference, console: ordersConsole },
    examples: {
      success: { parameters: { status: "completed", limit: 2 } },
      invalid: { parameters: { status: "shipped" } },
    },
    handle: ({ db, caller, query }) => listOrders(db, { ...query, userId: caller.userId }),
  }),
  route({
    operationId: "createOrder",
    client: "orders.create",
    method: "POST",
    path: "/orders",
    tag: "Orders",
    summary: "Buy a license",
    description:
      "Buys a license of a beat and returns the order. With `expected_amount` and `currency`, it buys only at the price that the buyer agreed to. A declined payment is an order, too: `failed`, with its `failure_reason`. A repeated request with the same `Idempotency-Key` within 24 hours does not buy again.",
    permission: "orders:write",
    body: OrderRequest,
    response: OrderCreatedResponse,
    present: { reference: orderReference, console: orderConsole },
    changesContent: ({ license_type }) => license_type === "exclusive",
    idempotent: true,
    location: ({ id }) => `/orders/${id}`,
    examples: {
      success: {
        body: {
          beat_id: 1,
          payment_method: "pm_card_visa",
          license_type: "premium",
          expected_amount: 59.9,
          currency: "USD",
        },
      },
      invalid: { body: { beat_id: 1 } },
      missing: { body: { beat_id: 999999, payment_method: "pm_card_visa" } },
      conflict: {
        headers: { "idempotency-key": "an-earlier-purchase" },
        body: { beat_id: 3, payment_method: "pm_card_visa" },
      },
    },
    handle: ({ caller, requestId, body, idempotencyRun }) =>
      placeOrder(checkout, {
        userId: caller.userId,
        apiKey: { id: caller.keyId, spendingCapCents: caller.spendingCapCents },
        beatId: body.beat_id,
        licenseType: body.license_type,
        paymentMethod: body.payment_method,
        expected: expectedOf(body),
        run: idempotencyRun,
        requestId,
      }),
  }),
  route({
    operationId: "getOrder",
    client: "orders.get",
    method: "GET",
    path: "/orders/:order_id",
    tag: "Orders",
    summary: "Get one of your orders",
    description: "Returns an order of the key's account. An order of another account is 404.",
    permission: "orders:read",
    params: OrderId,
    response: OrderResponse,
    present: { reference: orderReference, console: orderConsole },
    examples: {
      success: { parameters: { order_id: 1 } },
      invalid: { parameters: { order_id: "latest" } },
      missing: { parameters: { order_id: 999999 } },
    },
    handle: ({ db, caller, params }) => findOrder(db, caller.userId, params.order_id),
  }),
];

/** A license in the demo catalogue of the contract tests. */
const exampleLicense = "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60";

export const upgradeRoutes = (checkout: CheckoutDependencies) => [
  route({
    operationId: "upgradeLicense",
    client: "licenses.upgrade",
    method: "POST",
    path: "/licenses/:license_id/upgrade",
    tag: "Licenses",
    summary: "Upgrade or renew a license",
    description:
      "Buys a higher license for the difference: the price of the higher license today, less the payments for the present license and those before it. With the same type it renews the license at today's price; this is possible from 90 days before its last day. Returns the order, whose license replaces the present one as soon as it is completed. With `expected_amount` and `currency`, it buys only at the amount that the buyer agreed to. A declined payment is an order, too. A repeated request with the same `Idempotency-Key` within 24 hours does not buy again.",
    permission: "orders:write",
    params: LicenseId,
    body: UpgradeRequest,
    response: OrderCreatedResponse,
    present: { reference: orderReference, console: orderConsole },
    changesContent: ({ license_type }) => license_type === "exclusive",
    idempotent: true,
    location: ({ id }) => `/orders/${id}`,
    examples: {
      success: {
        parameters: { license_id: exampleLicense },
        headers: { "idempotency-key": "an-upgrade" },
        body: { license_type: "premium", payment_method: "pm_card_visa" },
      },
      invalid: { parameters: { license_id: exampleLicense }, body: { license_type: "premium" } },
      missing: {
        parameters: { license_id: "00000000-0000-4000-8000-000000000000" },
        body: { license_type: "premium", payment_method: "pm_card_visa" },
      },
      conflict: {
        parameters: { license_id: exampleLicense },
        body: { license_type: "basic", payment_method: "pm_card_visa" },
      },
    },
    handle: async ({ db, caller, requestId, params, body, idempotencyRun }) => {
      const license = await findHeldLicense(db, params.license_id, caller.userId);
      return placeOrder(checkout, {
        userId: caller.userId,
        apiKey: { id: caller.keyId, spendingCapCents: caller.spendingCapCents },
        beatId: license.claims.beat.id,
        licenseType: body.license_type,
        replaces: license,
        paymentMethod: body.payment_method,
        expected: expectedOf(body),
        run: idempotencyRun,
        requestId,
      });
    },
  }),
];

const { payment_method, expected_amount, currency } = OrderRequest.properties;

const UpgradeRequest = Type.Object(
  {
    license_type: Type.Enum([...licenseTypes], {
      description: "A license higher than the present one; or the same one, to renew it.",
    }),
    payment_method,
    expected_amount,
    currency,
  },
  { $id: "UpgradeRequest" },
);

/** `data` of a license.upgraded event. */
export const LicenseUpgrade = Type.Object(
  {
    order_id: Type.Integer(),
    ...Purchase.properties,
    replaced_license_id: Type.String({ description: "The license that the new one replaces." }),
  },
  { $id: "LicenseUpgrade", description: "A license that was upgraded or renewed." },
);
