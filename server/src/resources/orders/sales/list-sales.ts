import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { readInstant } from "@beatmarket/http/input/times.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { type Listing, orderOfPage, type Place, pageOf, pageQuery, planPage } from "@beatmarket/http/listing/seek.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { isReplaced } from "../../licenses/status/status-of-order.ts";
import { findStandings } from "./standing.ts";

const dayMs = 86_400_000;

/** The times `from` (inclusive) to `to` (exclusive). Null means no limit. */
export interface Period {
  from: Date | null;
  to: Date | null;
}

export interface SalesRequest {
  userId: number;
  /** A date or a time, in ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  beat?: number | undefined;
  page: number;
  limit: number;
  after?: string | undefined;
}

/**
 * Returns one page of the account's sales, newest first (docs/api/sales.md, List your sales). Throws 400, which names
 * `from` or `to`, if one is not a time, or if `from` is not before `to`.
 */
export async function listSales(db: Queryable, request: SalesRequest): Promise<Page<Sale>> {
  const period = readPeriod(request);
  const sellers = await sellersOf(db, request.userId);
  const listing: Listing = {
    scope: `sales ${request.userId} ${period.from?.toISOString()} ${period.to?.toISOString()} ${request.beat}`,
    source: sql`from (${salesOf(sellers, period, request.beat)}) as sales where true`,
    key: sql.ref("completed_at"),
    keyType: "timestamptz",
    id: sql.ref("id"),
    direction: "desc",
  };
  const plan = planPage(listing, request);
  const total = await countSales(db, sellers, period, request.beat);
  const rows = await selectSales(db)
    .innerJoin(sql<Place>`(${pageQuery(plan, total)})`.as("page"), (join) => join.onRef("page.id", "=", "orders.id"))
    .orderBy(orderOfPage(plan))
    .execute();
  return pageOf(plan, rows, total, ({ completed_at }) => completed_at);
}

/**
 * Returns the account and the imported producers that it has claimed, because orders name the seller at the time of the
 * order.
 */
export async function sellersOf(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = ${userId} or joined_user_id = ${userId} order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export const selectSales = (db: Queryable) =>
  db
    .selectFrom("orders")
    .innerJoin("users as buyers", "buyers.id", "orders.user_id")
    .leftJoin("licenses", "licenses.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.beat_id",
      "orders.title",
      "orders.license_type",
      "orders.amount_cents",
      "orders.refunded_cents",
      "orders.currency",
      sql<string>`coalesce(orders.buyer_name, buyers.display_name)`.as("buyer_name"),
      "licenses.id as license_id",
      sql<number>`(select count(*) from order_downloads where order_id = orders.id)`.as("downloads"),
      "orders.completed_at",
      "orders.refunded_at",
    ])
    .$narrowType<Pick<Sale, "license_type"> & { completed_at: Date }>();

/** Selects the sales of each seller separately, so that PostgreSQL reads them in the order of the index. */
export const salesOf = (sellers: readonly number[], period: Period, beat: number | undefined): RawBuilder<unknown> =>
  sql.join(
    sellers.map(
      (seller) => sql`
        select id, completed_at from orders
        where producer_id = ${seller} and completed_at is not null ${inPeriod(period)}
          ${beat === undefined ? sql`` : sql`and beat_id = ${beat}`}`,
    ),
    sql` union all `,
  );

const inPeriod = ({ from, to }: Period): RawBuilder<unknown> =>
  sql`${from === null ? sql`` : sql`and completed_at >= ${from}::timestamptz`}
    ${to === null ? sql`` : sql`and completed_at < ${to}::timestamptz`}`;

/**
 * Returns the exact number of sales. Reads `sales_counts` for whole days, and the orders for the rest and for orders
 * that are not tallied yet. For one beat, reads only the orders.
 */
async function countSales(
  db: Queryable,
  sellers: readonly number[],
  period: Period,
  beat: number | undefined,
): Promise<number> {
  const selectCount = (period: Period): RawBuilder<unknown> =>
    sql`select count(*) as sales from (${salesOf(sellers, period, beat)}) as sales`;
  const days = wholeDaysOf(period);
  const partialCounts =
    beat !== undefined || days === null
      ? [selectCount(period)]
      : [
          sql`select sum(sales) as sales from sales_counts where producer_id = any(${sellers}::bigint[])
            ${days.from === null ? sql`` : sql`and day >= ${days.from}::timestamptz`}
            ${days.to === null ? sql`` : sql`and day < ${days.to}::timestamptz`}`,
          sql`select count(*) as sales from orders_to_tally
            where producer_id = any(${sellers}::bigint[]) and completed_at is not null ${inPeriod(days)}`,
          // Orders that an instance of an earlier release completed.
          sql`select count(*) as sales from orders
            where not tallied and producer_id = any(${sellers}::bigint[]) and completed_at is not null ${inPeriod(days)}`,
          ...edgesOf(period, days).map(selectCount),
        ];
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(sales), 0)::bigint as total from (${sql.join(partialCounts, sql` union all `)}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** Shortens a period to whole days (UTC). Returns null if the period contains no whole day. */
function wholeDaysOf({ from, to }: Period): Period | null {
  const first = from === null ? null : new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = to === null ? null : new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  return first !== null && last !== null && first >= last ? null : { from: first, to: last };
}

/** Returns the parts of the period before and after its whole days. */
const edgesOf = ({ from, to }: Period, days: Period): Period[] =>
  [
    { from, to: days.from },
    { from: days.to, to },
  ].filter((edge) => edge.from !== null && edge.to !== null && edge.from < edge.to);

/** Throws 400, which names `from` or `to`, if one is not a time, or if `from` is not before `to`. */
export function readPeriod({ from: fromText, to: toText }: Pick<SalesRequest, "from" | "to">): Period {
  const from = fromText === undefined ? null : readInstant("from", fromText);
  const to = toText === undefined ? null : readInstant("to", toText);
  if (from !== null && to !== null && from >= to)
    throw invalidRequest(
      `\`from\` (${fromText}) is not before \`to\` (${toText}); exchange them, or leave one out.`,
      "from",
    );
  return { from, to };
}

/**
 * A completed order, with the facts for its producer. The only fact about the buyer is the name, which is on the
 * license too.
 */
export interface Sale {
  /** The id of the order. */
  id: number;
  beat_id: number;
  /** The beat's title at the time of purchase. */
  title: string;
  license_type: LicenseType;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  /** The buyer's name at the time of purchase. For orders older than that column, the current name. */
  buyer_name: string;
  /** Null until the license is issued. */
  license_id: string | null;
  /** The number of the order's files that the buyer has downloaded. */
  downloads: number;
  completed_at: Date;
  /** The time of the last refund. Null if there is none. */
  refunded_at: Date | null;
}

/** A sold license whose reported usage has reached 80 or 100 percent of a limit. */
export interface NearlyUsed {
  order_id: number;
  title: string;
  license_type: LicenseType;
  buyer_name: string;
  use: "streams" | "copies" | "videos";
  /** 80 or 100 percent of the limit. */
  percent: number;
}

/**
 * The maximum number of rows that the query reads. Expired licenses are filtered out later, because their last day is
 * not in the database.
 */
const maxRead = 500;

/** Returns at most `limit` nearly used licenses that are still valid, the most used first. */
export async function listNearlyUsed(
  db: Queryable,
  userId: number,
  { limit, now }: { limit: number; now: Date },
): Promise<NearlyUsed[]> {
  const sellers = await sellersOf(db, userId);
  const { rows } = await sql<NearlyUsed>`
    select orders.id as order_id, title, license_type, coalesce(orders.buyer_name, buyer.display_name) as buyer_name,
           level.use, max(level.percent) as percent
    from license_usage_levels level join licenses on licenses.id = level.license_id
      join orders on orders.id = licenses.order_id join users buyer on buyer.id = orders.user_id
    where orders.producer_id = any(${sellers}::bigint[]) and level.stands
      and not is_full_refund(orders.refunded_at, orders.refunded_cents, orders.amount_cents) and not ${isReplaced}
    group by orders.id, buyer.display_name, level.use
    order by percent desc, max(level.reached_at) desc, orders.id limit ${maxRead}`.execute(db);
  const standings = await findStandings(
    db,
    rows.map((row) => row.order_id),
    now,
  );
  return rows.filter((row) => standings.get(row.order_id)?.status === "valid").slice(0, limit);
}
