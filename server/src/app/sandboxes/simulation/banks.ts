import type { Clock } from "@beatmarket/foundation/clock.ts";
import { sql } from "kysely";
import { randomInt } from "../../../access/random-source.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { CheckoutDependencies } from "../../../resources/orders/checkout.ts";
import { selectOrdersWithPayment } from "../../../resources/orders/queries.ts";
import { disputeReported } from "../../../resources/orders/refunds/reported.ts";
import { clearedBefore } from "../../../resources/payouts/balances.ts";
import { selectPayouts } from "../../../resources/payouts/payout.ts";
import { saveBankAccount } from "../../../resources/payouts/payout-accounts.ts";
import { runPayouts } from "../../../resources/payouts/run-payouts.ts";
import { confirmFailed, confirmPaid } from "../../../resources/payouts/settle.ts";
import type { AdvanceRequest } from "../../../resources/sandboxes/control.ts";
import { simulatedBankAccount } from "../seed-sandbox.ts";

const dayMs = 86_400_000;
/** A buyer's bank takes a payment back after so many days, and decides after further ones. */
const disputeAfterDays = 10;
const disputeTakesDays = 30;
/** A bank reports whether a payout arrived after so many days. */
const payoutTakesDays = 2;
const closedAccount = "The account is closed (AC04).";

/**
 * Simulated banks: those of buyers open and decide disputes, and those of producers report payouts, which the operator
 * makes on the first day of a month. A producer whose payout failed enters the account again before the next run.
 */
export class SimulatedBanks {
  disputes = 0;
  payouts = 0;
  readonly #parts: SimulationParts;
  readonly #request: AdvanceRequest;
  readonly #buyers: readonly number[];

  constructor(parts: SimulationParts, request: AdvanceRequest, buyers: readonly number[]) {
    this.#parts = parts;
    this.#request = request;
    this.#buyers = buyers;
  }

  /** At the beginning of a day. */
  async run(): Promise<void> {
    await this.#decideDisputes();
    if (this.#request.disputedPerMille > 0) await this.#openDisputes();
    await this.#reportPayouts();
    if (new Date(this.#parts.clock.nowMs()).getUTCDate() === 1) await this.#makePayouts();
  }

  /** Of the orders of a day, those that are not refunded. */
  async #openDisputes(): Promise<void> {
    const { db } = this.#parts;
    const dayEnd = this.#daysAgo(disputeAfterDays);
    const { rows } = await sql<{ id: number }>`
      select id from orders where status = 'completed' and amount_cents > 0 and user_id = any(${this.#buyers})
        and created_at >= ${new Date(dayEnd.getTime() - dayMs)} and created_at < ${dayEnd}
        and not exists (select from refunds where order_id = orders.id and status <> 'failed')
        and not exists (select from disputes where order_id = orders.id) order by id`.execute(db);
    for (const { id } of rows) {
      if (randomInt(1_000) >= this.#request.disputedPerMille) continue;
      await this.#report(id, { status: "open", isWithdrawn: true, openedAt: this.#daysAgo(0) });
      this.disputes++;
    }
  }

  /** Half of them are won. */
  async #decideDisputes(): Promise<void> {
    const open = await this.#parts.db
      .selectFrom("disputes")
      .select(["order_id", "opened_at"])
      .where("status", "=", "open")
      .where("opened_at", "<=", this.#daysAgo(disputeTakesDays))
      .orderBy("order_id")
      .execute();
    for (const { order_id, opened_at: openedAt } of open) {
      const isWon = randomInt(2) === 0;
      await this.#report(order_id, { status: isWon ? "won" : "lost", isWithdrawn: !isWon, openedAt });
    }
  }

  async #report(
    orderId: number,
    state: { status: "open" | "won" | "lost"; isWithdrawn: boolean; openedAt: Date },
  ): Promise<void> {
    const { db, checkout } = this.#parts;
    const order = await selectOrdersWithPayment(db).where("id", "=", orderId).executeTakeFirstOrThrow();
    const of = { reference: `sandbox_dispute_${orderId}`, amountCents: order.amount_cents, reason: "fraudulent" };
    await disputeReported(checkout, { order, state: { ...of, ...state } });
  }

  async #reportPayouts(): Promise<void> {
    const { db, checkout } = this.#parts;
    const now = this.#daysAgo(0);
    const sent = await selectPayouts(db)
      .where("status", "=", "sent")
      .where("sent_at", "<=", this.#daysAgo(payoutTakesDays))
      .orderBy("id")
      .execute();
    const setting = { publicUrl: checkout.publicUrl, now };
    const arrived: number[] = [];
    for (const { id } of sent)
      if (randomInt(1_000) >= this.#request.failedPayoutsPerMille) arrived.push(id);
      else await confirmFailed(db, id, closedAccount, setting);
    if (arrived.length > 0) await confirmPaid(db, { ids: arrived }, now);
  }

  async #makePayouts(): Promise<void> {
    const { db, clock, checkout, clearingDays } = this.#parts;
    const now = this.#daysAgo(0);
    const blocked = await db
      .selectFrom("payout_accounts")
      .select("user_id")
      .where("blocked_reason", "=", closedAccount)
      .orderBy("user_id")
      .execute();
    for (const { user_id } of blocked)
      await saveBankAccount(db, user_id, simulatedBankAccount(user_id), { author: "operator", now });
    const parts = { db, now: () => new Date(clock.nowMs()), publicUrl: checkout.publicUrl, transfers: null };
    const cleared = clearedBefore(clock.nowMs(), clearingDays);
    const { count } = await runPayouts(parts, { method: "csv", currency: checkout.currency, cleared });
    this.payouts += count;
  }

  #daysAgo(days: number): Date {
    return new Date(this.#parts.clock.nowMs() - days * dayMs);
  }
}

export interface SimulationParts {
  db: Queryable;
  clock: Clock;
  /** The seed of the sandbox. */
  seed: string;
  checkout: CheckoutDependencies;
  /** Days after which a sale is paid out. */
  clearingDays: number;
}
