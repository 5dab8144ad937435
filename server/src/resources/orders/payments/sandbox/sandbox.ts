import { type Clock, systemClock } from "@beatmarket/foundation/clock.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { CreatedPayment, Movement, Payment, PaymentState, RefundState } from "@beatmarket/payments/provider.ts";
import { batched } from "@beatmarket/postgres/connection/batched.ts";
import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import { randomBytes } from "../../../../access/random-source.ts";
import type { Queryable } from "../../../../database/connect.ts";
import type { StoredPayments } from "../../checkout.ts";
import { paymentPagePath } from "../../order.ts";
import { type SandboxMethod, sandboxMethodList, sandboxMethods } from "./methods.ts";
import { SandboxPages } from "./sandbox-pages.ts";

/** The prefix of the ids of the sandbox's refunds. */
const refundPrefix = "sandbox_refund_";

/** Returns the sandbox's movements in a period. Payments of single orders have no time, so the order's time applies. */
async function sandboxMovements(db: Queryable, from: Date, to: Date): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select 'charge' as kind, 'sandbox_' || order_id as reference, orders.payment_key as "paymentKey",
      'sandbox_' || order_id as "paymentReference", payments.amount_cents as "amountCents", payments.currency,
      coalesce(orders.completed_at, orders.created_at) as at
    from sandbox_payments as payments join orders on orders.id = order_id
    where payments.status = 'succeeded' and payments.amount_cents > 0
      and orders.created_at < ${to}::timestamptz and coalesce(orders.completed_at, orders.created_at) >= ${from}::timestamptz
      and coalesce(orders.completed_at, orders.created_at) < ${to}::timestamptz
    union all
    select 'charge', 'sandbox_' || checkout_key, checkout_key, 'sandbox_' || checkout_key, amount_cents, currency, paid_at
    from sandbox_checkouts
    where status = 'succeeded' and amount_cents > 0
      and paid_at >= ${from}::timestamptz and paid_at < ${to}::timestamptz
    union all
    select 'refund', ${refundPrefix} || refunds.id, orders.payment_key, orders.payment_reference, refunds.amount_cents,
      orders.currency, refunds.created_at
    from sandbox_refunds as refunds join orders on orders.id = order_id
    where refunds.status = 'succeeded'
      and refunds.created_at >= ${from}::timestamptz and refunds.created_at < ${to}::timestamptz`.execute(db);
  return rows;
}

interface NewPayment {
  payment: Payment;
  status: PaymentState["status"];
  reason: string | null;
}

/** Inserts the payments whose orders have no payment yet. Returns the inserted payments. */
async function insertPayments(db: Queryable, payments: readonly NewPayment[]): Promise<Map<NewPayment, true>> {
  const column = <T>(value: (payment: NewPayment) => T): T[] => payments.map(value);
  // No need to wait for the WAL flush: the next commit, such as the order's completion, flushes this commit, too.
  const { rows } = await sql<{ order_id: number }>`
    with commit_mode as (select set_config('synchronous_commit', 'off', true))
    insert into sandbox_payments (order_id, amount_cents, currency, payment_method, status, failure_reason)
    select new.* from commit_mode, unnest(
      ${column(({ payment }) => payment.orderId)}::bigint[], ${column(({ payment }) => payment.amountCents)}::integer[],
      ${column(({ payment }) => payment.currency)}::text[], ${column(({ payment }) => payment.method)}::text[],
      ${column(({ status }) => status)}::text[], ${column(({ reason }) => reason)}::text[])
    as new (order_id, amount_cents, currency, payment_method, status, failure_reason)
    on conflict do nothing returning order_id`.execute(db);
  const inserted = new Set(rows.map(({ order_id }) => order_id));
  // Of several payments of an order, the first was inserted.
  const insertedPayments = payments.filter(({ payment }) => inserted.delete(payment.orderId));
  return new Map(insertedPayments.map((payment) => [payment, true]));
}

const unknownMethod: SandboxMethod = { payment: { declined: "The sandbox has no such card." }, refund: "succeeds" };
const methodOf = ({ method }: Payment): SandboxMethod => sandboxMethods.get(method) ?? unknownMethod;

/** The status of a payment that the method does not decline. */
const statusAfter = { succeeds: "succeeded", waits: "pending" } as const;

/**
 * A payment provider that moves no money. Its state is in tables, so it survives a crash, like the state of a real
 * provider. The payment's page replaces the buyer's bank.
 */
export class Sandbox implements StoredPayments {
  readonly name = "sandbox";
  readonly ofPaidOrders = {
    // The same text as `referenceOf` returns.
    reference: sql`'sandbox_' || new.id`,
    insertPayments: sql`
      insert into sandbox_payments (order_id, amount_cents, currency, payment_method, status)
      select id, amount_cents, currency, payment_method, 'succeeded' from made where amount_cents > 0`,
  };
  readonly pages: SandboxPages;
  readonly #db: Queryable;
  readonly #insertAll: (payment: NewPayment) => Promise<true | undefined>;

  constructor(db: Queryable, clock: Clock = systemClock) {
    this.#db = db;
    this.pages = new SandboxPages(db, clock);
    this.#insertAll = batched((payments) => insertPayments(db, payments));
  }

  async requirePayable(method: string): Promise<void> {
    if (!sandboxMethods.has(method))
      throw invalidRequest(
        `payment_method: the payment sandbox does not know ${quoted(method)}. Use ${sandboxMethodList}.`,
        "payment_method",
      );
  }

  succeedsAtOnce(method: string): boolean {
    return sandboxMethods.get(method)?.payment === "succeeds";
  }

  async create(payment: Payment): Promise<CreatedPayment> {
    const reference = referenceOf(payment.orderId);
    // The secret has Stripe's format, so that clients can test code that reads it. No operation accepts the secret.
    return {
      status: "created",
      reference,
      clientSecret: `${reference}_secret_${randomBytes(12, "payment").toString("base64url")}`,
      // The reference is derived from the order. The secret is only for a payment that waits for its buyer.
      mustBeStored: methodOf(payment).payment === "waits",
    };
  }

  async confirm(payment: Payment): Promise<PaymentState> {
    const outcome = methodOf(payment).payment;
    const isDeclined = typeof outcome === "object";
    const status = isDeclined ? "failed" : statusAfter[outcome];
    const failure_reason = isDeclined ? outcome.declined : null;
    const isFirst = await this.#insert(payment, status, failure_reason);
    return isFirst ? stateOf(payment, { status, failure_reason }) : this.#stateAfter(payment);
  }

  async query(payment: Payment): Promise<PaymentState | null> {
    const existing = await this.#find(payment);
    return existing === undefined ? null : stateOf(payment, existing);
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    const reason = "The payment was not confirmed in time.";
    await this.#insert(payment, "failed", reason);
    await this.#finish(payment.orderId, { status: "failed", failure_reason: reason });
    return this.#stateAfter(payment);
  }

  /** Approves a pending payment, as the buyer would at the bank. Returns false if there is no pending payment. */
  approve(orderId: number): Promise<boolean> {
    return this.#finish(orderId, { status: "succeeded" });
  }

  /** Declines a pending payment, as the buyer would at the bank. Returns false if there is no pending payment. */
  decline(orderId: number): Promise<boolean> {
    return this.#finish(orderId, { status: "failed", failure_reason: "You declined the payment." });
  }

  async refund(payment: Payment, { key, amountCents }: { key: string; amountCents: number }): Promise<RefundState> {
    const status = methodOf(payment).refund === "succeeds" ? "succeeded" : "pending";
    const { rows } = await sql<RefundRow>`
      with earlier as (
        select coalesce(sum(amount_cents), 0) as cents from sandbox_refunds
        where order_id = ${payment.orderId} and status <> 'failed' and key <> ${key})
      insert into sandbox_refunds (order_id, key, amount_cents, status)
      select ${payment.orderId}::bigint, ${key}, ${amountCents}::integer, ${status} from earlier
      where earlier.cents + ${amountCents}::integer <= ${payment.amountCents}::integer
      on conflict do nothing returning id, amount_cents, status`.execute(this.#db);
    const existing = rows[0] ?? (await this.#refunds().where("key", "=", key).executeTakeFirst());
    if (existing !== undefined) return refundStateOf(existing);
    return {
      reference: null,
      amountCents,
      status: "failed",
      reason: `Refund amount is greater than what is left of order ${payment.orderId}'s payment.`,
    };
  }

  async queryRefund(payment: Payment, reference: string): Promise<RefundState> {
    const id = Number(reference.slice(refundPrefix.length));
    await this.#db
      .updateTable("sandbox_refunds")
      .set({ status: methodOf(payment).refund === "fails-later" ? "failed" : "succeeded" })
      .where("id", "=", id)
      .where("status", "=", "pending")
      .execute();
    return refundStateOf(await this.#refunds().where("id", "=", id).executeTakeFirstOrThrow());
  }

  async listRefunds({ orderId }: Payment): Promise<RefundState[]> {
    const refunds = await this.#refunds().where("order_id", "=", orderId).orderBy("id").execute();
    return refunds.map(refundStateOf);
  }

  async *movements(from: Date, to: Date): AsyncGenerator<Movement> {
    yield* await sandboxMovements(this.#db, from, to);
  }

  /**
   * Returns false, and changes nothing, if the payment was confirmed or canceled before. Payments that are inserted in
   * the same turn of the event loop share a statement.
   */
  async #insert(payment: Payment, status: PaymentState["status"], reason: string | null): Promise<boolean> {
    return (await this.#insertAll({ payment, status, reason })) === true;
  }

  async #finish(
    orderId: number,
    outcome: { status: "succeeded" } | { status: "failed"; failure_reason: string },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("sandbox_payments")
      .set(outcome)
      .where("order_id", "=", orderId)
      .where("status", "=", "pending")
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async #stateAfter(payment: Payment): Promise<PaymentState> {
    const existing = await this.#find(payment);
    if (existing === undefined) throw new Error(`The sandbox lost the payment of order ${payment.orderId}.`);
    return stateOf(payment, existing);
  }

  #find({ orderId }: Payment) {
    return this.#db
      .selectFrom("sandbox_payments")
      .select(["status", "failure_reason"])
      .where("order_id", "=", orderId)
      .executeTakeFirst();
  }

  #refunds() {
    return this.#db.selectFrom("sandbox_refunds").select(["id", "amount_cents", "status"]);
  }
}

const referenceOf = (orderId: number): string => `sandbox_${orderId}`;

function stateOf(
  { orderId, key }: Payment,
  { status, failure_reason }: { status: string; failure_reason: string | null },
): PaymentState {
  const reference = referenceOf(orderId);
  if (status === "succeeded") return { status, reference };
  if (status === "pending") return { status, reference, redirectUrl: paymentPagePath(key) };
  return { status: "failed", reference, reason: failure_reason ?? "The payment failed." };
}

interface RefundRow {
  id: number;
  amount_cents: number;
  status: string;
}

const refundStateOf = (refund: RefundRow): RefundState => ({
  reference: `${refundPrefix}${refund.id}`,
  amountCents: refund.amount_cents,
  status: refund.status as RefundState["status"],
  reason: refund.status === "failed" ? "The buyer's bank sent the refund back." : null,
});

const retentionMs = 30 * 86_400_000;

/**
 * Deletes the sandbox's final refunds 30 days after their creation. The table `refunds` stores them permanently.
 * Returns the number of deleted refunds.
 */
export function deleteOldSandboxRefunds(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from sandbox_refunds where id in (
        select id from (select id, status, created_at from sandbox_refunds order by id limit ${batchSize}) oldest
        where created_at < ${before} and status <> 'pending')`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}

/** Deletes the sandbox's final payment pages 30 days after their creation. Returns the number of deleted pages. */
export function deleteOldSandboxPages(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from sandbox_checkouts where checkout_key in (
        select checkout_key from sandbox_checkouts
        where created_at < ${before} and status in ('succeeded', 'expired') limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}

/**
 * Deletes the sandbox's payments 30 days after the order, if the order and its refunds are final. The order contains
 * the outcome and is stored permanently. Returns the number of deleted payments.
 */
export function deleteOldSandboxPayments(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from sandbox_payments where order_id in (
        select orders.id from (select order_id from sandbox_payments order by order_id limit ${batchSize}) oldest
        join orders on orders.id = oldest.order_id
        where orders.created_at < ${before} and orders.status <> 'pending'
          and not exists (select from refunds where refunds.order_id = orders.id and refunds.status = 'pending'))`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0);
  });
}
