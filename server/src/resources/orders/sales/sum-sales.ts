import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { readPeriod, type SalesRequest, salesOf, sellersOf } from "./list-sales.ts";

/** The sums of all sales of a period in one currency. */
export interface SalesSum {
  /** ISO 4217. */
  currency: string;
  sales: number;
  sold_cents: number;
  refunded_cents: number;
}

/** Returns the sums of all sales that `listSales` lists on all pages, by currency. Throws like `listSales`. */
export async function sumSales(
  db: Queryable,
  { userId, from, to, beat }: Pick<SalesRequest, "userId" | "from" | "to" | "beat">,
): Promise<SalesSum[]> {
  const period = readPeriod({ from, to });
  const sellers = await sellersOf(db, userId);
  const { rows } = await sql<SalesSum>`
    select currency, count(*) as sales, sum(amount_cents)::bigint as sold_cents,
      sum(refunded_cents)::bigint as refunded_cents
    from orders join (${salesOf(sellers, period, beat)}) as sales using (id)
    group by currency order by currency`.execute(db);
  return rows;
}

/** A sold beat, with its title at the last sale. */
export interface SoldBeat {
  id: number;
  title: string;
}

/** Returns at most `limit` beats that the account has sold, the latest sales first. */
export async function listSoldBeats(db: Queryable, userId: number, limit: number): Promise<SoldBeat[]> {
  const sellers = await sellersOf(db, userId);
  const { rows } = await sql<SoldBeat>`
    select beat_id as id, (array_agg(title order by completed_at desc, id desc))[1] as title
    from orders where producer_id = any(${sellers}::bigint[]) and completed_at is not null
    group by beat_id order by max(completed_at) desc, beat_id limit ${limit}`.execute(db);
  return rows;
}
