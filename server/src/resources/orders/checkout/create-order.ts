import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import { type LicenseType, licenseTypes, soldTypes } from "@beatmarket/license-terms/license-types.ts";
import { refusesValues } from "@beatmarket/postgres/connection/database-error.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { accountDeleted, erasedUsername } from "../../audit/lock-user.ts";
import { holdExclusive, isAvailable } from "../../beats/licensing/exclusive.ts";
import { isPaid, licensePriceColumns } from "../../beats/licensing/licenses.ts";
import { isShown } from "../../beats/state.ts";
import { findProfile } from "../../users/queries.ts";
import type { PaidOrders } from "../checkout.ts";
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
  /** The license that the new license replaces. The buyer of a higher license pays the difference. */
  replaces?: Replaced;
  paymentMethod: string;
  /** The price and the currency that the buyer agreed to. Undefined accepts the current price and currency. */
  expected?: { amountCents?: number | undefined; currency?: string | undefined };
  /** The time of an order that is placed together with others. Absent: `now` of `OrderTerms`. */
  at?: Date;
  /**
   * Identifies one execution under an Idempotency-Key. All retries of a run share one order. Null without an
   * Idempotency-Key.
   */
  run: string | null;
  requestId: string;
}

/** An order that a simulated buyer places. It needs no transaction of its own, so it shares one with others. */
export interface PlainOrderRequest extends Omit<OrderRequest, "apiKey" | "replaces"> {
  licenseType: Exclude<LicenseType, "exclusive">;
  run: null;
  at: Date;
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
 * Creates a pending order at the beat's current price, or returns the order of an earlier attempt of the same run.
 * Throws 401 for a deleted account, 404 for an unknown beat, and 403 above the API key's spending cap. Throws 409 for
 * the buyer's own beat, for a sold or held beat, for a license that is not for sale, for another price than the buyer
 * expects, for a license in `replaces` that the new license cannot replace, and above the limits of exclusive licenses.
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

/**
 * Like `createOrder`, but for several orders in one statement. Returns for each request the order, or the error that
 * `createOrder` would throw. If the database refuses the statement, creates each order with its own statement, so that
 * only the refused order is missing. Throws after any other error, since a repetition may create the orders twice.
 */
export async function createOrders(
  db: Queryable,
  requests: readonly PlainOrderRequest[],
  terms: OrderTerms,
): Promise<(OrderWithPayment | Error)[]> {
  const insertion = { id: nextOrderId, condition: isAvailable(sql`new.at`) };
  let created: (OrderWithPayment | undefined)[];
  try {
    created = await insert(db, requests, terms, insertion);
  } catch (error) {
    if (!refusesValues(error)) throw error;
    if (requests.length === 1) return [error as Error];
    const singly: (OrderWithPayment | Error)[] = [];
    for (const request of requests) singly.push(...(await createOrders(db, [request], terms)));
    return singly;
  }
  return withRefusals(db, requests, created, terms);
}

/**
 * Inserts orders as completed, with their payments. Undefined in the place of an order that cannot be placed. Throws if
 * the database refuses the statement.
 */
export const createPaidOrders = (
  transaction: Queryable,
  requests: readonly PlainOrderRequest[],
  terms: OrderTerms,
  paid: PaidOrders,
): Promise<(OrderWithPayment | undefined)[]> =>
  insert(transaction, requests, terms, { id: nextOrderId, condition: isAvailable(sql`new.at`), paid });

/** The orders, with the error in the place of each that cannot be placed. */
export const withRefusals = (
  db: Queryable,
  requests: readonly PlainOrderRequest[],
  created: readonly (OrderWithPayment | undefined)[],
  terms: OrderTerms,
): Promise<(OrderWithPayment | Error)[]> =>
  Promise.all(
    requests.map((request, index) => created[index] ?? refusal(db, request, terms).catch((error: Error) => error)),
  );

/**
 * Inserts an order. Undefined if the run already has one. If the beat cannot be bought: undefined, or throws the
 * reason.
 */
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
    const insertion = { id: nextOrderId, condition: isAvailable(sql`new.at`) };
    if (request.apiKey?.spendingCapCents === undefined) return await insertOne(db, request, terms, insertion);
    return await transact(db, async (transaction) => {
      await lockSpending(transaction, request.apiKey);
      const order = await insertOne(transaction, request, terms, insertion);
      if (order !== undefined) await requireWithinCap(transaction, request.apiKey, order, terms.now);
      return order;
    });
  } catch (error) {
    if ((error as { constraint?: string }).constraint === "orders_idempotency_run_key") return undefined;
    throw error;
  }
}

/** Inserts an order that upgrades or renews a license. Throws if the new license cannot be bought. */
async function insertUpgrade(
  transaction: Queryable,
  request: OrderRequest,
  replaces: Replaced,
  terms: OrderTerms,
): Promise<OrderWithPayment> {
  const { currency, now } = terms;
  const credit = await creditOf(transaction, replaces, { to: request.licenseType, currency, now, lock: true });
  const order = await insertWithCredit();
  if (order === undefined) throw await refusal(transaction, { ...request, credit }, terms);
  return order;

  async function insertWithCredit(): Promise<OrderWithPayment | undefined> {
    if (request.licenseType === "exclusive") return insertExclusiveOrder(transaction, request, terms, credit);
    await lockSpending(transaction, request.apiKey);
    const insertion = { id: nextOrderId, condition: isAvailable(sql`new.at`), credit };
    const order = await insertOne(transaction, request, terms, insertion);
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
  const order = await insertOne(transaction, request, terms, {
    id: sql`${orderId}::bigint`,
    condition: sql`true`,
    credit,
  });
  // The insert skips the buyer's own beat, and prices that the buyer did not agree to. The error rolls the hold back.
  if (order === undefined) throw await refusal(transaction, { ...request, credit }, terms);
  await requireWithinCap(transaction, request.apiKey, order, now);
  return order;
}

/**
 * The sequence's name is a literal: a parameter would be looked up in each statement, which takes as long as the
 * insert.
 */
export const nextOrderId = sql<number>`nextval('orders_id_seq')`;

/** The price of the license, in cents. */
const fullPrice = sql`case new.license_type ${sql.join(
  licenseTypes.map((type) => sql`when ${sql.lit(type)} then beats.${sql.ref(licensePriceColumns[type])}`),
  sql` `,
)} end`;
const paidTypes = sql.join(licenseTypes.filter(isPaid).map((type) => sql.lit(type)));

async function insertOne(
  db: Queryable,
  request: OrderRequest,
  terms: OrderTerms,
  insertion: Parameters<typeof insert>[3],
): Promise<OrderWithPayment | undefined> {
  const [order] = await insert(db, [request], terms, insertion);
  return order;
}

/** Inserts the orders for which `condition` holds. Undefined in the place of an order that cannot be placed. */
async function insert(
  db: Queryable,
  requests: readonly OrderRequest[],
  { currency, paymentProvider, now, termsVersion, commissionBasisPoints }: OrderTerms,
  {
    id,
    condition,
    credit = noCredit,
    paid,
  }: { id: RawBuilder<unknown>; condition: RawBuilder<unknown>; credit?: UpgradeCredit; paid?: PaidOrders },
): Promise<(OrderWithPayment | undefined)[]> {
  const column = <T>(value: (request: OrderRequest) => T): T[] => requests.map(value);
  const items = sql`
    select ${id} as id, wanted.* from unnest(
      ${column(({ beatId }) => beatId)}::bigint[], ${column(({ licenseType }) => licenseType)}::text[],
      ${column(({ userId }) => userId)}::bigint[], ${column(({ userId }) => erasedUsername(userId))}::text[],
      ${column(({ paymentMethod }) => paymentMethod)}::text[], ${column(({ at = now }) => at.toISOString())}::timestamptz[],
      ${column(({ replaces }) => replaces?.id ?? null)}::uuid[], ${column(({ apiKey }) => apiKey?.id ?? null)}::bigint[],
      ${column(({ run }) => run)}::uuid[], ${column(({ requestId }) => requestId)}::text[],
      ${column(({ expected }) => expected?.amountCents ?? null)}::bigint[],
      ${column(({ expected }) => expected?.currency ?? null)}::text[]) with ordinality
    as wanted (beat_id, license_type, user_id, erased_username, payment_method, at, replaces, api_key_id, run, request_id,
      expected_cents, expected_currency, place)`;
  // The same amount as `dueCents`, computed under the lock of the beat's row.
  const price = sql`greatest(0, least(${fullPrice}, ${credit.fixedPriceCents}::bigint) - ${credit.paidCents}::bigint)`;
  const inserted = await insertOrders(
    db,
    {
      items,
      count: requests.length,
      userId: sql`new.user_id`,
      price,
      licenseLimits: sql`nullif(beats.license_limits -> new.license_type, '{}')`,
      currency,
      paymentMethod: sql`new.payment_method`,
      paymentProvider,
      checkoutKey: null,
      run: sql`new.run`,
      requestId: sql`new.request_id`,
      upgradesLicense: sql`new.replaces`,
      apiKeyId: sql`new.api_key_id`,
      traceContext: currentTraceparent(),
      termsVersion,
      commissionBasisPoints,
      now: sql`new.at`,
      paid,
    },
    sql`${condition} and beats.user_id <> new.user_id and buyer.username <> new.erased_username
      and ${fullPrice} >= case when new.license_type in (${paidTypes}) then 1 else 0 end
      and new.license_type <> all (beats.unsold_licenses)
      and ${price} = coalesce(new.expected_cents, ${price})
      and ${currency}::text = coalesce(new.expected_currency, ${currency}::text)`,
  );
  return matchRequests(requests, inserted);
}

/** Returns an entry for each request: the next order if it matches the request, otherwise undefined. */
function matchRequests(
  requests: readonly OrderRequest[],
  orders: readonly OrderWithPayment[],
): (OrderWithPayment | undefined)[] {
  const remainingOrders = [...orders];
  return requests.map(({ userId, beatId, licenseType, at }) => {
    const [next] = remainingOrders;
    const isOfRequest =
      next?.user_id === userId &&
      next.beat_id === beatId &&
      next.license_type === licenseType &&
      (at === undefined || next.created_at.getTime() === at.getTime());
    return isOfRequest ? remainingOrders.shift() : undefined;
  });
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
