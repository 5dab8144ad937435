import { randomBytes } from "node:crypto";
import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { accountDeleted, erasedUsername, lockUser } from "../../audit/lock-user.ts";
import { holdExclusive, isAvailable } from "../../beats/licensing/exclusive.ts";
import { isPaid, type LicenseType, licensePriceColumns } from "../../beats/licensing/licenses.ts";
import { isLossy } from "../../beats/licensing/lossy.ts";
import { isShown } from "../../beats/state.ts";
import { findProfile } from "../../users/queries.ts";
import { pendingForMs } from "../checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";

/** Exclusive licenses that an account may be paying for at once. Each takes its beat off sale for up to 15 minutes. */
const maxOpenExclusives = 5;
/** Purchases of one beat's exclusive license that an account may leave unpaid in any 24 hours. */
const maxUnpaidPerBeat = 5;
const unpaidForMs = 24 * 3_600_000;
/** How long unpaid purchases of all accounts together may hold one beat in any 24 hours. */
const maxHeldMs = 2 * 3_600_000;

/**
 * Bounds what is taken off sale without paying (docs/api/orders.md, Licenses), by an account and, for a beat, by all of them: 409
 * beyond. Locks the account until the transaction ends, so that concurrent orders cannot pass the bounds together; the caller
 * has locked the beat.
 */
async function requireExclusiveAllowed(
  transaction: Queryable,
  { userId, beatId, now }: { userId: number; beatId: number; now: Date },
): Promise<void> {
  await lockUser(transaction, userId);
  const since = new Date(now.getTime() - unpaidForMs);
  const { rows } = await sql<{ open: number; unpaid: number }>`
    select count(*) filter (where status = 'pending') as open, count(*) filter (where beat_id = ${beatId}) as unpaid
    from orders
    where user_id = ${userId} and status in ('pending', 'failed') and created_at > ${since}::timestamptz
      and license_type = 'exclusive'`.execute(transaction);
  const { open = 0, unpaid = 0 } = rows[0] ?? {};
  if (open >= maxOpenExclusives)
    throw conflict(
      `Your account is paying for ${open} exclusive licenses, which is as many as it may at once. Finish one of these payments, or wait up to 15 minutes until one ends.`,
    );
  if (unpaid >= maxUnpaidPerBeat)
    throw conflict(
      `Your account has left ${unpaid} purchases of the exclusive license of beat ${beatId} unpaid within 24 hours. Buy another license, or try again tomorrow.`,
    );
  await requireRestForBeat(transaction, { userId, beatId, since });
}

/**
 * Accounts that have paid for something are not stopped by what others left unpaid: no one should keep a buyer from a license
 * by holding it a few times. A hold ends after 15 minutes, also where the order failed much later because no server ran.
 */
async function requireRestForBeat(
  transaction: Queryable,
  { userId, beatId, since }: { userId: number; beatId: number; since: Date },
): Promise<void> {
  const { rows } = await sql<{ held_ms: number; has_paid: boolean }>`
    select coalesce(sum(least(extract(epoch from failed_at - created_at) * 1000, ${pendingForMs})), 0)::float8 as held_ms,
           exists (select from orders where user_id = ${userId} and status = 'completed' and amount_cents > refunded_cents) as has_paid
    from orders
    where beat_id = ${beatId} and completed_at is null and status = 'failed' and license_type = 'exclusive'
      and created_at > ${since}::timestamptz`.execute(transaction);
  const [{ held_ms, has_paid } = { held_ms: 0, has_paid: false }] = rows;
  if (held_ms >= maxHeldMs && !has_paid)
    throw conflict(
      `Purchases that were not paid for have held beat ${beatId} for ${Math.floor(held_ms / 60_000)} minutes within 24 hours, so its exclusive license goes to accounts that have paid for an order before. Buy another license of it, or try again tomorrow.`,
    );
}

export interface OrderRequest {
  userId: number;
  beatId: number;
  licenseType: LicenseType;
  paymentMethod: string;
  /** The price and the currency that the buyer agreed to; undefined for whatever they are today. */
  expected?: { amountCents?: number | undefined; currency?: string | undefined };
  /** Identifies one execution under an Idempotency-Key. All retries of a run share one order. Null without a key. */
  run: string | null;
  requestId: string;
}

export interface OrderTerms {
  currency: string;
  paymentProvider: string;
  now: Date;
  /** When the hold on an exclusive license expires. */
  heldUntil: Date;
  /** The version of the license's terms that it is sold under. */
  termsVersion: string;
}

/**
 * Creates a pending order at the beat's current price, or returns the order that an earlier try of the same run created.
 * Throws 404 for an unknown beat; 409 for the buyer's own beat, for one that is sold
 * or held, for a price that is not what the buyer expected, and beyond the limits of exclusive licenses.
 */
export async function createOrder(db: Queryable, request: OrderRequest, terms: OrderTerms): Promise<OrderWithPayment> {
  const order =
    (await findOrderOfRun(db, request)) ??
    (await insertOrder(db, request, terms)) ??
    // A concurrent try of this run won the race.
    (await findOrderOfRun(db, request));
  if (order === undefined) throw await refusal(db, request, terms);
  return order;
}

/** Undefined if the beat cannot be bought or the run already has an order. */
async function insertOrder(
  db: Queryable,
  request: OrderRequest,
  terms: OrderTerms,
): Promise<OrderWithPayment | undefined> {
  try {
    return await (request.licenseType === "exclusive"
      ? transact(db, (transaction) => insertExclusiveOrder(transaction, request, terms))
      : insert(db, request, terms, { id: nextOrderId, condition: isAvailable(terms.now) }));
  } catch (error) {
    if ((error as { constraint?: string }).constraint === "orders_idempotency_run_key") return undefined;
    throw error;
  }
}

async function insertExclusiveOrder(
  transaction: Queryable,
  request: OrderRequest,
  terms: OrderTerms,
): Promise<OrderWithPayment | undefined> {
  const { rows } = await sql<{ id: number }>`select ${nextOrderId} as id`.execute(transaction);
  const orderId = rows[0]?.id ?? 0;
  const { now, heldUntil: until } = terms;
  if (!(await holdExclusive(transaction, { beatId: request.beatId, orderId, now, until }))) return undefined;
  await requireExclusiveAllowed(transaction, { userId: request.userId, beatId: request.beatId, now });
  const order = await insert(transaction, request, terms, { id: sql`${orderId}::bigint`, condition: sql`true` });
  // The insert skips the buyer's own beat, and a price that the buyer did not agree to. Throwing rolls the hold back.
  if (order === undefined) throw await refusal(transaction, request, terms);
  return order;
}

const nextOrderId = sql<number>`nextval(pg_get_serial_sequence('orders', 'id'))`;

/**
 * Locks the beat's row, so that no one holds or sells its exclusive license before the order exists, and the buyer's, so that the
 * account is not deleted in the meantime. Copies what is bought:
 * names, price, files by hash and the terms' version, so that nothing that happens later changes it.
 */
async function insert(
  db: Queryable,
  { userId, beatId, licenseType, paymentMethod, expected = {}, run, requestId }: OrderRequest,
  { currency, paymentProvider, now, termsVersion }: OrderTerms,
  { id, condition }: { id: ReturnType<typeof sql>; condition: ReturnType<typeof sql> },
): Promise<OrderWithPayment | undefined> {
  const secret = randomBytes(9).toString("base64url");
  const price = sql`beats.${sql.ref(licensePriceColumns[licenseType])}`;
  const { rows } = await sql<OrderWithPayment>`
    with new as (select ${id} as id)
    insert into orders (id, user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                        payment_method, payment_provider, payment_key, idempotency_run, request_id, trace_context, created_at,
                        buyer_name, master_sha256, is_master_lossy, stems_sha256, terms_version)
    overriding system value
    select new.id, ${userId}, beats.id, beats.title, beats.user_id, users.display_name, ${licenseType},
           ${price}, ${currency}, ${paymentMethod}, ${paymentProvider},
           'order_' || new.id || '_' || ${secret}, ${run}::uuid, ${requestId}, ${currentTraceparent()}, ${now}::timestamptz,
           buyer.display_name, master.sha256, coalesce(${isLossy("master")}, false), stems.sha256, ${termsVersion}
    from new, beats
      join users on users.id = beats.user_id
      join users buyer on buyer.id = ${userId}
      left join beat_files master on master.beat_id = beats.id and master.name = 'master'
      left join beat_files stems on stems.beat_id = beats.id and stems.name = 'stems'
    where beats.id = ${beatId} and beats.user_id <> ${userId} and buyer.username <> ${erasedUsername(userId)} and ${condition}
      and ${price} >= ${isPaid(licenseType) ? 1 : 0} and ${price} = coalesce(${expected.amountCents ?? null}::bigint, ${price})
      and ${currency}::text = coalesce(${expected.currency ?? null}::text, ${currency}::text)
    for share of beats for key share of buyer
    returning ${sql.join(orderWithPaymentColumns.map((column) => sql.ref(column)))}`.execute(db);
  return rows[0];
}

async function findOrderOfRun(db: Queryable, { run }: OrderRequest): Promise<OrderWithPayment | undefined> {
  if (run === null) return undefined;
  return selectOrdersWithPayment(db).where("idempotency_run", "=", run).executeTakeFirst();
}

async function refusal(
  db: Queryable,
  { userId, beatId, licenseType, expected = {} }: OrderRequest,
  { currency, now }: OrderTerms,
): Promise<Error> {
  const beat = await db
    .selectFrom("beats")
    .select(["user_id", "is_listed", "exclusive_state", `${licensePriceColumns[licenseType]} as price`])
    .select(isAvailable(now).as("is_available"))
    .where("id", "=", beatId)
    .executeTakeFirst();
  if (beat === undefined) return notFound(`Beat ${beatId} does not exist.`);
  const buyer = await findProfile(db, userId);
  if (buyer.username === erasedUsername(userId)) return accountDeleted();
  if (beat.user_id === userId) return conflict(`Beat ${beatId} is your own; nobody buys from themselves.`);
  if (!isShown(beat)) return notFound(`Beat ${beatId} does not exist.`);
  if (!beat.is_listed)
    return conflict(
      `Beat ${beatId} is no longer on sale: its exclusive license is sold. No license of it can be bought.`,
    );
  if (isPaid(licenseType) && beat.price === 0)
    return conflict(
      `The ${licenseType} license of beat ${beatId} has no price, and it is never free. Its producer has to set one.`,
    );
  const today = formatAmount(beat.price, currency);
  const agreed = formatAmount(expected.amountCents ?? beat.price, expected.currency ?? currency);
  if (agreed !== today)
    return conflict(
      `The ${licenseType} license of beat ${beatId} costs ${today} today, and the order expects ${agreed}. Nothing was charged: show the buyer today's price, and order again.`,
    );
  if (beat.is_available)
    return conflict(`Beat ${beatId} changed while it was being ordered. Nothing was charged: get it, and order again.`);
  return conflict(
    `The exclusive license of beat ${beatId} is being bought. If that payment fails, the beat is on sale again within minutes.`,
  );
}
