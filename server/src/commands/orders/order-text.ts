import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { money } from "@beatmarket/http/formats.ts";
import type { BuyersOrder, OrderDispute } from "../../resources/orders/all-orders.ts";
import { isFullyRefunded } from "../../resources/orders/order.ts";
import type { Refund } from "../../resources/orders/refunds/refund.ts";
import { tableText, wholeSecondsUtc } from "../terminal/table.ts";

export const orderJson = (order: BuyersOrder) => ({
  id: order.id,
  status: order.status,
  buyer_email: order.buyer_email,
  beat: {
    id: order.beat_id,
    title: order.title,
    producer_id: order.producer_id,
    producer_name: order.producer_name,
  },
  license_type: order.license_type,
  amount: money(order.amount_cents),
  currency: order.currency,
  payment: {
    provider: order.payment_provider,
    method: order.payment_method,
    reference: order.payment_reference,
  },
  failure_reason: order.failure_reason,
  created_at: wholeSecondsUtc(order.created_at),
  completed_at: wholeSecondsUtc(order.completed_at),
  refunded_amount: money(order.refunded_cents),
  refunded_at: wholeSecondsUtc(order.refunded_at),
});

export const refundJson = (refund: Refund) => ({
  id: refund.id,
  amount: money(refund.amount_cents),
  status: refund.status,
  origin: refund.origin,
  reference: refund.reference,
  failure_reason: refund.failure_reason,
  created_at: wholeSecondsUtc(refund.created_at),
  settled_at: wholeSecondsUtc(refund.settled_at),
});

export const disputeJson = (dispute: OrderDispute) => ({
  reference: dispute.reference,
  amount: money(dispute.amount_cents),
  reason: dispute.reason,
  status: dispute.status,
  is_withdrawn: dispute.is_withdrawn,
  opened_at: wholeSecondsUtc(dispute.opened_at),
  closed_at: wholeSecondsUtc(dispute.closed_at),
});

export const ordersText = (orders: readonly BuyersOrder[]): string =>
  tableText([
    ["ID", "CREATED", "STATUS", "BUYER", "LICENSE", "AMOUNT", "REFUNDED", "BEAT"],
    ...orders.map((order) => [
      String(order.id),
      wholeSecondsUtc(order.created_at) ?? "",
      order.status,
      order.buyer_email ?? "",
      order.license_type,
      formatAmount(order.amount_cents, order.currency),
      refundedText(order),
      `${order.beat_id} ${order.title}`,
    ]),
  ]);

export function orderText(order: BuyersOrder, refunds: readonly Refund[], disputes: readonly OrderDispute[]): string {
  const parts = [
    tableText([
      ["order", `${order.id}, ${order.status}`],
      ...(order.failure_reason === null ? [] : [["failed", order.failure_reason]]),
      ["buyer", order.buyer_email ?? `user ${order.user_id}`],
      ["beat", `${order.beat_id} ${order.title} by ${order.producer_name} (user ${order.producer_id})`],
      ["license", order.license_type],
      ["amount", formatAmount(order.amount_cents, order.currency)],
      ["paid by", [order.payment_provider, order.payment_reference, order.payment_method].filter(Boolean).join(", ")],
      ["created", wholeSecondsUtc(order.created_at) ?? ""],
      ["completed", wholeSecondsUtc(order.completed_at) ?? ""],
      ["refunded", refundedText(order)],
    ]),
  ];
  if (refunds.length > 0)
    parts.push(
      tableText([
        ["REFUND", "CREATED", "STATUS", "AMOUNT", "ORIGIN", "REFERENCE", "WHY IT FAILED"],
        ...refunds.map((refund) => [
          String(refund.id),
          wholeSecondsUtc(refund.created_at) ?? "",
          refund.status,
          formatAmount(refund.amount_cents, order.currency),
          refund.origin,
          refund.reference ?? "",
          refund.failure_reason ?? "",
        ]),
      ]),
    );
  if (disputes.length > 0)
    parts.push(
      tableText([
        ["DISPUTE", "OPENED", "STATUS", "AMOUNT", "REASON", "WITHDRAWN"],
        ...disputes.map((dispute) => [
          dispute.reference,
          wholeSecondsUtc(dispute.opened_at) ?? "",
          dispute.status,
          formatAmount(dispute.amount_cents, order.currency),
          dispute.reason,
          dispute.is_withdrawn ? "yes" : "no",
        ]),
      ]),
    );
  return parts.join("\n\n");
}

function refundedText(order: BuyersOrder): string {
  if (order.refunded_at === null) return "";
  return isFullyRefunded(order) ? "in full" : formatAmount(order.refunded_cents, order.currency);
}
