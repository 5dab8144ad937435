import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { releaseExpiredExclusives } from "../../beats/licensing/exclusive.ts";
import { type PaidOrder, paidOrderColumns } from "../order.ts";
import type { PaymentState } from "../payments/provider.ts";
import { type Checkout, paymentOf, pendingForMs, providerOf } from "./checkout.ts";
import { nothingToPay } from "./place-order.ts";
import { giveBack, settle } from "./settle.ts";

const pageSize = 20;
/** A provider that is out of reach is not asked for every order; the next run goes on behind the last one. */
const failuresToStopAt = 5;

/**
 * Brings every order that a crash or a silent provider left pending to its end, by asking the provider; asks again for
 * refunds that are due; gives back exclusives held too long. Any number of instances may do so at once.
 */
export class Reconciler {
  readonly #checkout: Checkout;
  readonly #catalogue: CatalogueVersion;
  #after = 0;

  constructor(checkout: Checkout, catalogue: CatalogueVersion) {
    this.#checkout = checkout;
    this.#catalogue = catalogue;
  }

  /** Asks about all of them, or until it is to stop. */
  async run(stopping?: AbortSignal): Promise<void> {
    let failures = 0;
    let page: PaidOrder[];
    do {
      page = await this.#nextPage();
      const results = await Promise.allSettled(page.map((order) => this.#reconcile(order)));
      for (const [index, result] of results.entries())
        if (result.status === "rejected") {
          failures++;
          this.#checkout.log.warn({ err: result.reason, orderId: page[index]?.id }, "order still open");
        }
      this.#after = page.at(-1)?.id ?? 0;
    } while (page.length > 0 && failures < failuresToStopAt && stopping?.aborted !== true);
    const released = await releaseExpiredExclusives(this.#checkout.db, new Date(this.#checkout.clock.nowMs()));
    if (released > 0) this.#catalogue.bump();
  }

  #nextPage(): Promise<PaidOrder[]> {
    return this.#checkout.db
      .selectFrom("orders")
      .select(paidOrderColumns)
      .$narrowType<PaidOrder>()
      .where((order) => order.or([order("status", "=", "pending"), order("refund", "=", "due")]))
      .where("id", ">", this.#after)
      .orderBy("id")
      .limit(pageSize)
      .execute();
  }

  async #reconcile(order: PaidOrder): Promise<void> {
    if (order.refund === "due") return giveBack(this.#checkout, order);
    const state = await this.#ask(order);
    if (state.status === "pending" && state.reference === order.payment_reference) return;
    await settle(this.#checkout, order.id, state);
    if (order.license_type === "exclusive") this.#catalogue.bump();
  }

  /** A payment that was never started is started now; one that has been open too long is ended. */
  async #ask(order: PaidOrder): Promise<PaymentState> {
    if (order.amount_cents === 0) return nothingToPay;
    const provider = providerOf(this.#checkout, order);
    if (provider === undefined) throw new Error(`The payment provider ${order.payment_provider} is not configured.`);
    const payment = paymentOf(order);
    const isOverdue = order.created_at.getTime() + pendingForMs <= this.#checkout.clock.nowMs();
    const state = await provider.query(payment);
    if (state !== null && (state.status !== "pending" || !isOverdue)) return state;
    return isOverdue ? provider.cancel(payment) : provider.charge(payment);
  }
}
