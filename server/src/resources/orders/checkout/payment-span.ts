import { inSpan } from "@beatmarket/foundation/tracing/tracing.ts";
import type { PaidOrder } from "../order.ts";

/**
 * Runs work on an order's payment in a span of the trace in which the order was placed, whichever request or job does the work.
 * What is done to an order that was placed without a trace belongs to its own request or job.
 */
export function inPaymentSpan<T>(order: PaidOrder, work: () => Promise<T>): Promise<T> {
  const attributes = { "beatmarket.order_id": order.id, "beatmarket.payment_provider": order.payment_provider };
  return inSpan("payment", { attributes, ...(order.trace_context !== null && { parent: order.trace_context }) }, work);
}
