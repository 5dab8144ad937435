import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { byteOrderMark, csvText } from "@beatmarket/foundation/text/csv.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { commissionAccount, producerAccountPrefix } from "../ledger/order-money.ts";

export interface StatementLine {
  at: Date;
  kind: string;
  orderId: number | null;
  title: string | null;
  cents: number;
}

/**
 * The movements of an account in a month, from the ledger. An amount is positive if it adds to the balance (a sale),
 * and negative if it reduces the balance (a refund, a payout).
 */
export interface Statement {
  month: string;
  currency: string;
  openingCents: number;
  lines: StatementLine[];
  closingCents: number;
}

const maxMovements = 50_000;

interface Movement extends StatementLine {
  /**
   * Whether the movement belongs to a sale of the account. Collaborators may have a part of the sale. Null for a
   * movement without an order.
   */
  isOwn: boolean | null;
  /** The change of the payment provider's balance. */
  heldCents: number;
  commissionCents: number;
}

/**
 * Returns the lines of a movement. A sale of the account, or its reversal, has one line with the whole amount, and one
 * line each for the commission and the parts of collaborators.
 */
function linesOf({ isOwn, heldCents, commissionCents, ...line }: Movement): StatementLine[] {
  if (isOwn !== true) return [line.orderId === null ? line : { ...line, kind: `split_of_${line.kind}` }];
  const deductions = [
    { ...line, kind: "commission", cents: -commissionCents },
    { ...line, kind: "splits_with_others", cents: line.cents - heldCents + commissionCents },
  ];
  return [{ ...line, cents: heldCents }, ...deductions.filter(({ cents }) => cents !== 0)];
}

/**
 * Reads the statement of a month. Throws 400, which names `month`, for an invalid month, and 409 for more than
 * `maxMovements`.
 */
export async function readStatement(
  db: Queryable,
  userId: number,
  { month, currency }: { month: string; currency: string },
): Promise<Statement> {
  const from = new Date(`${month}-01T00:00:00Z`);
  if (!/^[12]\d{3}-\d\d$/.test(month) || Number.isNaN(from.getTime()))
    throw invalidRequest("A month is written such as 2026-11.", "month");
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  const account = `${producerAccountPrefix}${userId}`;
  const { rows: movements } = await sql<Movement>`
    select movement.at, movement.kind, movement.order_id as "orderId", orders.title, -entry.amount_cents as cents,
      coalesce(producer.joined_user_id, producer.id) = ${userId} as "isOwn", others.held as "heldCents",
      others.commission as "commissionCents"
    from ledger_entries as entry join ledger_transactions as movement on movement.id = entry.transaction_id
      left join orders on orders.id = movement.order_id
      left join users as producer on producer.id = orders.producer_id,
      lateral (
        select coalesce(sum(amount_cents) filter (where starts_with(account, 'assets:')), 0)::bigint as held,
          coalesce(-sum(amount_cents) filter (where account = ${commissionAccount}), 0)::bigint as commission
        from ledger_entries where transaction_id = movement.id and currency = entry.currency) as others
    where entry.account = ${account} and entry.currency = ${currency}
      and movement.at >= ${from}::timestamptz and movement.at < ${to}::timestamptz
    order by movement.at, movement.id limit ${maxMovements + 1}`.execute(db);
  if (movements.length > maxMovements)
    throw conflict(
      `${month} has more than ${maxMovements} movements. Ask the operator for the output of \`npx beatmarket ledger export\`.`,
    );
  const lines = movements.flatMap(linesOf);
  const { rows: before } = await sql<{ cents: number }>`
    select -coalesce(sum(entry.amount_cents), 0)::bigint as cents
    from ledger_entries as entry join ledger_transactions as movement on movement.id = entry.transaction_id
    where entry.account = ${account} and entry.currency = ${currency} and movement.at < ${from}::timestamptz`.execute(
    db,
  );
  const openingCents = before[0]?.cents ?? 0;
  return {
    month,
    currency,
    openingCents,
    lines,
    closingCents: lines.reduce((sum, { cents }) => sum + cents, openingCents),
  };
}

/** Returns a readable text, such as `Dispute reversal` for `dispute_reversal`. */
export const lineText = (kind: string): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`.replaceAll("_", " ");

/** Returns the statement as CSV (RFC 4180): opening balance, movements, closing balance. */
export function statementCsv({ month, currency, openingCents, lines, closingCents }: Statement): string {
  const row = (cells: readonly (string | number)[]) => `${cells.join(",")}\r\n`;
  return [
    byteOrderMark,
    row(["time", "what", "order_id", "title", "amount", "currency"]),
    row([month, "Opening balance", "", "", formatCents(openingCents), currency]),
    ...lines.map(({ at, kind, orderId, title, cents }) =>
      row([at.toISOString(), lineText(kind), orderId ?? "", csvText(title ?? ""), formatCents(cents), currency]),
    ),
    row([month, "Closing balance", "", "", formatCents(closingCents), currency]),
  ].join("");
}
