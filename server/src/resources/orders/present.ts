import { money, timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { type Order, paymentPagePath } from "./order.ts";

/** The fields of an order, which are the same in both forms. */
export const orderFields = (order: Order, publicUrl: string) => ({
  id: order.id,
  status: order.status,
  beat: {
    id: order.beat_id,
    title: order.title,
    producer_id: order.producer_id,
    producer_name: order.producer_name,
  },
  license_type: order.license_type,
  amount: money(order.amount_cents),
  currency: order.currency,
  payment_method: order.payment_method,
  failure_reason: order.failure_reason,
  created_at: timestamp(order.created_at),
  completed_at: order.completed_at === null ? null : timestamp(order.completed_at),
  refunded_amount: money(order.refunded_cents),
  refunded_at: order.refunded_at === null ? null : timestamp(order.refunded_at),
  client_secret: order.status === "pending" ? order.client_secret : null,
  next_action:
    order.status === "pending" && order.awaits_buyer
      ? { type: "redirect" as const, url: publicUrl + paymentPagePath(order.payment_key) }
      : null,
});

export const orderReference = (order: Order, { publicUrl }: PresenterContext) => ({
  order: orderFields(order, publicUrl),
});

export const ordersReference = (page: Page<Order>, context: PresenterContext) => ({
  orders: page.items.map((order) => orderFields(order, context.publicUrl)),
  pagination: referencePagination(page, context),
});

/** `data` of a beat.purchased event (docs/api/events.md, Payload). */
export const purchaseReference = (order: Order) => ({
  beat_id: order.beat_id,
  title: order.title,
  producer_id: order.producer_id,
  producer_name: order.producer_name,
  license_type: order.license_type,
  amount: money(order.amount_cents),
  currency: order.currency,
  purchaser_id: order.user_id,
});

/** `data` of an order.refunded event. */
export const refundReference = (order: Order) => ({
  order_id: order.id,
  ...purchaseReference(order),
  refunded_amount: money(order.refunded_cents),
  refunded_at: order.refunded_at === null ? null : timestamp(order.refunded_at),
});

/** `data` of an order.failed event. */
export const failureReference = (order: Order) => ({
  order_id: order.id,
  ...purchaseReference(order),
  failure_reason: order.failure_reason ?? "",
});

/** `data` of a license.upgraded event. */
export const upgradeReference = (order: Order, replacedLicenseId: string) => ({
  order_id: order.id,
  ...purchaseReference(order),
  replaced_license_id: replacedLicenseId,
});

export const orderConsole = (order: Order, { publicUrl }: PresenterContext) => ({
  data: orderFields(order, publicUrl),
});

export const ordersConsole = (page: Page<Order>, { publicUrl }: PresenterContext) => ({
  data: page.items.map((order) => orderFields(order, publicUrl)),
  meta: consoleMeta(page),
});
