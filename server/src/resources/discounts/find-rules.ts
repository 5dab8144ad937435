import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import {
  type Discount,
  discountColumns,
  type Facts,
  type PricedItem,
  type Quote,
  type Rule,
  ruleOf,
} from "./discount.ts";

/** The buyer of a basket. */
export interface Buyer {
  /** Null without an account. */
  userId: number | null;
  /** The buyer's e-mail address in lower case; null for the account's e-mail address. */
  email: string | null;
}

/**
 * The discounts to try on a basket: current discounts without a code, and discounts with the buyer's code in any state.
 * Discounts of other producers are included only if no producer in the basket has the code.
 */
export async function findRules(
  db: Queryable,
  { items, code, now }: { items: readonly PricedItem[]; code: string | null; now: Date },
): Promise<Rule[]> {
  const producers = [...new Set(items.map(({ producerId }) => producerId))];
  const columns = sql.join(discountColumns.map((column) => sql.ref(column)));
  const { rows } = await sql<Discount>`
    select ${columns} from discounts
    where user_id = any (${producers}::bigint[]) and code is null and ended_at is null
      and (valid_from is null or valid_from <= ${now}) and (valid_until is null or valid_until > ${now})
    union all
    (select ${columns} from (
        select distinct on (user_id) ${columns} from discounts where code = ${code} order by user_id, ended_at is null desc, id desc) latest
      -- A discount of another producer explains why the code does not apply to this basket.
      order by user_id = any (${producers}::bigint[]) desc, id limit ${producers.length + 1})`.execute(db);
  const isOfBasket = (rule: Rule) => producers.includes(rule.producerId);
  const rules = rows.map(ruleOf);
  return rules.some((rule) => rule.code !== null && isOfBasket(rule)) ? rules.filter(isOfBasket) : rules;
}

/** The facts that a price depends on in addition to items and rules. */
export async function findFacts(
  db: Queryable,
  basket: {
    items: readonly PricedItem[];
    rules: readonly Rule[];
    buyer: Buyer;
    code: string | null;
    currency: string;
    now: Date;
  },
): Promise<Facts> {
  const { items, rules, buyer, code, currency, now } = basket;
  return {
    nowMs: now.getTime(),
    currency,
    code,
    uses: await findUses(db, rules, buyer),
    paid: await findPaidAmounts(db, items, rules, buyer),
  };
}

async function findUses(db: Queryable, rules: readonly Rule[], buyer: Buyer): Promise<Facts["uses"]> {
  const limitedRules = rules.filter(({ maxUses, maxUsesPerBuyer }) => maxUses !== null || maxUsesPerBuyer !== null);
  if (limitedRules.length === 0) return {};
  const ids = limitedRules.map(({ id }) => id);
  const email = await emailOf(db, buyer);
  const { rows } = await sql<{ id: number; total: number; by_buyer: number }>`
    select discounts.id, uses_count as total, ${countByBuyer(sql`discounts.id`, email)} as by_buyer
    from discounts where id = any (${ids}::bigint[])`.execute(db);
  return Object.fromEntries(
    rows.map(({ id, total, by_buyer }) => [id, { total, byBuyer: email === null ? null : by_buyer }]),
  );
}

/**
 * The number of uses of a discount by a buyer. The e-mail address of the checkout, or else of its account, identifies
 * the buyer.
 */
const countByBuyer = (discountId: ReturnType<typeof sql>, email: string | null) => sql<number>`(
  select count(*)::integer from discount_uses
    join checkouts on checkouts.id = checkout_id left join users on users.id = checkouts.user_id
  where discount_id = ${discountId} and used_at is not null
    and coalesce(checkouts.email, users.email) = ${email}::text)`;

/** The buyer's e-mail address; null for a buyer without an account and without an address. */
async function emailOf(db: Queryable, { userId, email }: Buyer): Promise<string | null> {
  if (email !== null || userId === null) return email;
  return (await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst())?.email ?? null;
}

/**
 * The amounts that the account has paid for licenses of the beats. If the request names another address, only orders of
 * the account's checkouts for that address count. Null without an account, since anyone can enter an address.
 */
async function findPaidAmounts(
  db: Queryable,
  items: readonly PricedItem[],
  rules: readonly Rule[],
  { userId, email }: Buyer,
): Promise<Facts["paid"]> {
  if (userId === null) return null;
  if (!rules.some(({ effect }) => effect.kind === "ownership")) return [];
  const { rows } = await sql<NonNullable<Facts["paid"]>[number]>`
    select beat_id as "beatId", license_type as "licenseType", sum(amount_cents - refunded_cents)::integer as cents
    from orders
    where user_id = ${userId} and status = 'completed' and beat_id = any (${items.map(({ beatId }) => beatId)}::bigint[])
      and (${email}::text is null or ${email} = (select users.email from users where id = ${userId})
        or exists (select from checkouts where payment_key = checkout_key and checkouts.email = ${email}))
    group by 1, 2`.execute(db);
  return rows;
}

/** The reduction of a checkout by a discount. */
export interface AppliedDiscount {
  id: number;
  name: string;
  code: string | null;
  amount_cents: number;
}

/** Records the reductions of a quote for a checkout. They count as uses when the checkout is paid. */
export async function recordDiscounts(transaction: Queryable, checkoutId: number, quote: Quote): Promise<void> {
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
 * Counts the uses of a checkout at its payment: all or none. Returns the name of the first discount that is used up, or
 * null. Locks the discounts by id until the transaction ends, so that only one of two payments for the last use
 * succeeds.
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
  const exhaustedDiscount = rows.find(({ is_spent }) => is_spent);
  if (exhaustedDiscount !== undefined || rows.length === 0) return exhaustedDiscount?.name ?? null;
  await transaction.updateTable("discount_uses").set({ used_at: now }).where("checkout_id", "=", checkoutId).execute();
  await sql`
    update discounts set uses_count = uses_count + 1
    where id in (select discount_id from discount_uses where checkout_id = ${checkoutId})`.execute(transaction);
  return null;
}
