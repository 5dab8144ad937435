import { money, timestamp } from "../../http/formats.ts";
import { consoleMeta } from "../../http/pagination.ts";
import type { Page } from "../../listing/page.ts";
import type { Order } from "./order.ts";

/** The contract shows no order in the console; it is the same record there. */
const orderConsoleFields = (order: Order) => ({
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
});

export const orderConsole = (order: Order) => ({ data: orderConsoleFields(order) });

export const ordersConsole = (page: Page<Order>) => ({
  data: page.items.map(orderConsoleFields),
  meta: consoleMeta(page),
});
