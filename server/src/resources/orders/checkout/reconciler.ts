import { sql } from "kysely";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { Queryable } from "../../../database/connect.ts";
import { releaseExpiredExclusives } from "../../beats/licensing/exclusive.ts";
import { paymentOf, pendingForMs, requireProvider, type SettlementDependencies } from "../checkout.ts";
import type { OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { nextPendingRefunds, pursueRefund } from "../refunds/pursue-refund.ts";
import type { Refund } from "../refunds/refund.ts";
import { settle } from "../settle.ts";
import { charge, inPaymentSpan } from "./charge.ts";

const pageSize = 20;
/**
 * A round ends after the page in which it reaches this number of failures, for example while the provider is
 * unreachable. The next round continues after the last item.
 */
const maxFailures = 5;

/**
 * Background job: settles pending orders by charging, querying or canceling their payments, continues pending refunds,
 * and releases expired holds on exclusive licenses. Any number of instances may run it concurrently.
 */
export class Reconciler {
  readonly #checkout: SettlementDependencies;
  readonly #catalogue: CatalogueVersion;
  readonly #orders: ItemRounds<OrderWithPayment>;
  readonly #refunds: ItemRounds<Refund>;

  constructor(checkout: SettlementDependencies, catalogue: CatalogueVersion) {
    this.#checkout = checkout;
    this.#catalogue = catalogue;
    this.#orders = new ItemRounds(
      (afterId) => nextPendingOrders(checkout.db, afterId),
      (order) => this.#reconcile(order),
      ({ id }, err) => checkout.log.warn({ err, orderId: id }, "order not settled"),
    );
    this.#refunds = new ItemRounds(
      (afterId) => nextPendingRefunds(checkout, afterId, pageSize),
      ({ id }) => pursueRefund(checkout, id),
      ({ id, order_id }, err) => checkout.log.warn({ err, orderId: order_id, refundId: id }, "refund not made yet"),
    );
  }

  /** Runs one round: pending orders, pending refunds, expired holds. Ends early if `stopping` aborts. */
  async run(stopping?: AbortSignal): Promise<void> {
    await this.#orders.run(stopping);
    await this.#refunds.run(stopping);
    const released = await releaseExpiredExclusives(this.#checkout.db, new Date(this.#checkout.clock.nowMs()));
    if (released > 0) this.#catalogue.bump();
  }

  async #reconcile(order: OrderWithPayment): Promise<void> {
    const { status } = await this.#finish(order);
    if (status !== "pending" && order.license_type === "exclusive") this.#catalogue.bump();
  }

  /** Charges or queries the payment, or cancels it if the order is overdue. A free order has no payment to cancel. */
  async #finish(order: OrderWithPayment): Promise<OrderWithPayment> {
    const isOverdue = order.created_at.getTime() + pendingForMs <= this.#checkout.clock.nowMs();
    if (!isOverdue || order.amount_cents === 0) return charge(this.#checkout, order, "later");
    const provider = requireProvider(this.#checkout, order);
    return inPaymentSpan(order, async () => settle(this.#checkout, order.id, await provider.cancel(paymentOf(order))));
  }
}

const nextPendingOrders = (db: Queryable, afterId: number): Promise<OrderWithPayment[]> =>
  selectOrdersWithPayment(db)
    .where("status", "=", "pending")
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(pageSize)
    .execute();

/**
 * Works on pending items by ascending id, one page at a time. If one round ends early, the next round continues there.
 */
class ItemRounds<Item extends { id: number }> {
  readonly #nextPage: (afterId: number) => Promise<Item[]>;
  readonly #work: (item: Item) => Promise<unknown>;
  readonly #reportFailure: (item: Item, error: unknown) => void;
  #afterId = 0;

  constructor(
    nextPage: (afterId: number) => Promise<Item[]>,
    work: (item: Item) => Promise<unknown>,
    reportFailure: (item: Item, error: unknown) => void,
  ) {
    this.#nextPage = nextPage;
    this.#work = work;
    this.#reportFailure = reportFailure;
  }

  async run(stopping?: AbortSignal): Promise<void> {
    let failures = 0;
    let page: Item[];
    do {
      page = await this.#nextPage(this.#afterId);
      await Promise.all(
        page.map((item) =>
          this.#work(item).catch((error: unknown) => {
            failures++;
            this.#reportFailure(item, error);
          }),
        ),
      );
      this.#afterId = page.at(-1)?.id ?? 0;
    } while (page.length > 0 && failures < maxFailures && stopping?.aborted !== true);
  }
}

/** The number of unsettled items, and the age of the oldest in seconds. Both are 0 if there are none. */
interface Pending {
  waiting: number;
  oldestSeconds: number;
}

const tables = ["orders", "refunds"] as const;
type Table = (typeof tables)[number];

/** The last measured numbers of pending orders and refunds, so that a scrape of metrics needs no query. */
export class PendingPaymentsWatch {
  readonly state: Record<Table, Pending> = {
    orders: { waiting: 0, oldestSeconds: 0 },
    refunds: { waiting: 0, oldestSeconds: 0 },
  };

  async measure(db: Queryable, now: Date): Promise<void> {
    for (const table of tables) {
      const { rows } = await sql<Pending>`
        select count(*)::int as waiting,
          coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(created_at))), 0)::float8 as "oldestSeconds"
        from ${sql.table(table)} where status = 'pending'`.execute(db);
      const [measured] = rows;
      if (measured !== undefined) this.state[table] = measured;
    }
  }
}
