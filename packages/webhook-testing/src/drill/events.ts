import { randomBytes, randomInt } from "node:crypto";

/** An event of the drill, as the service would send it. */
export interface DrillEvent {
  id: string;
  created: number;
  type: string;
  data: Readonly<Record<string, unknown>>;
}

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const random = (length: number): string => Array.from(randomBytes(length), (byte) => letters[byte % 32]).join("");

/** Has the format of all event ids, so that the receiver treats the drill like real events. */
const eventId = (): string => `evt_01DR1LL${random(19)}`;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export const drillId = (): string => `drill_${random(12).toLowerCase()}`;

const event = (type: string, data: Record<string, unknown>): DrillEvent => ({
  id: eventId(),
  created: nowSeconds(),
  type,
  data,
});

export interface Sale {
  orderId: number;
  purchase: DrillEvent;
  /** A refund after which this amount of the price of 29.90 is refunded in total. */
  refund(refundedAmount: number): DrillEvent;
}

/** A sale of a beat. The ids of its order and its beat are larger than real ids. */
export function sale(title = "Drill"): Sale {
  const orderId = randomInt(2 ** 40, 2 ** 47);
  const facts = {
    beat_id: randomInt(2 ** 40, 2 ** 47),
    title,
    producer_id: 35,
    producer_name: "Second Floor Weather",
    license_type: "basic",
    amount: 29.9,
    currency: "USD",
    purchaser_id: randomInt(2 ** 40, 2 ** 47),
  };
  return {
    orderId,
    purchase: event("beat.purchased", facts),
    refund: (refundedAmount) =>
      event("order.refunded", {
        order_id: orderId,
        ...facts,
        refunded_amount: refundedAmount,
        refunded_at: new Date().toISOString().replace(/\.\d+Z/, "Z"),
      }),
  };
}

/** An event of a type that no release has yet. */
export const unknownEvent = (): DrillEvent => event("beat.remixed", { beat_id: 1, remixed_by: 2 });
