import { sharesOf } from "@beatmarket/foundation/shares.ts";
import type { OrderWithPayment } from "./order.ts";

// One payment of a checkout pays for several orders. A movement of the whole payment, such as a dispute, is shared among
// the orders. The reference of each share is the provider's reference with the order's id: `dp_1:42`.

const separator = ":";

/** The provider's reference of the whole to which a share belongs. */
export const wholeReference = (reference: string): string => reference.split(separator, 1)[0] ?? reference;

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
    return share === 0 ? [] : [{ order, reference: `${reference}${separator}${order.id}`, amountCents: share }];
  });
}
