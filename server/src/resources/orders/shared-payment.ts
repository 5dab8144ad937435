import { sharesOf } from "@beatmarket/foundation/shares.ts";
import type { OrderWithPayment } from "./order.ts";
import { shareReference } from "./provider.ts";

export interface Share {
  order: OrderWithPayment;
  reference: string;
  amountCents: number;
}

/** Divides an amount among the orders of a payment, in proportion to their prices. */
export function sharesOfOrders(orders: readonly OrderWithPayment[], reference: string, amountCents: number): Share[] {
  const shares = sharesOf(
    amountCents,
    orders.map(({ amount_cents }) => amount_cents),
  );
  return orders.flatMap((order, place) => {
    const share = shares[place] ?? 0;
    return share === 0 ? [] : [{ order, reference: shareReference(reference, order.id), amountCents: share }];
  });
}
