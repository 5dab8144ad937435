import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type Buyer, countByBuyer, emailOf } from "./find-rules.ts";
import type { Quote } from "./pricing/rule.ts";

/** The reduction of a checkout by a discount. */
export interface AppliedDiscount {
  id: number;
  name: string;
  code: string | null;
  amount_cents: number;
}

/** Records the reductions of a quote for a checkout. They count as uses when the checkout is paid. */
export async function noteDiscounts(transaction: Queryable, checkoutId: number, quote: Quote): Promise<void> {
  const rows = quote.rules.flatMap(({ rule, applied, discountCents }) =>
    rule !== null && applied ? [{ checkout_id: checkoutId, discount_id: rule.id, amount_cents: discountCents }] : [],
  );
  if (rows.length > 0) await transaction.insertInto("discount_uses").values(rows).execute();
}

/** The recorded reductions of a checkout. */
export const findDiscounts = (db: Queryable, checkoutId: number): Promise<AppliedDiscount[]> =>
  db
    .selectFrom("discount_uses")
    .innerJoin("discounts", "discounts.id", "discount_id")
    .select(["discounts.id", "name", "code", "discount_uses.amount_cents"])
    .where("checkout_id", "=", checkoutId)
    .orderBy("discounts.id")
    .execute();

/**
 * Counts the uses of a checkout that is being paid: all or none. Returns the name of the first discount that others
 * have used up in the meantime, or null. Locks the discounts by id until the transaction ends, so that only one of two
 * payments for the last use succeeds.
 */
export async function countUses(
  transaction: Queryable,
  checkoutId: number,
  { buyer, now }: { buyer: Buyer; now: Date },
): Promise<string | null> {
  const email = await emailOf(transaction, buyer);
  await sql`
    select from discounts where id in (select discount_id from discount_uses where checkout_id = ${checkoutId})
    order by id for no key update`.execute(transaction);
  const { rows } = await sql<{ name: string; is_spent: boolean }>`
    select name, coalesce(uses_count >= max_uses, false)
        or coalesce(${countByBuyer(sql`discounts.id`, email)} >= max_uses_per_buyer, false) as is_spent
    from discounts where id in (select discount_id from discount_uses where checkout_id = ${checkoutId})
    order by id`.execute(transaction);
  const spent = rows.find(({ is_spent }) => is_spent);
  if (spent !== undefined || rows.length === 0) return spent?.name ?? null;
  await transaction.updateTable("discount_uses").set({ used_at: now }).where("checkout_id", "=", checkoutId).execute();
  await sql`
    update discounts set uses_count = uses_count + 1
    where id in (select discount_id from discount_uses where checkout_id = ${checkoutId})`.execute(transaction);
  return null;
}
