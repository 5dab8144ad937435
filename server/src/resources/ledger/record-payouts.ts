import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { producerAccountPrefix } from "./order-money.ts";

/** The account of payouts that were sent and not confirmed yet. */
const clearingAccount = "liabilities:clearing";

/** The accounts that each step of a payout debits and credits. */
const steps = {
  payout: { debit: "producer", credit: "clearing" },
  payout_paid: { debit: "clearing", credit: "assets" },
  payout_failed: { debit: "clearing", credit: "producer" },
  /** The bank returned a payout that was paid. */
  payout_returned: { debit: "assets", credit: "producer" },
} as const;

export type PayoutStep = keyof typeof steps;

export interface PayoutMovement {
  payoutId: number;
  userId: number;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** The paying account: `assets:bank`, `assets:stripe`. */
  assets: string;
}

/** Records a step of payouts, each once, in the transaction of the step. */
export async function recordPayouts(
  transaction: Queryable,
  step: PayoutStep,
  payouts: readonly PayoutMovement[],
  time: Date,
): Promise<void> {
  if (payouts.length === 0) return;
  const { debit, credit } = steps[step];
  const accounts = {
    producer: sql`${producerAccountPrefix} || user_id`,
    clearing: sql`${clearingAccount}`,
    assets: sql`assets`,
  };
  const column = <T>(value: (payout: PayoutMovement) => T) => payouts.map(value);
  await sql`
    with payout as (
      select 'payout ' || id as source, * from unnest(${column(({ payoutId }) => payoutId)}::bigint[],
          ${column(({ userId }) => userId)}::bigint[], ${column(({ amountCents }) => amountCents)}::bigint[],
          ${column(({ currency }) => currency)}::text[], ${column(({ assets }) => assets)}::text[])
        as payout (id, user_id, amount_cents, currency, assets)
    ), recorded as (
      insert into ledger_transactions (kind, source, at) select ${step}, source, ${time}::timestamptz from payout
      on conflict (source, kind) do nothing returning id, source
    )
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select recorded.id, entry.account, entry.sign * payout.amount_cents, payout.currency
    from recorded join payout using (source), lateral
      (values (${accounts[debit]}, 1), (${accounts[credit]}, -1)) as entry (account, sign)`.execute(transaction);
}
