import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { byteOrderMark, csvText } from "@beatmarket/foundation/text/csv.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { producersAccounts } from "../ledger/order-money.ts";

/** A month of an account's money, from the ledger. Cents are what is owed: positive for sales, negative for refunds and payouts. */
export interface Statement {
  month: string;
  currency: string;
  openingCents: number;
  lines: { at: Date; kind: string; orderId: number | null; title: string | null; cents: number }[];
  closingCents: number;
}

const maxLines = 50_000;

/** Throws 400 naming `month` when it is none. */
export async function readStatement(
  db: Queryable,
  userId: number,
  { month, currency }: { month: string; currency: string },
): Promise<Statement> {
  const from = new Date(`${month}-01T00:00:00Z`);
  if (!/^[12]\d{3}-\d\d$/.test(month) || Number.isNaN(from.getTime()))
    throw invalidRequest("A month is written such as 2026-11.", "month");
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  const account = `${producersAccounts}${userId}`;
  const { rows: lines } = await sql<Statement["lines"][number]>`
    select movement.at, movement.kind, movement.order_id as "orderId", orders.title, -entry.amount_cents as cents
    from ledger_entries as entry join ledger_transactions as movement on movement.id = entry.transaction_id
      left join orders on orders.id = movement.order_id
    where entry.account = ${account} and entry.currency = ${currency}
      and movement.at >= ${from}::timestamptz and movement.at < ${to}::timestamptz
    order by movement.at, movement.id limit ${maxLines}`.execute(db);
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

/** `dispute_reversal` → `Dispute reversal`. */
const lineText = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`.replaceAll("_", " ");

/** The statement as CSV (RFC 4180): opening balance, movements, closing balance. */
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
