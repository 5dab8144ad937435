import { randomBytes } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { LicenseType } from "../../beats/licensing/licenses.ts";
import { isLossy } from "../../beats/licensing/lossy.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "../order.ts";

export interface NewOrder {
  id: RawBuilder<unknown>;
  userId: number;
  beatId: number;
  licenseType: LicenseType;
  /** In cents; may refer to `beats`. */
  price: RawBuilder<unknown>;
  currency: string;
  paymentMethod: string;
  paymentProvider: string;
  /** Of the checkout whose payment pays for it, too; null for an order with a payment of its own. */
  checkoutKey: string | null;
  run: string | null;
  requestId: string | null;
  traceContext: string | null;
  termsVersion: string;
  now: Date;
}

/**
 * Inserts a pending order if `condition` holds of `beats` and `buyer`. Locks the beat's row, so that no one holds
 * or sells its exclusive license before the order exists, and the buyer's, so that the account is not deleted in the meantime. Copies
 * what is bought: names, price, files by hash, the terms' version and limits, so that nothing that happens later changes it.
 */
export async function insertOrder(
  db: Queryable,
  order: NewOrder,
  condition: RawBuilder<unknown>,
): Promise<OrderWithPayment | undefined> {
  const { id, userId, beatId, licenseType, price, currency, paymentMethod, paymentProvider, checkoutKey } = order;
  const { run, requestId, traceContext, termsVersion, now } = order;
  const secret = randomBytes(9).toString("base64url");
  const { rows } = await sql<OrderWithPayment>`
    with new as (select ${id} as id)
    insert into orders (id, user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                        payment_method, payment_provider, payment_key, checkout_key, idempotency_run, request_id,
                        trace_context, created_at, buyer_name, master_sha256, is_master_lossy, stems_sha256, terms_version,
                        license_limits)
    overriding system value
    select new.id, ${userId}, beats.id, beats.title, beats.user_id, users.display_name, ${licenseType},
           ${price}, ${currency}, ${paymentMethod}, ${paymentProvider},
           'order_' || new.id || '_' || ${secret}, ${checkoutKey}, ${run}::uuid, ${requestId}, ${traceContext},
           ${now}::timestamptz, buyer.display_name, master.sha256, coalesce(${isLossy("master")}, false), stems.sha256,
           ${termsVersion},
           case when ${checkoutKey}::text is null then nullif(beats.license_limits -> ${licenseType}::text, '{}')
             else (select item.license_limits from checkout_items item where item.order_id = new.id) end
    from new, beats
      join users on users.id = beats.user_id
      join users buyer on buyer.id = ${userId}
      left join beat_files master on master.beat_id = beats.id and master.name = 'master'
      left join beat_files stems on stems.beat_id = beats.id and stems.name = 'stems'
    where beats.id = ${beatId} and ${condition}
    for share of beats for key share of buyer
    returning ${sql.join(orderWithPaymentColumns.map((column) => sql.ref(column)))}`.execute(db);
  return rows[0];
}
