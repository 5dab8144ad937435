import type Stripe from "stripe";
import type { Movement, MovementKind } from "../../provider.ts";
import { idOf } from "./expandable.ts";

const perPage = 100;
/** Beyond it memory would not do; a day of the largest shop has fewer. */
const maxMovements = 1_000_000;

/** Stripe's reporting categories of what a buyer pays and gets back. Fees, payouts and the like are none of it. */
const kinds: Readonly<Record<string, MovementKind>> = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_reversal",
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
};

/**
 * The balance transactions of a period, with the amounts and the currency of their charge, refund or dispute: those of the
 * balance are converted to the account's currency, and less the fee.
 */
export async function* stripeMovements(stripe: Stripe, from: Date, to: Date): AsyncGenerator<Movement> {
  const seconds = (at: Date) => Math.ceil(at.getTime() / 1_000);
  let count = 0;
  for await (const { reporting_category, source, created } of stripe.balanceTransactions.list({
    created: { gte: seconds(from), lt: seconds(to) },
    limit: perPage,
    expand: ["data.source"],
  })) {
    if (++count > maxMovements)
      throw new Error(`Stripe lists more than ${maxMovements} balance transactions from ${from.toISOString()} on.`);
    const kind = Object.hasOwn(kinds, reporting_category) ? kinds[reporting_category] : undefined;
    if (kind === undefined || source === null || typeof source === "string") continue;
    const its = source as Stripe.Charge | Stripe.Refund | Stripe.Dispute;
    const paymentReference = idOf(its.payment_intent);
    yield {
      kind,
      // A charge is known by its payment.
      reference: kind === "charge" ? (paymentReference ?? its.id) : its.id,
      paymentKey: its.metadata?.payment_key ?? null,
      paymentReference,
      amountCents: its.amount,
      currency: its.currency.toUpperCase(),
      at: new Date(created * 1_000),
    };
  }
}
