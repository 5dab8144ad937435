import { ApiError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import { onRandomSource, randomInt, SeededSource } from "../../../access/random-source.ts";
import { placeOrder } from "../../../resources/orders/checkout/place-order.ts";
import { requestRefund } from "../../../resources/orders/refunds/request-refund.ts";
import type { AdvanceRequest } from "../../../resources/sandboxes/control.ts";
import { buyersOf } from "../seed-sandbox.ts";
import type { SimulationParts } from "./banks.ts";

const dayMs = 86_400_000;
/** Of the orders of simulated buyers, per mille: refunded after three days. */
const refundedPerMille = 50;
const refundAfterDays = 3;
/** One license in a hundred is exclusive, so that some are on sale after years. */
const exclusivePerMille = 10;
const commonTypes = ["basic", "basic", "basic", "premium", "premium", "unlimited"] as const;

/** A number for a choice whose alternatives are known when it is made. */
const wide = 1_000_000_007;

interface PlannedOrder {
  atMs: number;
  buyer: number;
  beat: number;
  licenseType: (typeof commonTypes)[number] | "exclusive";
  bounces: boolean;
}

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

  private constructor(parts: SimulationParts, request: AdvanceRequest, buyers: readonly number[]) {
    this.#parts = parts;
    this.#request = request;
    this.#buyers = buyers;
  }

  static async open(parts: SimulationParts, request: AdvanceRequest): Promise<SimulatedBuyers> {
    const buyers = new SimulatedBuyers(parts, request, await buyersOf(parts.db));
    await buyers.#planDay();
    return buyers;
  }

  /** The moment of the next order. */
  get nextMs(): number {
    return this.#planned[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  async beginDay(): Promise<void> {
    await this.#refund();
    await this.#planDay();
  }

  /** Places the next order. A buyer who comes too late for an exclusive license, or too early for another one, buys nothing. */
  async buy(): Promise<void> {
    const [order] = this.#planned.splice(0, 1);
    const beatId = order && this.#beats[order.beat % this.#beats.length];
    const userId = order && this.#buyers[order.buyer];
    if (order === undefined || beatId === undefined || userId === undefined) return;
    const { licenseType } = order;
    const paymentMethod = order.bounces ? "pm_card_refundFail" : "pm_card_visa";
    try {
      const request = { userId, beatId, licenseType, paymentMethod, run: null, requestId: "sandbox" };
      const { status } = await placeOrder(this.#parts.checkout, request);
      if (status === "completed") this.orders++;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
    if (licenseType === "exclusive") await this.readBeats();
  }

  /** Reads which beats are on sale. */
  async readBeats(): Promise<void> {
    if (this.#request.ordersPerDay === 0) return;
    const { db } = this.#parts;
    const beats = await db.selectFrom("beats").select("id").where("is_listed", "=", true).orderBy("id").execute();
    this.#beats = beats.map(({ id }) => id);
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
    await this.readBeats();
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
