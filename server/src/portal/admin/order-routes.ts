import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { money } from "@beatmarket/http/formats.ts";
import Type, { type Static } from "typebox";
import { listInvoices } from "../../resources/invoices/queries.ts";
import { listOrderTransactions } from "../../resources/ledger/journal.ts";
import { findLicense, licenseUrl } from "../../resources/licenses/certificate.ts";
import {
  describeOrder,
  listAllOrders,
  type OrdersFilter,
  type OrderWithBuyer,
} from "../../resources/orders/all-orders.ts";
import type { SettlementDependencies } from "../../resources/orders/checkout.ts";
import { listDownloads } from "../../resources/orders/fulfilment/queries.ts";
import { isFullyRefunded, orderStatuses } from "../../resources/orders/order.ts";
import { type Refund, refundOrigins } from "../../resources/orders/refunds/refund.ts";
import { requestRefund } from "../../resources/orders/refunds/request-refund.ts";
import { InvoiceReference, invoiceReference } from "../invoices/routes.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import {
  AccountReference,
  accountReferences,
  before,
  closed,
  iso,
  listLimit,
  next,
  orNull,
  pageOf,
  reason,
  text,
  time,
  timeOrNull,
} from "./shapes.ts";

const tag = "Operate";
const OrderId = Type.Object({ order_id: Type.Integer({ description: "Identifier of the order." }) });
const amount = Type.Number({ description: "An amount in the order's currency." });

const orderFields = {
  id: Type.Integer(),
  status: Type.Enum([...orderStatuses]),
  buyer: AccountReference,
  beat: Type.Object(
    { id: Type.Integer(), title: Type.String(), producer_id: Type.Integer(), producer_name: Type.String() },
    closed,
  ),
  license_type: Type.String(),
  amount,
  currency: Type.String(),
  refunded_amount: amount,
  is_refunded: Type.Boolean({ description: "Whether the order is refunded in full." }),
  created_at: time,
};

const AdminOrders = Type.Object(
  { orders: Type.Array(Type.Object(orderFields, { $id: "AdminOrder", ...closed })), next },
  { ...closed, description: "The newest order comes first." },
);

const AdminRefund = Type.Object(
  {
    id: Type.Integer(),
    amount,
    status: Type.Enum(["pending", "succeeded", "failed"]),
    origin: Type.Enum([...refundOrigins]),
    reference: orNull(Type.String(), "The refund's id at the provider. Null until the provider assigns it."),
    failure_reason: orNull(Type.String(), "Why the refund failed. Null if it did not."),
    created_at: time,
    settled_at: timeOrNull("When the refund was settled. Null while it is pending."),
  },
  { $id: "AdminRefund", ...closed },
);

const AdminOrderDetail = Type.Object(
  {
    ...orderFields,
    payment: Type.Object(
      {
        provider: Type.String(),
        method: Type.String(),
        reference: orNull(Type.String(), "The payment's id at the provider. Null until the provider assigns it."),
      },
      closed,
    ),
    failure_reason: orNull(Type.String(), "Why the order failed. Null if it did not."),
    request_id: orNull(Type.String(), "The id of the request that placed the order."),
    completed_at: timeOrNull("When the order was completed. Null if it was not."),
    refundable_amount: Type.Number({
      description: "The largest amount that can be refunded, without regard to disputes.",
    }),
    refunds: Type.Array(AdminRefund),
    disputes: Type.Array(
      Type.Object(
        {
          reference: Type.String(),
          amount,
          reason: Type.String(),
          status: Type.Enum(["open", "won", "lost"]),
          is_withdrawn: Type.Boolean({ description: "Whether the bank has taken the money." }),
          opened_at: time,
          closed_at: timeOrNull("When the dispute was closed. Null while it is open."),
        },
        closed,
      ),
    ),
    certificate: orNull(
      Type.Object({ url: Type.String(), issued_at: time }, closed),
      "The certificate of the license. Null until the buyer requests the files.",
    ),
    invoices: Type.Array(InvoiceReference, { description: "Invoices and credit notes, the oldest first." }),
    downloads: Type.Array(Type.Object({ kind: Type.String(), downloaded_at: time }, closed)),
    ledger: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          kind: Type.String(),
          at: time,
          entries: Type.Array(
            Type.Object(
              {
                account: Type.String(),
                amount: Type.Number({ description: "The amount of the entry. Debits are positive." }),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { description: "The movements of money, the oldest first." },
    ),
  },
  { $id: "AdminOrderDetail", ...closed },
);

/** The operators' routes for orders and refunds. */
export const adminOrderRoutes = (checkout: SettlementDependencies): PortalRoute[] => [
  operatorRoute({
    operationId: "listAdminOrders",
    method: "GET",
    path: "/admin/orders",
    tag,
    summary: "List the orders of all accounts, newest first",
    query: Type.Object({
      q: text(
        254,
        "The buyer's e-mail address, the payment's id at the provider, or a part of the beat's title or of the producer's name. A text without three consecutive letters or digits is searched in the newest 10,000 orders only.",
      ),
      buyer: Type.Optional(Type.Integer({ description: "Only orders of this account." })),
      status: Type.Optional(Type.Enum([...orderStatuses], { description: "Only orders in this state." })),
      before,
    }),
    response: AdminOrders,
    handle: async ({ db, query: { q, buyer: buyerId, status, before: beforeId } }) => {
      const filter: OrdersFilter = { buyerId, status, ...(q?.includes("@") ? { email: q } : { text: q }) };
      const page = pageOf(await listAllOrders(db, { ...filter, beforeId, limit: listLimit + 1 }));
      const accountOf = await accountReferences(
        db,
        page.items.map(({ user_id }) => user_id),
      );
      return { orders: page.items.map((order) => orderJson(order, accountOf(order.user_id))), next: page.next };
    },
  }),
  operatorRoute({
    operationId: "getAdminOrder",
    method: "GET",
    path: "/admin/orders/:order_id",
    tag,
    summary: "Get an order with its payment, refunds, disputes, ledger entries and certificate",
    params: OrderId,
    response: AdminOrderDetail,
    handle: async ({ db, params: { order_id: id } }) => {
      const { order, refunds, disputes } = await describeOrder(db, id);
      const [license, invoices, downloads, ledger, accountOf] = await Promise.all([
        findLicense(db, id),
        listInvoices(db, [id]),
        listDownloads(db, [id]),
        listOrderTransactions(db, id),
        accountReferences(db, [order.user_id]),
      ]);
      const reserved = refunds.reduce(
        (sum, { status, amount_cents }) => sum + (status === "failed" ? 0 : amount_cents),
        0,
      );
      const withdrawn = disputes.reduce((sum, dispute) => sum + (dispute.is_withdrawn ? dispute.amount_cents : 0), 0);
      return {
        ...orderJson(order, accountOf(order.user_id)),
        payment: {
          provider: order.payment_provider,
          method: order.payment_method,
          reference: order.payment_reference,
        },
        failure_reason: order.failure_reason,
        request_id: order.request_id,
        completed_at: iso(order.completed_at),
        refundable_amount:
          order.status === "completed" ? money(Math.max(0, order.amount_cents - reserved - withdrawn)) : 0,
        refunds: refunds.map(refundJson),
        disputes: disputes.map(({ amount_cents, opened_at, closed_at, ...dispute }) => ({
          ...dispute,
          amount: money(amount_cents),
          opened_at: opened_at.toISOString(),
          closed_at: iso(closed_at),
        })),
        certificate: license && {
          url: licenseUrl(checkout.publicUrl, license.id),
          issued_at: license.issuedAt.toISOString(),
        },
        invoices: invoices.map(invoiceReference),
        downloads: downloads.map(({ kind, downloaded_at }) => ({ kind, downloaded_at: downloaded_at.toISOString() })),
        ledger: ledger.map(({ id: entryId, kind, at, entries }) => ({
          id: entryId,
          kind,
          at: new Date(at).toISOString(),
          entries: entries.map(({ account, amount_cents }) => ({ account, amount: money(amount_cents) })),
        })),
      };
    },
  }),
  operatorRoute({
    operationId: "refundOrder",
    movesMoney: true,
    method: "POST",
    path: "/admin/orders/:order_id/refunds",
    tag,
    summary: "Refund an order in full or in part; with an Idempotency-Key, a repeated request never refunds twice",
    params: OrderId,
    body: Type.Object({
      amount: orNull(
        Type.Number({ exclusiveMinimum: 0, maximum: 21_474_836.47 }),
        "The amount, with at most two decimals. Null refunds all that is left, which ends the license.",
      ),
      reason,
    }),
    status: 201,
    response: AdminRefund,
    refusals: [409],
    idempotent: true,
    changesContent: () => true,
    handle: async ({ params, body, author, idempotencyRun }) => {
      const amountCents = body.amount === null ? null : cents(body.amount);
      const request = { amountCents, origin: "operator", run: idempotencyRun, author, reason: body.reason } as const;
      return refundJson(await requestRefund(checkout, params.order_id, request));
    },
  }),
];

function cents(amount: number): number {
  const rounded = Math.round(amount * 100);
  if (Math.abs(rounded - amount * 100) > 1e-6 || rounded < 1)
    throw invalidRequest("The amount field must be 0.01 or more, with at most two decimals.", "amount");
  return rounded;
}

const orderJson = (order: OrderWithBuyer, buyer: Static<typeof AccountReference>) => ({
  id: order.id,
  status: order.status,
  buyer,
  beat: {
    id: order.beat_id,
    title: order.title,
    producer_id: order.producer_id,
    producer_name: order.producer_name,
  },
  license_type: order.license_type,
  amount: money(order.amount_cents),
  currency: order.currency,
  refunded_amount: money(order.refunded_cents),
  is_refunded: isFullyRefunded(order),
  created_at: order.created_at.toISOString(),
});

const refundJson = (refund: Refund) => ({
  id: refund.id,
  amount: money(refund.amount_cents),
  status: refund.status,
  origin: refund.origin,
  reference: refund.reference,
  failure_reason: refund.failure_reason,
  created_at: refund.created_at.toISOString(),
  settled_at: iso(refund.settled_at),
});
