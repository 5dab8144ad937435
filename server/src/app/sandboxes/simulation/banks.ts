import type { Clock } from "@beatmarket/foundation/clock.ts";
import { randomInt } from "../../../access/random-source.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { CheckoutDependencies } from "../../../resources/orders/checkout.ts";
import { selectOrdersWithPayment } from "../../../resources/orders/queries.ts";
import { disputeReported } from "../../../resources/orders/refunds/reported.ts";
import { clearedBefore } from "../../../resources/payouts/balances.ts";
import { saveBankAccount } from "../../../resources/payouts/payout-accounts.ts";
import { runPayouts } from "../../../resources/payouts/run-payouts.ts";
import { confirmFailed, confirmPaid } from "../../../resources/payouts/settle.ts";
import type { AdvanceRequest } from "../../../resources/sandboxes/control.ts";
import { simulatedBankAccount } from "../seed-sandbox.ts";
import type { Day } from "./day.ts";

const closedAccount = "The account is closed (AC04).";

/**
 * Simulated banks. The buyers' banks open and decide disputes. The producers' banks report the outcome of payouts,
 * which the operator makes on the first day of a month. A producer whose payout failed enters the bank account again
 * before the next run.
 */
export class SimulatedBanks {
  disputes = 0;
  payouts = 0;
  #reports = 0;
  readonly #parts: SimulationParts;
  readonly #request: AdvanceRequest;

  constructor(parts: SimulationParts, request: AdvanceRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /** Call it at the beginning of a day. Returns whether a bank has reported a dispute or its outcome. */
  async run(day: Day): Promise<boolean> {
    const reportsBefore = this.#reports;
    await this.#decideDisputes(day);
    if (this.#request.disputedPerMille > 0) await this.#openDisputes(day);
    await this.#reportPayouts(day);
    if (this.#now().getUTCDate() === 1) await this.#makePayouts();
    return this.#reports > reportsBefore;
  }

  async #openDisputes({ disputable }: Day): Promise<void> {
    for (const id of disputable) {
      if (randomInt(1_000) >= this.#request.disputedPerMille) continue;
      await this.#report(id, { status: "open", isWithdrawn: true, openedAt: this.#now() });
      this.disputes++;
    }
  }

  /** The seller wins half of the disputes. */
  async #decideDisputes({ decided }: Day): Promise<void> {
    for (const { orderId, openedAtMs } of decided) {
      const isWon = randomInt(2) === 0;
      const openedAt = new Date(openedAtMs);
      await this.#report(orderId, { status: isWon ? "won" : "lost", isWithdrawn: !isWon, openedAt });
    }
  }

  async #report(
    orderId: number,
    state: { status: "open" | "won" | "lost"; isWithdrawn: boolean; openedAt: Date },
  ): Promise<void> {
    const { db, checkout } = this.#parts;
    const order = await selectOrdersWithPayment(db).where("id", "=", orderId).executeTakeFirstOrThrow();
    const of = { reference: `sandbox_dispute_${orderId}`, amountCents: order.amount_cents, reason: "fraudulent" };
    this.#reports++;
    if (order.license_type === "exclusive") await this.#parts.tallyOrders();
    await disputeReported(checkout, { order, state: { ...of, ...state } });
  }

  async #reportPayouts({ payouts }: Day): Promise<void> {
    const { db, checkout } = this.#parts;
    const now = this.#now();
    const setting = { publicUrl: checkout.publicUrl, now };
    const arrived: number[] = [];
    for (const id of payouts)
      if (randomInt(1_000) >= this.#request.failedPayoutsPerMille) arrived.push(id);
      else await confirmFailed(db, id, closedAccount, setting);
    if (arrived.length > 0) await confirmPaid(db, { ids: arrived }, now);
  }

  async #makePayouts(): Promise<void> {
    const { db, clock, checkout, clearingDays } = this.#parts;
    const now = this.#now();
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

  #now(): Date {
    return new Date(this.#parts.clock.nowMs());
  }
}

export interface SimulationParts {
  db: Queryable;
  clock: Clock;
  /** The seed of the sandbox. */
  seed: string;
  checkout: CheckoutDependencies;
  /**
   * Tallies the orders that are not tallied yet. Runs before an exclusive license is sold or returned, because the
   * event of that change shows how often the beat was bought. Each call of `advance` tallies at its end, so without
   * this run the number in the event would depend on where the calls end.
   */
  tallyOrders(): Promise<void>;
  /** Days until a sale is cleared, so that a payout run pays it. */
  clearingDays: number;
}
