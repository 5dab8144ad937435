import { type RawBuilder, sql } from "kysely";
import { randomBytes } from "../../../access/random-source.ts";
import type { Queryable } from "../../../database/connect.ts";
import { isLossy } from "../../beats/publishing/attach-files.ts";
import { wholeBasisPoints } from "../../ledger/order-money.ts";
import type { PaidOrders } from "../checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "../order.ts";
import { queueTally } from "../tally.ts";

/**
 * Orders to insert. An expression (`RawBuilder`) may use the rows of `items` under the name `new`. The expressions of
 * price and limits may also use `beats`.
 */
export interface NewOrders {
  /** Rows `id, beat_id, license_type, place`, and the columns that the expressions use. Places count from 1. */
  items: RawBuilder<unknown>;
  count: number;
  userId: number | RawBuilder<unknown>;
  /** In cents. */
  price: RawBuilder<unknown>;
  licenseLimits: RawBuilder<unknown>;
  currency: string;
  paymentMethod: string | RawBuilder<unknown>;
  paymentProvider: string;
  /** The key of the checkout whose payment pays for the orders; null for orders with payments of their own. */
  checkoutKey: string | null;
  run: string | null | RawBuilder<unknown>;
  requestId: string | null | RawBuilder<unknown>;
  /** The license that the order replaces; null if it replaces no license. */
  upgradesLicense: RawBuilder<unknown>;
  /** The API key that places the order; null without an API key. */
  apiKeyId: number | null | RawBuilder<unknown>;
  traceContext: string | null;
  termsVersion: string;
  /** The commission for producers without their own rate. */
  commissionBasisPoints: number;
  now: Date | RawBuilder<unknown>;
  /** Inserts the orders as completed, together with their payments. Absent for pending orders. */
  paid?: PaidOrders | undefined;
}

/** The further parts of a statement that inserts orders as completed. */
const completing = ({ insertPayments }: PaidOrders) =>
  sql`, paid as (${insertPayments}), final as (select * from made), queued as (${queueTally})`;

/**
 * Inserts orders where `condition` holds for `new`, `beats` and `buyer`. Returns them in the sequence of `items`. Locks
 * the beats' rows, so that no other order holds or sells an exclusive license before this order exists. Locks the
 * buyer's row, so that the account is not deleted in the meantime. Copies everything that is bought, so that no later
 * change affects the order: names, price, file hashes, the version and limits of the terms, the commission, and the
 * prices of all licenses (for an upgrade to another type, those of the replaced order). Copies the beat's split if all
 * collaborators have accepted it.
 */
export async function insertOrders(
  db: Queryable,
  orders: NewOrders,
  condition: RawBuilder<unknown>,
): Promise<OrderWithPayment[]> {
  const { items, count, userId, price, licenseLimits, currency, paymentMethod, paymentProvider, checkoutKey } = orders;
  const { run, requestId, upgradesLicense, apiKeyId, traceContext, termsVersion, commissionBasisPoints, now } = orders;
  const { paid } = orders;
  const state =
    paid === undefined
      ? sql`'pending', null::timestamptz, false, null`
      : sql`'completed', ${now}::timestamptz, true, case when ${price} > 0 then ${paid.reference} end`;
  const secrets = Array.from({ length: count }, () => randomBytes(9, "order").toString("base64url"));
  const { rows } = await sql<OrderWithPayment>`
    with new as (${items}), made as (
      insert into orders (id, user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                          payment_method, payment_provider, payment_key, checkout_key, idempotency_run, request_id,
                          trace_context, created_at, buyer_name, master_sha256, is_master_lossy, stems_sha256, terms_version,
                          license_limits, commission_basis_points, api_key_id, upgrades_license, list_prices,
                          status, completed_at, tallied, payment_reference)
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
               array[beats.price_cents, beats.premium_price_cents, beats.unlimited_price_cents, beats.exclusive_price_cents]),
             ${state}
      from new join beats on beats.id = new.beat_id
        join users on users.id = beats.user_id
        join users buyer on buyer.id = ${userId}
        left join beat_files master on master.beat_id = beats.id and master.name = 'master'
        left join beat_files stems on stems.beat_id = beats.id and stems.name = 'stems'
      where ${condition}
      order by new.place
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
    )${paid === undefined ? sql`` : completing(paid)}
    select * from made order by id`.execute(db);
  return rows;
}
