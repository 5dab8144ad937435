import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { accountDeleted, erasedUsername } from "../../audit/lock-user.ts";
import { holdExclusive, isAvailable } from "../../beats/licensing/exclusive.ts";
import { isPaid, type LicenseType, licensePriceColumns, soldTypes } from "../../beats/licensing/licenses.ts";
import { isShown } from "../../beats/state.ts";
import { findProfile } from "../../users/queries.ts";
import type { OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { creditOf, dueCents, noCredit, type Replaced, type UpgradeCredit } from "../upgrade.ts";
import { lockSpending, type OrderingKey, requireExclusiveAllowed, requireWithinCap } from "./bounds.ts";
import { insertOrders } from "./insert-orders.ts";

export interface OrderRequest {
  userId: number;
  /** Absent if the order is not placed with a key. */
  apiKey?: OrderingKey;
  beatId: number;
  licenseType: LicenseType;
  /** The license that the new license replaces. The buyer pays the difference. */
  replaces?: Replaced;
  paymentMethod: string;
  /** The price and the currency that the buyer agreed to. Undefined accepts the current price and currency. */
  expected?: { amountCents?: number | undefined; currency?: string | undefined };
  /**
   * The id of one execution under an Idempotency-Key. All retries of a run share one order. Null without an
   * Idempotency-Key.
   */
  run: string | null;
  requestId: string;
}

export interface OrderTerms {
  currency: string;
  paymentProvider: string;
  now: Date;
  /** The time at which the hold on an exclusive license expires. */
  heldUntil: Date;
  /** The version of the license terms under which the order is sold. */
  termsVersion: string;
  commissionBasisPoints: number;
}

/**
 * Creates a pending order at the beat's current price, or returns the order of an earlier try of the same run. Throws
 * 404 for an unknown beat. Throws 409 for the buyer's own beat, for a sold or held beat, for another price than the
 * buyer expects, for a license that this license cannot replace, and above the limits of exclusive licenses.
 */
export async function createOrder(db: Queryable, request: OrderRequest, terms: OrderTerms): Promise<OrderWithPayment> {
  const order =
    (await findOrderOfRun(db, request)) ??
    (await insertOnce(db, request, terms)) ??
    // A concurrent attempt of this run has inserted the order.
    (await findOrderOfRun(db, request));
  if (order === undefined) throw await refusal(db, request, terms);
  return order;
}

/** Returns undefined if the beat cannot be bought, or if the run already has an order. */
async function insertOnce(
  db: Queryable,
  request: OrderRequest,
  terms: OrderTerms,
): Promise<OrderWithPayment | undefined> {
  try {
    const { replaces } = request;
    if (replaces !== undefined)
      return await transact(db, (transaction) => insertUpgrade(transaction, request, replaces, terms));
    if (request.licenseType === "exclusive")
      return await transact(db, (transaction) => insertExclusiveOrder(transaction, request, terms));
    const place = { id: nextOrderId, condition: isAvailable(terms.now) };
    if (request.apiKey?.spendingCapCents === undefined) return await insert(db, request, terms, place);
    return await transact(db, async (transaction) => {
      await lockSpending(transaction, request.apiKey);
      const order = await insert(transaction, request, terms, place);
      if (order !== undefined) await requireWithinCap(transaction, request.apiKey, order, terms.now);
      return order;
    });
  } catch (error) {
    if ((error as { constraint?: string }).constraint === "orders_idempotency_run_key") return undefined;
    throw error;
  }
}

/** Inserts an order at the price difference. Throws if the license cannot be bought. */
async function insertUpgrade(
  transaction: Queryable,
  request: OrderRequest,
  replaces: Replaced,
  terms: OrderTerms,
): Promise<OrderWithPayment> {
  const { currency, now } = terms;
  const credit = await creditOf(transaction, replaces, { to: request.licenseType, currency, now, lock: true });
  const order = await insertAt();
  if (order === undefined) throw await refusal(transaction, { ...request, credit }, terms);
  return order;

  async function insertAt(): Promise<OrderWithPayment | undefined> {
    if (request.licenseType === "exclusive") return insertExclusiveOrder(transaction, request, terms, credit);
    await lockSpending(transaction, request.apiKey);
    const place = { id: nextOrderId, condition: isAvailable(now), credit };
    const order = await insert(transaction, request, terms, place);
    if (order !== undefined) await requireWithinCap(transaction, request.apiKey, order, now);
    return order;
  }
}

async function insertExclusiveOrder(
  transaction: Queryable,
  request: OrderRequest,
  terms: OrderTerms,
  credit = noCredit,
): Promise<OrderWithPayment | undefined> {
  await lockSpending(transaction, request.apiKey);
  const { rows } = await sql<{ id: number }>`select ${nextOrderId} as id`.execute(transaction);
  const orderId = rows[0]?.id ?? 0;
  const { now, heldUntil: until } = terms;
  if (!(await holdExclusive(transaction, { beatId: request.beatId, orderId, now, until }))) return undefined;
  await requireExclusiveAllowed(transaction, { buyer: { userId: request.userId }, beatId: request.beatId, now });
  const order = await insert(transaction, request, terms, {
    id: sql`${orderId}::bigint`,
    condition: sql`true`,
    credit,
  });
  // The insert skips the buyer's own beat, and prices that the buyer did not agree to. The error rolls the hold back.
  if (order === undefined) throw await refusal(transaction, { ...request, credit }, terms);
  await requireWithinCap(transaction, request.apiKey, order, now);
  return order;
}

export const nextOrderId = sql<number>`nextval(pg_get_serial_sequence('orders', 'id'))`;

async function insert(
  db: Queryable,
  { userId, apiKey, beatId, licenseType, replaces, paymentMethod, expected = {}, run, requestId }: OrderRequest,
  { currency, paymentProvider, now, termsVersion, commissionBasisPoints }: OrderTerms,
  {
    id,
    condition,
    credit = noCredit,
  }: { id: RawBuilder<unknown>; condition: RawBuilder<unknown>; credit?: UpgradeCredit },
): Promise<OrderWithPayment | undefined> {
  const fullPrice = sql`beats.${sql.ref(licensePriceColumns[licenseType])}`;
  // The same calculation as in `dueCents`, but under the lock of the beat's row.
  const price = sql`greatest(0, least(${fullPrice}, ${credit.keptCents}::bigint) - ${credit.paidCents}::bigint)`;
  const items = sql`select ${id} as id, ${beatId}::bigint as beat_id, ${licenseType}::text as license_type, 1 as place`;
  const licenseLimits = sql`nullif(beats.license_limits -> new.license_type, '{}')`;
  const order = {
    items,
    count: 1,
    userId,
    price,
    licenseLimits,
    currency,
    paymentMethod,
    paymentProvider,
    run,
    requestId,
    upgradesLicense: sql`${replaces?.id ?? null}::uuid`,
    apiKeyId: apiKey?.id ?? null,
  };
  const [inserted] = await insertOrders(
    db,
    { ...order, checkoutKey: null, traceContext: currentTraceparent(), termsVersion, commissionBasisPoints, now },
    sql`${condition} and beats.user_id <> ${userId} and buyer.username <> ${erasedUsername(userId)} and ${fullPrice} >= ${isPaid(licenseType) ? 1 : 0}
      and ${licenseType}::text <> all (beats.unsold_licenses)
      and ${price} = coalesce(${expected.amountCents ?? null}::bigint, ${price})
      and ${currency}::text = coalesce(${expected.currency ?? null}::text, ${currency}::text)`,
  );
  return inserted;
}

async function findOrderOfRun(db: Queryable, { run }: OrderRequest): Promise<OrderWithPayment | undefined> {
  if (run === null) return undefined;
  return selectOrdersWithPayment(db).where("idempotency_run", "=", run).executeTakeFirst();
}

/** The error for a beat that an operator took down. Elsewhere the API treats such a beat as unpublished. */
const beatTakenDown = (beatId: number) =>
  notFound(`Beat ${beatId} was taken down by the operator of this marketplace. No license of it can be bought.`);

/**
 * Returns the reason why a license cannot be bought at the expected price. `userId` is null for a buyer without an
 * account.
 */
export async function refusal(
  db: Queryable,
  {
    userId,
    beatId,
    licenseType,
    expected = {},
    credit = noCredit,
  }: Pick<OrderRequest, "beatId" | "licenseType" | "expected"> & { userId: number | null; credit?: UpgradeCredit },
  { currency, now }: Pick<OrderTerms, "currency" | "now">,
): Promise<Error> {
  const beat = await db
    .selectFrom("beats")
    .select([
      "user_id",
      "is_listed",
      "is_taken_down",
      "exclusive_state",
      "unsold_licenses",
      `${licensePriceColumns[licenseType]} as price`,
    ])
    .select(isAvailable(now).as("is_available"))
    .where("id", "=", beatId)
    .executeTakeFirst();
  if (beat === undefined) return notFound(`Beat ${beatId} does not exist.`);
  if (userId !== null && (await findProfile(db, userId)).username === erasedUsername(userId)) return accountDeleted();
  if (beat.user_id === userId) return conflict(`Beat ${beatId} is your own; you cannot buy from yourself.`);
  if (beat.is_taken_down) return beatTakenDown(beatId);
  if (!isShown(beat)) return notFound(`Beat ${beatId} does not exist.`);
  if (!beat.is_listed)
    return conflict(
      `Beat ${beatId} is no longer on sale: its exclusive license is sold. No license of it can be bought.`,
    );
  if (beat.unsold_licenses.includes(licenseType))
    return conflict(
      `The ${licenseType} license of beat ${beatId} is not for sale: its producer sells ${new Intl.ListFormat("en-GB").format(soldTypes(beat))}.`,
    );
  if (isPaid(licenseType) && beat.price === 0)
    return conflict(
      `The ${licenseType} license of beat ${beatId} has no price, and it is never free. Its producer has to set one.`,
    );
  const price = dueCents(beat.price, credit);
  const currentPrice = formatAmount(price, currency);
  const expectedPrice = formatAmount(expected.amountCents ?? price, expected.currency ?? currency);
  if (expectedPrice !== currentPrice)
    return conflict(
      `The ${licenseType} license of beat ${beatId} costs ${currentPrice} today, and the order expects ${expectedPrice}. Nothing was charged: show the buyer today's price, and order again.`,
    );
  if (beat.is_available)
    return conflict(`Beat ${beatId} changed while it was being ordered. Nothing was charged: get it, and order again.`);
  return conflict(
    `The exclusive license of beat ${beatId} is being bought. If that payment fails, the beat is on sale again within minutes.`,
  );
}
