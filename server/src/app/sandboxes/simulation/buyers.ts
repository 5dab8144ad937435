import { ApiError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import { onRandomSource, randomInt, SeededSource } from "../../../access/random-source.ts";
import type { OrderRequest, PlainOrderRequest } from "../../../resources/orders/checkout/create-order.ts";
import { placeOrder, placeOrders } from "../../../resources/orders/checkout/place-order.ts";
import type { Order } from "../../../resources/orders/order.ts";
import { requestRefund } from "../../../resources/orders/refunds/request-refund.ts";
import type { AdvanceRequest } from "../../../resources/sandboxes/control.ts";
import type { SimulationParts } from "./banks.ts";

const dayMs = 86_400_000;
/** Of the orders of simulated buyers, per mille: refunded after three days. */
const refundedPerMille = 50;
const refundAfterDays = 3;
/** One license in a hundred is exclusive, so that some are on sale after years. */
const exclusivePerMille = 10;
const commonTypes = ["basic", "basic", "basic", "premium", "premium", "unlimited"] as const;

/** Orders that share their statements. */
const maxTogether = 64;

/** A number for a choice whose alternatives are known when it is made. */
const wide = 1_000_000_007;

export interface PlannedOrder {
  atMs: number;
  buyer: number;
  beat: number;
  licenseType: (typeof commonTypes)[number] | "exclusive";
  bounces: boolean;
}

/**
 * Whether an order is placed together with the one before. Orders of one millisecond are not: the order of their events
 * would depend on it.
 */
const isWith = (before: PlannedOrder | undefined, order: PlannedOrder | undefined, untilMs: number): boolean =>
  before !== undefined &&
  order !== undefined &&
  order.atMs <= untilMs &&
  order.atMs !== before.atMs &&
  order.licenseType !== "exclusive";

const isPlain = (request: OrderRequest): request is PlainOrderRequest =>
  request.licenseType !== "exclusive" && request.at !== undefined;

/**
 * Simulated buyers, who place orders at random moments and want some of them refunded. The orders of a day follow from the
 * seed and the day, so it does not matter in how many calls a sandbox passes the day.
 */
export class SimulatedBuyers {
  orders = 0;
  refunds = 0;
  readonly #parts: SimulationParts;
  readonly #request: AdvanceRequest;
  readonly #buyers: readonly number[];
  #planned: PlannedOrder[] = [];
  #beats: number[] = [];
  /** Whether events of orders are sent to a receiver. */
  #isHeard = true;

  private constructor(parts: SimulationParts, request: AdvanceRequest, ids: readonly number[]) {
    this.#parts = parts;
    this.#request = request;
    this.#buyers = ids;
  }

  static async open(parts: SimulationParts, request: AdvanceRequest, ids: readonly number[]): Promise<SimulatedBuyers> {
    const buyers = new SimulatedBuyers(parts, request, ids);
    await buyers.#planDay();
    return buyers;
  }

  /**
   * Takes the next orders up to a moment before which nothing else is due, in their order; none if there is none. An exclusive
   * license is bought alone, since it takes its beat off sale, and so is an order whose event is sent to a receiver.
   */
  take(untilMs: number): PlannedOrder[] {
    const [first] = this.#planned;
    if (first === undefined || first.atMs > untilMs) return [];
    let count = 1;
    if (first.licenseType !== "exclusive" && !this.#isHeard)
      while (count < maxTogether && isWith(this.#planned[count - 1], this.#planned[count], untilMs)) count++;
    return this.#planned.splice(0, count);
  }

  async beginDay(): Promise<void> {
    await this.#refund();
    await this.#planDay();
  }

  /**
   * Places orders. A buyer who comes too late for an exclusive license, or too early for another one, buys nothing. Logs each
   * order that an error prevented, and then throws the first of these errors: the caller of `advance` is told.
   */
  async buy(orders: readonly PlannedOrder[]): Promise<void> {
    const requests = orders.flatMap((order) => this.#requestOf(order) ?? []);
    const errors: Error[] = [];
    for (const [place, outcome] of (await this.#place(requests)).entries())
      if (!(outcome instanceof Error)) this.orders += outcome.status === "completed" ? 1 : 0;
      else if (!(outcome instanceof ApiError) || outcome.status >= 500) {
        this.#parts.checkout.log.error({ err: outcome, request: requests[place] }, "a simulated order was not placed");
        errors.push(outcome);
      }
    for (const error of errors) throw error;
  }

  async #place(requests: readonly OrderRequest[]): Promise<(Order | Error)[]> {
    const { checkout } = this.#parts;
    if (requests.every(isPlain))
      return placeOrders(checkout, requests).catch((error: Error) => requests.map(() => error));
    const placed = await Promise.all(
      requests.map((request) => placeOrder(checkout, request).catch((error: Error) => error)),
    );
    await this.look();
    return placed;
  }

  #requestOf({ atMs, beat, buyer, licenseType, bounces }: PlannedOrder): OrderRequest | undefined {
    const beatId = this.#beats[beat % this.#beats.length];
    const userId = this.#buyers[buyer];
    if (beatId === undefined || userId === undefined) return undefined;
    const paymentMethod = bounces ? "pm_card_refundFail" : "pm_card_visa";
    return { userId, beatId, licenseType, paymentMethod, run: null, requestId: "sandbox", at: new Date(atMs) };
  }

  /** Reads which beats are on sale, and whether events are sent to a receiver. */
  async look(): Promise<void> {
    if (this.#request.ordersPerDay === 0) return;
    const { rows } = await sql<{ beats: number[]; is_heard: boolean }>`
      select array(select id from beats where is_listed order by id) as beats, exists(
        select from webhook_endpoints where state = 'enabled' and kind <> ${"listen"}) as is_heard`.execute(
      this.#parts.db,
    );
    this.#beats = rows[0]?.beats ?? [];
    this.#isHeard = rows[0]?.is_heard === true;
  }

  async #planDay(): Promise<void> {
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
    await this.look();
  }

  /** Some of the orders of the day three days ago. */
  async #refund(): Promise<void> {
    const { db, checkout, clock } = this.#parts;
    const dayEnd = new Date(clock.nowMs() - refundAfterDays * dayMs);
    const dayStart = new Date(dayEnd.getTime() - dayMs);
    const { rows } = await sql<{ id: number }>`
      select id from orders where status = 'completed' and user_id = any(${this.#buyers})
        and created_at >= ${dayStart} and created_at < ${dayEnd} order by id`.execute(db);
    for (const { id } of rows) {
      if (randomInt(1_000) >= refundedPerMille) continue;
      await requestRefund(checkout, id, { amountCents: null, origin: "operator" });
      this.refunds++;
    }
  }
}
