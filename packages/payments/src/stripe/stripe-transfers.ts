import Stripe from "stripe";

/** A payout to a connected account, with the fields that Stripe needs. */
interface StripePayout {
  id: number;
  amount_cents: number;
  currency: string;
  /** `acct_…` */
  stripe_account: string | null;
  /**
   * The number of refusals for an insufficient balance. Part of the idempotency key, since Stripe repeats a refusal
   * under the same key.
   */
  refusals: number;
}

/** Transfers of Stripe Connect to connected accounts. */
export class StripeTransfers {
  readonly #stripe: Stripe;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  /** Returns the id of the payout's transfer; null if there is none. Throws if the amount or the currency differs. */
  async find(payout: StripePayout): Promise<string | null> {
    const { data } = await this.#stripe.transfers.list({ transfer_group: groupOf(payout), limit: 1 });
    const [transfer] = data;
    return transfer === undefined ? null : referenceOf(transfer, payout);
  }

  /** Creates the transfer. `unfunded`: the balance at Stripe does not suffice. Throws if the outcome is unknown. */
  async make(
    payout: StripePayout,
  ): Promise<{ status: "paid"; reference: string } | { status: "failed" | "unfunded"; reason: string }> {
    const { id, amount_cents, currency, stripe_account, refusals } = payout;
    if (stripe_account === null) throw new Error(`Payout ${id} is not one to Stripe.`);
    try {
      const transfer = await this.#stripe.transfers.create(
        {
          amount: amount_cents,
          currency: currency.toLowerCase(),
          destination: stripe_account,
          transfer_group: groupOf(payout),
          metadata: { payout_id: String(id) },
        },
        { idempotencyKey: `${groupOf(payout)}_${refusals}` },
      );
      return { status: "paid", reference: referenceOf(transfer, payout) };
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && error.code === "balance_insufficient")
        return {
          status: "unfunded",
          reason: `The balance at Stripe does not suffice for payout ${id}. Add to it, and resume the run.`,
        };
      if (error instanceof Stripe.errors.StripeInvalidRequestError)
        return { status: "failed", reason: `Stripe reports: ${error.message}` };
      throw error;
    }
  }
}

const groupOf = ({ id }: StripePayout): string => `payout_${id}`;

function referenceOf({ id, amount, currency, transfer_group }: Stripe.Transfer, payout: StripePayout): string {
  if (
    transfer_group !== groupOf(payout) ||
    amount !== payout.amount_cents ||
    currency !== payout.currency.toLowerCase()
  )
    throw new Error(
      `Stripe's transfer ${id} does not belong to payout ${payout.id}: look at it in Stripe's dashboard.`,
    );
  return id;
}
