import { type RawBuilder, sql } from "kysely";
import { randomBytes } from "../../../access/random-source.ts";
import type { Queryable } from "../../../database/connect.ts";
import { isLossy } from "../../beats/publishing/attach-files.ts";
import { wholeBasisPoints } from "../../ledger/order-money.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "../order.ts";

/** The orders that one payment pays. */
export interface NewOrders {
  /** Selects rows with `id, beat_id, license_type, place`, and the columns that `price` uses. `place` counts from 1. */
  items: RawBuilder<unknown>;
  count: number;
  userId: number;
  /** The price in cents. It and `licenseLimits` may use `new` and `beats`. */
  price: RawBuilder<unknown>;
  licenseLimits: RawBuilder<unknown>;
  currency: string;
  paymentMethod: string;
  paymentProvider: string;
  /** The key of the checkout whose payment pays for the orders. Null for an order with its own payment. */
  checkoutKey: string | null;
  run: string | null;
  requestId: string | null;
  /** The license that the order replaces, or null. May use `new`. */
  upgradesLicense: RawBuilder<unknown>;
  /** The API key that places the orders. Null without an API key. */
  apiKeyId: number | null;
  traceContext: string | null;
  termsVersion: string;
  /** The commission for producers without their own rate. */
  commissionBasisPoints: number;
  now: Date;
}

/**
 * Inserts pending orders if `condition` is true for `new`, `beats` and `buyer`. Locks the rows of the beats, so that an
 * exclusive license cannot be held or sold before the order exists. Locks the buyer's row, so that the account cannot
 * be deleted before the order exists. Copies everything that later changes must not affect: names, price, file hashes,
 * the version and limits of the terms, the commission, and the prices of all licenses. An upgrade copies the prices
 * from its first order. Copies the beat's split if all collaborators have accepted it.
 */
export async function insertOrders(
  db: Queryable,
  orders: NewOrders,
  condition: RawBuilder<unknown>,
): Promise<OrderWithPayment[]> {
  const { items, count, userId, price, licenseLimits, currency, paymentMethod, paymentProvider, checkoutKey } = orders;
  const { run, requestId, upgradesLicense, apiKeyId, traceContext, termsVersion, commissionBasisPoints, now } = orders;
  const secrets = Array.from({ length: count }, () => randomBytes(9).toString("base64url"));
  const { rows } = await sql<OrderWithPayment>`
    with new as (${items}), made as (
      insert into orders (id, user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                          payment_method, payment_provider, payment_key, checkout_key, idempotency_run, request_id,
                          trace_context, created_at, buyer_name, master_sha256, is_master_lossy, stems_sha256, terms_version,
                          license_limits, commission_basis_points, api_key_id, upgrades_license, list_prices)
      overriding system value
      select new.id, ${userId}, beats.id, beats.title, beats.user_id, users.display_name, new.license_type,
             ${price}, ${currency}, ${paymentMethod}, ${paymentProvider},
             'order_' || new.id || '_' || (${secrets}::text[])[new.place], ${checkoutKey}, ${run}::uuid, ${requestId},
             ${traceContext}, ${now}::timestamptz, buyer.display_name, master.sha256,
             coalesce(${isLossy("master")}, false), stems.sha256, ${termsVersion}, ${licenseLimits},
             coalesce(users.commission_basis_points, ${commissionBasisPoints}::integer), ${apiKeyId}::bigint, ${upgradesLicense},
             coalesce(
               (select earlier.list_prices from licenses join orders earlier on earlier.id = licenses.order_id
                where licenses.id = ${upgradesLicense} and earlier.license_type <> new.license_type),
               array[beats.price_cents, beats.premium_price_cents, beats.unlimited_price_cents, beats.exclusive_price_cents])
      from new join beats on beats.id = new.beat_id
        join users on users.id = beats.user_id
        join users buyer on buyer.id = ${userId}
        left join beat_files master on master.beat_id = beats.id and master.name = 'master'
        left join beat_files stems on stems.beat_id = beats.id and stems.name = 'stems'
      where ${condition}
      for share of beats for key share of buyer
      returning ${sql.join(orderWithPaymentColumns.map((column) => sql.ref(column)))}
    ), agreed as (
      select made.id as order_id, made.producer_id, share.user_id, share.basis_points
      from made join beat_shares share on share.beat_id = made.beat_id
      where not exists (select from beat_shares waiting where waiting.beat_id = made.beat_id and waiting.accepted_at is null)
    ), shared as (
      insert into order_shares (order_id, user_id, basis_points)
      select order_id, user_id, basis_points from agreed
      union all select order_id, producer_id, ${wholeBasisPoints}::integer - sum(basis_points) from agreed group by order_id, producer_id
    )
    select * from made`.execute(db);
  return rows;
}
