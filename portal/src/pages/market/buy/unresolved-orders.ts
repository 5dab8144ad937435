import { ApiError } from "../../../api/client.ts";
import { type OrderBody, type PlacedOrder, placeOrder } from "../../../api/market.ts";

/** An order that was sent. Sent again with its key, it is placed once at most. */
interface SentOrder {
  key: string;
  paymentMethod: string;
  /** What the buyer agreed to pay. */
  price: number;
  currency: string;
  sentMs: number;
}

/** Of the browser tab: it survives a closed dialog and a reload. */
const storageKey = "beatmarket-unresolved-orders";
/** As long as the server keeps an Idempotency-Key (docs/api/conventions.md). */
const keptMs = 24 * 3_600_000;
/** Statuses that refuse a repetition and leave open what became of the first request. */
const undecided = [401, 403, 409, 429];

/** What is bought, by whom. */
export interface Purchase {
  userId: number;
  beatId: number;
  license: NonNullable<OrderBody["license_type"]>;
}

const nameOf = ({ userId, beatId, license }: Purchase) => `${userId} ${beatId} ${license}`;

function readAll(): Record<string, SentOrder> {
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? "{}") as Record<string, SentOrder>;
  return Object.fromEntries(Object.entries(stored).filter(([, { sentMs }]) => Date.now() - sentMs < keptMs));
}

function write(purchase: Purchase, order: SentOrder | undefined): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ ...readAll(), [nameOf(purchase)]: order }));
}

/** What the buyer has seen and agreed to. */
export type Agreed = Pick<SentOrder, "paymentMethod" | "price" | "currency">;

/** The order of this purchase whose outcome is not known. */
export const findUnresolved = (purchase: Purchase): SentOrder | undefined => readAll()[nameOf(purchase)];

/** Places an order, or repeats the unresolved one of the same purchase. Its key is kept until the outcome is known. */
export async function placeOnce(purchase: Purchase, agreed: Agreed): Promise<PlacedOrder> {
  const unresolved = findUnresolved(purchase);
  const order = unresolved ?? { ...agreed, key: crypto.randomUUID(), sentMs: Date.now() };
  write(purchase, order);
  try {
    const placed = await placeOrder({
      key: order.key,
      body: {
        beat_id: purchase.beatId,
        license_type: purchase.license,
        payment_method: order.paymentMethod,
        expected_amount: order.price,
        currency: order.currency,
      },
    });
    write(purchase, undefined);
    return placed;
  } catch (error) {
    const isRefused =
      error instanceof ApiError &&
      error.status >= 400 &&
      error.status < 500 &&
      (unresolved === undefined || !undecided.includes(error.status) || error.details.includes("Nothing was charged"));
    if (isRefused) write(purchase, undefined);
    throw error;
  }
}
