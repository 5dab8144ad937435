import { randomUUID } from "node:crypto";
import type { DisputeState, Payment, RefundState } from "@beatmarket/payments/provider.ts";
import { outOfReach, ScriptedPayments } from "./payments.ts";

type StoredRefund = RefundState & { reference: string };

/** A provider that stores its refunds, one for each idempotency key. */
export class RefundingBank extends ScriptedPayments {
  readonly #refunds = new Map<number, StoredRefund[]>();
  readonly #byKey = new Map<string, StoredRefund>();
  /** The idempotency keys in the order in which they were sent. */
  readonly keys: string[] = [];
  /** The outcomes of the next requests. Requests after them succeed. */
  readonly next: ("lose the response" | "lose the request" | "pending" | { refuse: string })[] = [];

  constructor() {
    super();
    this.onQuery = () => ({ status: "succeeded", reference: "pay_1" });
    this.onRefund = (payment, { key, amountCents }) => {
      this.keys.push(key);
      const outcome = this.next.shift();
      if (outcome === "lose the request") return outOfReach();
      if (typeof outcome === "object")
        return { reference: null, amountCents, status: "failed", reason: outcome.refuse };
      const refund =
        this.#byKey.get(key) ?? this.make(payment, amountCents, outcome === "pending" ? "pending" : "succeeded");
      this.#byKey.set(key, refund);
      return outcome === "lose the response" ? outOfReach() : { ...refund };
    };
    this.onQueryRefund = ({ orderId }, reference) => {
      const match = this.refundsOf(orderId).find((refund) => refund.reference === reference);
      return match === undefined ? outOfReach() : { ...match };
    };
    this.onListRefunds = ({ orderId }) => this.refundsOf(orderId).map((refund) => ({ ...refund }));
  }

  /** Creates a refund as in the provider's dashboard. The test may change its state. */
  make(
    { orderId }: Pick<Payment, "orderId">,
    amountCents: number,
    status: StoredRefund["status"] = "succeeded",
  ): StoredRefund {
    const refund: StoredRefund = { reference: `re_${randomUUID()}`, amountCents, status, reason: null };
    this.#refunds.set(orderId, [...this.refundsOf(orderId), refund]);
    return refund;
  }

  refundsOf(orderId: number): StoredRefund[] {
    return this.#refunds.get(orderId) ?? [];
  }
}

/** A dispute that the provider has opened, and whose money it has withdrawn. */
export const openDispute = (fields: Partial<DisputeState> = {}): DisputeState => ({
  reference: `dp_${randomUUID()}`,
  amountCents: 1999,
  reason: "fraudulent",
  status: "open",
  isWithdrawn: true,
  openedAt: new Date("2026-01-01T00:00:00Z"),
  ...fields,
});
