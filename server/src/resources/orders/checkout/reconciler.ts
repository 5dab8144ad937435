import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { releaseExpiredExclusives } from "../../beats/licensing/exclusive.ts";
import type { PaidOrder } from "../order.ts";
import { selectPaidOrders } from "../queries.ts";
import { charge } from "./charge.ts";
import { type Checkout, paymentOf, pendingForMs, requireProvider } from "./checkout.ts";
import { refund, settle } from "./settle.ts";

const pageSize = 20;
/** Ends a run while the provider is unreachable. The next run continues after the last order tried. */
const maxFailures = 5;

/**
 * Background job: settles pending orders by querying their payments, retries due refunds, and releases expired holds on
 * exclusive licenses. Any number of instances may run it at once.
 */
export class Reconciler {
  readonly #checkout: Checkout;
  readonly #catalogue: CatalogueVersion;
  /** Where the next page starts. */
  #afterId = 0;

  constructor(checkout: Checkout, catalogue: CatalogueVersion) {
    this.#checkout = checkout;
    this.#catalogue = catalogue;
  }

  /** One pass over all open orders, or until `stopping` aborts. */
  async run(stopping?: AbortSignal): Promise<void> {
    let failures = 0;
    let page: PaidOrder[];
    do {
      page = await this.#nextPage();
      const results = await Promise.allSettled(page.map((order) => this.#reconcile(order)));
      for (const [index, result] of results.entries())
        if (result.status === "rejected") {
          failures++;
          this.#checkout.log.warn({ err: result.reason, orderId: page[index]?.id }, "order not settled");
        }
      this.#afterId = page.at(-1)?.id ?? 0;
    } while (page.length > 0 && failures < maxFailures && stopping?.aborted !== true);
    const released = await releaseExpiredExclusives(this.#checkout.db, new Date(this.#checkout.clock.nowMs()));
    if (released > 0) this.#catalogue.bump();
  }

  #nextPage(): Promise<PaidOrder[]> {
    return selectPaidOrders(this.#checkout.db)
      .where((order) => order.or([order("status", "=", "pending"), order("refund", "=", "due")]))
      .where("id", ">", this.#afterId)
      .orderBy("id")
      .limit(pageSize)
      .execute();
  }

  async #reconcile(order: PaidOrder): Promise<void> {
    if (order.refund === "due") return refund(this.#checkout, order);
    const { status } = await this.#finish(order);
    if (status !== "pending" && order.license_type === "exclusive") this.#catalogue.bump();
  }

  /** Charges or queries the payment; cancels an overdue one. */
  async #finish(order: PaidOrder): Promise<PaidOrder> {
    const isOverdue = order.created_at.getTime() + pendingForMs <= this.#checkout.clock.nowMs();
    if (!isOverdue || order.amount_cents === 0) return charge(this.#checkout, order);
    const provider = requireProvider(this.#checkout, order);
    return settle(this.#checkout, order.id, await provider.cancel(paymentOf(order)));
  }
}
