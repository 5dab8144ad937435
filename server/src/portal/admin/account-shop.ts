import { money } from "@beatmarket/http/formats.ts";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { beatStatuses } from "../../resources/beats/state.ts";
import { listAllOrders } from "../../resources/orders/all-orders.ts";
import { isFullyRefunded, orderStatuses } from "../../resources/orders/order.ts";
import { sumSales } from "../../resources/orders/sales/sum-sales.ts";
import { clearedBefore, readBalance } from "../../resources/payouts/balances.ts";
import { listPayouts, payoutStatuses } from "../../resources/payouts/payout.ts";
import { findPayoutAccount, type PayoutAccount } from "../../resources/payouts/payout-accounts.ts";
import { listReports, reportStates } from "../../resources/reports/report.ts";
import { searchBeats } from "../../resources/takedowns/takedowns.ts";
import { findCommission } from "../../resources/users/standing.ts";
import { closed, orNull, time } from "./shapes.ts";

/** The maximum length of each list. A separate page shows the complete list. */
const maxOrders = 5;
const soldDays = 30;
const dayMs = 86_400_000;
const amount = Type.Number({ description: "An amount with at most two decimals." });
const limitText = `At most ${maxOrders}, the newest first.`;

/** The sales, the balance and the payouts of an account. */
export const AccountShop = Type.Object(
  {
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    balance: Type.Number({
      description: "What the marketplace owes the account. Negative if the account owes the marketplace.",
    }),
    due: Type.Number({ description: "The amount that the next payout pays." }),
    payout_details: Type.Enum(["none", "set", "blocked"], {
      description: "The state of the payout details. `blocked`: the newest payout to them failed.",
    }),
    commission_basis_points: Type.Integer({ description: "The commission on new sales, in hundredths of a percent." }),
    has_own_commission: Type.Boolean({
      description:
        "Whether the operator set this commission for the account; otherwise it is the default of the service.",
    }),
    sold: Type.Array(
      Type.Object({ currency: Type.String(), sales: Type.Integer(), amount, refunded: amount }, closed),
      {
        description: `The sales of the last ${soldDays} days, summed for each currency.`,
      },
    ),
    sales: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          title: Type.String(),
          license_type: Type.String(),
          amount,
          currency: Type.String(),
          status: Type.Enum([...orderStatuses]),
          is_refunded: Type.Boolean(),
          created_at: time,
        },
        closed,
      ),
      { description: `Orders of the account's beats. ${limitText}` },
    ),
    beats: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          title: Type.String(),
          status: Type.Enum([...beatStatuses]),
          is_taken_down: Type.Boolean(),
        },
        closed,
      ),
      { description: `The account's beats that were ever published. ${limitText}` },
    ),
    payouts: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          amount,
          currency: Type.String(),
          status: Type.Enum([...payoutStatuses]),
          failure_reason: orNull(Type.String(), "Why the payout failed. Null if it did not."),
          created_at: time,
        },
        closed,
      ),
      { description: limitText },
    ),
    reports: Type.Array(
      Type.Object(
        { id: Type.Integer(), title: Type.String(), state: Type.Enum([...reportStates]), created_at: time },
        closed,
      ),
      { description: `Reports of the account's beats, also decided ones. ${limitText}` },
    ),
  },
  { $id: "AccountShop", ...closed },
);

export interface AccountShopParts {
  currency: string;
  clearingDays: number;
  commissionBasisPoints: number;
}

function payoutDetailsState(details: PayoutAccount | null): "none" | "set" | "blocked" {
  if (details === null) return "none";
  return details.blocked_reason === null ? "set" : "blocked";
}

/** Each query reads an index of the account's rows. */
export async function readAccountShop(db: Queryable, userId: number, parts: AccountShopParts, nowMs: number) {
  const { currency, clearingDays } = parts;
  const from = new Date(nowMs - soldDays * dayMs).toISOString();
  const [balance, details, commission, sold, sales, beats, payouts, reports] = await Promise.all([
    readBalance(db, userId, { currency, cleared: clearedBefore(nowMs, clearingDays) }),
    findPayoutAccount(db, userId),
    findCommission(db, userId),
    sumSales(db, { userId, from }),
    listAllOrders(db, { producerId: userId, limit: maxOrders }),
    searchBeats(db, { producerId: userId, limit: maxOrders }),
    listPayouts(db, { userId, limit: maxOrders }),
    listReports(db, { state: "all", producerId: userId, limit: maxOrders, now: new Date(nowMs) }),
  ]);
  return {
    currency,
    balance: money(balance.balanceCents),
    due: money(balance.dueCents),
    payout_details: payoutDetailsState(details),
    commission_basis_points: commission ?? parts.commissionBasisPoints,
    has_own_commission: commission !== null,
    sold: sold.map((sum) => ({
      currency: sum.currency,
      sales: sum.sales,
      amount: money(sum.sold_cents),
      refunded: money(sum.refunded_cents),
    })),
    sales: sales.map((order) => ({
      id: order.id,
      title: order.title,
      license_type: order.license_type,
      amount: money(order.amount_cents),
      currency: order.currency,
      status: order.status,
      is_refunded: isFullyRefunded(order),
      created_at: order.created_at.toISOString(),
    })),
    beats: beats.map(({ id, title, status, is_taken_down }) => ({ id, title, status, is_taken_down })),
    payouts: payouts.map(({ id, amount_cents, status, failure_reason, created_at, ...payout }) => ({
      id,
      amount: money(amount_cents),
      currency: payout.currency,
      status,
      failure_reason,
      created_at: created_at.toISOString(),
    })),
    reports: reports.map(({ id, title, state, created_at }) => ({
      id,
      title,
      state,
      created_at: created_at.toISOString(),
    })),
  };
}
