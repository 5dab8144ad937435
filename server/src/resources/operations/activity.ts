import { counted, thousands } from "@beatmarket/foundation/text/counted.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { countOpenLimitRequests } from "../limit-requests/requests.ts";
import { decideMs } from "../reports/report.ts";
import { ok, type Verdict, warning, wrong } from "./verdicts.ts";

/** A number for the operator, and its verdict. */
export interface Figure {
  /** For example `12` or `at least 10,000`. */
  value: string;
  verdict: Verdict;
}

/** A figure counts at most this number of rows. For more rows it shows "at least". */
const maxCounted = 10_000;

const dayMs = 86_400_000;

const countText = (count: number): string =>
  count > maxCounted ? `at least ${thousands(maxCounted)}` : thousands(count);

/** Returns the number of sales in the last 24 hours, and their amounts, from the ledger. */
export async function salesFigure(db: Queryable, now: Date): Promise<Figure> {
  const { rows } = await sql<{ currency: string; sales: number; cents: number }>`
    select entry.currency, count(*)::int as sales, sum(entry.amount_cents)::bigint as cents
    from (select id from ledger_transactions where at >= ${dayBefore(now)}::timestamptz and kind = 'sale'
          order by at limit ${maxCounted + 1}) as sale
      join ledger_entries as entry on entry.transaction_id = sale.id and starts_with(entry.account, 'assets:')
    group by entry.currency order by entry.currency`.execute(db);
  const sales = rows.reduce((sum, row) => sum + row.sales, 0);
  const amounts = rows.map(({ cents, currency }) => formatAmount(cents, currency)).join(", ");
  return {
    value: countText(sales),
    verdict: ok(sales === 0 ? "Nothing was sold in the last 24 hours." : `${amounts} in the last 24 hours.`),
  };
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - dayMs);

/** Returns the number of accounts with an address that were created in the last 24 hours. */
export async function signUpsFigure(db: Queryable, now: Date): Promise<Figure> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select created_at from users where email is not null order by id desc limit ${maxCounted + 1}) as newest
    where created_at >= ${dayBefore(now)}::timestamptz`.execute(db);
  return { value: countText(rows[0]?.count ?? 0), verdict: ok("New accounts with an address in the last 24 hours.") };
}

/** Returns the number of uploads in the last 24 hours. */
export async function uploadsFigure(db: Queryable, now: Date): Promise<Figure> {
  const { rows } = await sql<{ count: number; rejected: number }>`
    select count(*)::int as count, count(*) filter (where status = 'rejected')::int as rejected from (
      select status from uploads where created_at >= ${dayBefore(now)}::timestamptz limit ${maxCounted + 1}) as newest`.execute(
    db,
  );
  const { count = 0, rejected = 0 } = rows[0] ?? {};
  return {
    value: countText(count),
    verdict: ok(`In the last 24 hours; ${thousands(rejected)} of them were rejected.`),
  };
}

/**
 * Returns the number of open reports. The verdict counts those that wait for the operator (due), and those of them that
 * are past the deadline (late). A report that the producer has countered counts only past the deadline.
 */
export async function reportsFigure(db: Queryable, now: Date): Promise<Figure> {
  const { rows } = await sql<{ count: number; due: number; late: number }>`
    select count(*)::int as count, count(*) filter (where due_at <= ${now}::timestamptz)::int as due,
      count(*) filter (where late_at <= ${now}::timestamptz)::int as late
    from (select case state when 'open' then created_at when 'notice_sent' then counter_until else decide_until end as due_at,
            case state when 'open' then created_at + time_limit when 'notice_sent' then counter_until + time_limit else decide_until end as late_at
          from beat_reports, (values (${decideMs} * interval '1 millisecond')) as decision (time_limit)
          where decided_at is null order by id limit ${maxCounted + 1}) as open`.execute(db);
  const { count = 0, due = 0, late = 0 } = rows[0] ?? {};
  const waiting = `${counted(due, "report")} ${due === 1 ? "waits" : "wait"} for you`;
  const remedy = "Read them under Operate → Reports, and decide.";
  if (late > 0)
    return { value: countText(count), verdict: wrong(`${waiting}, ${late} of them past the deadline.`, remedy) };
  if (due > 0) return { value: countText(count), verdict: warning(`${waiting}.`, remedy) };
  return {
    value: countText(count),
    verdict: ok(
      count === 0
        ? "No report is open."
        : "No report is due: producers still have time to answer, or you still have time to decide.",
    ),
  };
}

/** Returns the number of requests for higher limits that wait for an operator. */
export async function limitRequestsFigure(db: Queryable, now: Date): Promise<Figure> {
  const open = await countOpenLimitRequests(db, now, maxCounted + 1);
  return {
    value: countText(open),
    verdict:
      open === 0
        ? ok("No request for higher limits is open.")
        : warning(
            `${counted(open, "request")} for higher limits ${open === 1 ? "is" : "are"} open.`,
            "Grant or refuse them under Accounts.",
          ),
  };
}
