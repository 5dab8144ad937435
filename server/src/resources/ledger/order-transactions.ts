import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { Entry } from "./journal.ts";

/** The movements of money of an order, oldest first. */
export async function listOrderTransactions(
  db: Queryable,
  orderId: number,
): Promise<{ id: number; kind: string; source: string; at: Date; entries: Entry[] }[]> {
  const { rows } = await sql<{ id: number; kind: string; source: string; at: Date; entries: Entry[] }>`
    select id, kind, source, at,
      (select json_agg(json_build_object('account', account, 'amount_cents', amount_cents, 'currency', currency)
         order by amount_cents < 0, account) from ledger_entries where transaction_id = ledger_transactions.id) as entries
    from ledger_transactions where order_id = ${orderId} order by at, id`.execute(db);
  return rows;
}
