import { sharesOf } from "@beatmarket/foundation/shares.ts";
import type { OrderWithPayment } from "./order.ts";

// One payment of a checkout pays for several orders. What the provider moves of it as a whole, such as a dispute, is shared among
// them; each share has the provider's reference with the order's id: `dp_1:42`.

const separator = ":";

/** The provider's reference of what a share is a part of. */
export const wholeReference = (reference: string): string => reference.split(separator, 1)[0] ?? reference;

export interface Share {
  order: OrderWithPayment;
  reference: string;
  amountCents: number;
}

/** Shares an amount among the orders of a payment, in proportion to what they cost. */
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
