import { ApiError } from "@beatmarket/foundation/errors.ts";
import { refusesValues } from "@beatmarket/postgres/connection/database-error.ts";
import { onRandomSource, randomInt, SeededSource } from "../../../access/random-source.ts";
import type { OrderRequest, PlainOrderRequest } from "../../../resources/orders/checkout/create-order.ts";
import { placeOrder, placeOrders, resumeOrders } from "../../../resources/orders/checkout/place-order.ts";
import type { Order } from "../../../resources/orders/order.ts";
import { requestRefund } from "../../../resources/orders/refunds/request-refund.ts";
import type { AdvanceRequest } from "../../../resources/sandboxes/control.ts";
import type { SimulationParts } from "./banks.ts";
import { type Day, type Offer, readOffer } from "./day.ts";

const dayMs = 86_400_000;
/** Of 1,000 orders of simulated buyers, this many are refunded some days after the purchase. */
const refundedPerMille = 50;
/** One license in a hundred is exclusive, so that some beats are still on sale after years. */
const exclusivePerMille = 10;
const commonTypes = ["basic", "basic", "basic", "premium", "premium", "unlimited"] as const;

/** At most this many orders share their statements. */
const maxTogether = 64;

/** The range of an order's random number, which later chooses among the beats that are on sale then. */
const wide = 1_000_000_007;

export interface PlannedOrder {
  atMs: number;
  buyer: number;
  beat: number;
  licenseType: (typeof commonTypes)[number] | "exclusive";
  bounces: boolean;
  /** The id of the order, if a process was killed between creating and settling it. */
  pendingId?: number;
}

/**
 * Whether an order is placed together with the order before it. Two orders of one millisecond are placed separately,
 * because otherwise the order of their events would depend on the grouping.
 */
const isWith = (before: PlannedOrder | undefined, order: PlannedOrder | undefined, untilMs: number): boolean =>
  before !== undefined &&
  order !== undefined &&
  order.atMs <= untilMs &&
  order.atMs !== before.atMs &&
  order.licenseType !== "exclusive";

const isPlain = (request: OrderRequest): request is PlainOrderRequest =>
  request.licenseType !== "exclusive" && request.at !== undefined;

const isOfBuyer = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/**
 * The error of an order; null without one, or if the service refused the buyer. A simulated buyer's order is pending
 * only after an error, which is in the log. It fails or is completed after some minutes of the sandbox's time.
 */
function errorOf(outcome: Order | Error): Error | null {
  if (outcome instanceof Error) return isOfBuyer(outcome) ? null : outcome;
  return outcome.status === "pending"
    ? new Error(`Order ${outcome.id} was placed, and an error left it pending.`)
    : null;
}

/** Whether an error is about this order, so that another attempt would fail, too. */
const isRefusal = (error: Error): boolean => refusesValues(error) || isOfBuyer(error);

/**
 * Simulated buyers, who place orders at random moments and want some of them refunded. The orders of a day follow from
 * the seed and the day, so it does not matter in how many calls a sandbox passes the day.
 */
export class SimulatedBuyers {
  orders = 0;
  refunds = 0;
  readonly #parts: SimulationParts;
  readonly #request: AdvanceRequest;
  readonly #buyers: readonly number[];
  #planned: PlannedOrder[] = [];
  #offer: Offer = { beats: [], isHeard: true };

  private constructor(parts: SimulationParts, request: AdvanceRequest, ids: readonly number[]) {
    this.#parts = parts;
    this.#request = request;
    this.#buyers = ids;
  }

  /**
   * `interrupted`: the batch during which a process was killed. The orders of this batch that do not exist yet, or are
   * pending, are placed first.
   */
  static async open(
    parts: SimulationParts,
    request: AdvanceRequest,
    ids: readonly number[],
    interrupted: readonly PlannedOrder[] = [],
  ): Promise<SimulatedBuyers> {
    const buyers = new SimulatedBuyers(parts, request, ids);
    buyers.#planDay();
    if (interrupted.length > 0) buyers.#planned.unshift(...(await buyers.#unfinished(interrupted)));
    await buyers.look();
    return buyers;
  }

  /** Whether orders of an interrupted batch are not placed yet. */
  get isBehind(): boolean {
    return (this.#planned[0]?.atMs ?? Number.POSITIVE_INFINITY) <= this.#parts.clock.nowMs();
  }

  /**
   * Takes the next orders, earliest first, up to a moment before which nothing else is due. Returns an empty list if no
   * order is left until that moment. Two kinds of orders are taken alone: an exclusive license, since it takes its beat
   * off sale, and an order whose event is sent to a receiver.
   */
  take(untilMs: number): PlannedOrder[] {
    const [first] = this.#planned;
    if (first === undefined || first.atMs > untilMs) return [];
    let count = 1;
    if (first.licenseType !== "exclusive" && !this.#offer.isHeard)
      while (count < maxTogether && isWith(this.#planned[count - 1], this.#planned[count], untilMs)) count++;
    return this.#planned.splice(0, count);
  }

  /** `isChanged`: whether a bank has reported a dispute or its outcome. */
  async beginDay(day: Day, isChanged: boolean): Promise<void> {
    const isOnSaleAgain = await this.#refund(day);
    this.#planDay();
    if (isChanged || isOnSaleAgain) await this.look();
    else this.#offer = { ...this.#offer, isHeard: day.isHeard };
  }

  /**
   * Places orders. A buyer whose order the service refuses, such as for a beat that is not on sale now, buys nothing.
   * Logs each order that an error prevented. `error` is the first of these errors, which fails the call of `advance`.
   * `makeJobsDue` says whether the orders may have made a job due, other than the job that sends mails. Throws if the
   * database or the storage is unreachable: the next call then places the orders that do not exist.
   */
  async buy(orders: readonly PlannedOrder[]): Promise<{ makeJobsDue: boolean; error: Error | null }> {
    const pendingIds = orders.flatMap(({ pendingId }) => pendingId ?? []);
    const others = orders.filter(({ pendingId }) => pendingId === undefined);
    const requests = others.flatMap((order) => this.#requestOf(order) ?? []);
    const outcomes = [...(await this.#resume(pendingIds)), ...(await this.#place(requests))];
    const errors: Error[] = [];
    for (const [place, outcome] of outcomes.entries()) {
      if (!(outcome instanceof Error) && outcome.status === "completed") this.orders++;
      const error = errorOf(outcome);
      if (error === null) continue;
      const request = requests[place - pendingIds.length];
      this.#parts.checkout.log.error({ err: error, request }, "a simulated order was not completed");
      errors.push(error);
    }
    // A plain order is not pending, and holds no exclusive license, so only a delivery can be due after it.
    const areAllPlain = pendingIds.length === 0 && requests.every(isPlain);
    return { makeJobsDue: this.#offer.isHeard || !areAllPlain, error: errors[0] ?? null };
  }

  async #resume(ids: readonly number[]): Promise<Order[]> {
    if (ids.length === 0) return [];
    await this.#parts.tallyOrders();
    const orders = await resumeOrders(this.#parts.checkout, ids);
    await this.look();
    return orders;
  }

  async #place(requests: readonly OrderRequest[]): Promise<(Order | Error)[]> {
    const { checkout } = this.#parts;
    if (requests.every(isPlain)) return placeOrders(checkout, requests);
    await this.#parts.tallyOrders();
    const placed = await Promise.all(
      requests.map((request) =>
        placeOrder(checkout, request).catch((error: Error) => {
          if (isRefusal(error)) return error;
          throw error;
        }),
      ),
    );
    await this.look();
    return placed;
  }

  #requestOf({ atMs, beat, buyer, licenseType, bounces }: PlannedOrder): OrderRequest | undefined {
    const { beats } = this.#offer;
    const beatId = beats[beat % beats.length];
    const userId = this.#buyers[buyer];
    if (beatId === undefined || userId === undefined) return undefined;
    const paymentMethod = bounces ? "pm_card_refundFail" : "pm_card_visa";
    return { userId, beatId, licenseType, paymentMethod, run: null, requestId: "sandbox", at: new Date(atMs) };
  }

  /** Reads which beats are on sale. */
  async look(): Promise<void> {
    if (this.#request.ordersPerDay > 0 || this.#planned.length > 0) this.#offer = await readOffer(this.#parts.db);
  }

  async #unfinished(orders: readonly PlannedOrder[]): Promise<PlannedOrder[]> {
    const rows = await this.#parts.db
      .selectFrom("orders")
      .select(["id", "user_id", "created_at", "status"])
      .where("user_id", "in", [...this.#buyers])
      .where("created_at", ">=", new Date(orders[0]?.atMs ?? 0))
      .execute();
    const placed = new Map(rows.map((order) => [`${order.user_id} ${order.created_at.getTime()}`, order]));
    return orders.flatMap((order) => {
      const { id, status } = placed.get(`${this.#buyers[order.buyer]} ${order.atMs}`) ?? {};
      if (id === undefined) return [order];
      return status === "pending" ? [{ ...order, pendingId: id }] : [];
    });
  }

  /** Plans the orders of the rest of the present day. */
  #planDay(): void {
    const { clock, seed } = this.#parts;
    const nowMs = clock.nowMs();
    const dayBegan = Math.floor(nowMs / dayMs) * dayMs;
    const source = new SeededSource(`${seed} buyers ${dayBegan / dayMs}`);
    const { ordersPerDay, bouncedPerMille } = this.#request;
    const planned = onRandomSource(source, () =>
      Array.from(
        { length: ordersPerDay },
        (): PlannedOrder => ({
          atMs: dayBegan + 1 + randomInt(dayMs - 1),
          buyer: randomInt(this.#buyers.length),
          beat: randomInt(wide),
          licenseType:
            randomInt(1_000) < exclusivePerMille
              ? "exclusive"
              : (commonTypes[randomInt(commonTypes.length)] ?? "basic"),
          bounces: randomInt(1_000) < bouncedPerMille,
        }),
      ),
    );
    this.#planned = planned.filter(({ atMs }) => atMs > nowMs).sort((one, other) => one.atMs - other.atMs);
  }

  /** Returns whether a beat is on sale again. */
  async #refund({ refundable }: Day): Promise<boolean> {
    let isOnSaleAgain = false;
    for (const { id, isExclusive } of refundable) {
      if (randomInt(1_000) >= refundedPerMille) continue;
      if (isExclusive) await this.#parts.tallyOrders();
      try {
        await requestRefund(this.#parts.checkout, id, { amountCents: null, origin: "operator" });
      } catch (error) {
        // Refunded already, by a call or before an interruption, or upgraded.
        if (isOfBuyer(error)) continue;
        throw error;
      }
      this.refunds++;
      if (isExclusive) isOnSaleAgain = true;
    }
    return isOnSaleAgain;
  }
}
