import { money, timestamp } from "@beatmarket/http/formats.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { orderFields } from "../orders/present.ts";
import type { CheckoutWithItems } from "./checkout.ts";

/** The same record in both forms. */
const checkoutFields = (checkout: CheckoutWithItems, publicUrl: string) => ({
  id: checkout.id,
  url: checkout.url,
  status: checkout.status,
  amount: money(checkout.amount_cents),
  currency: checkout.currency,
  success_url: checkout.success_url,
  cancel_url: checkout.cancel_url,
  failure_reason: checkout.failure_reason,
  created_at: timestamp(checkout.created_at),
  expires_at: timestamp(checkout.expires_at),
  items: checkout.items.map(({ beat_id, license_type, amount_cents, title, producer_name }) => ({
    beat_id,
    license_type,
    title,
    producer_name,
    amount: money(amount_cents),
  })),
  orders: checkout.orders.map((order) => orderFields(order, publicUrl)),
});

export const checkoutReference = (checkout: CheckoutWithItems, { publicUrl }: PresenterContext) => ({
  checkout: checkoutFields(checkout, publicUrl),
});

export const checkoutConsole = (checkout: CheckoutWithItems, { publicUrl }: PresenterContext) => ({
  data: checkoutFields(checkout, publicUrl),
});
