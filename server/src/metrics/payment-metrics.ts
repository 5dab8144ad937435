import { Gauge, type Registry } from "prom-client";

/** Orders and refunds whose payment is not settled, as they were measured last. */
export interface PendingPayments {
  readonly state: Readonly<Record<"orders" | "refunds", { waiting: number; oldestSeconds: number }>>;
}

export function registerPendingPayments(pending: PendingPayments, registry: Registry): void {
  const registers = [registry];
  const labelNames = ["of"];
  new Gauge({
    name: "beatmarket_payments_pending",
    help: "Orders and refunds whose outcome the payment provider has yet to tell, over all processes. Measured every 15 seconds.",
    labelNames,
    registers,
    collect() {
      for (const [of, { waiting }] of Object.entries(pending.state)) this.set({ of }, waiting);
    },
  });
  new Gauge({
    name: "beatmarket_payments_pending_oldest_seconds",
    help: "How long ago the oldest of them was begun; 0 without any.",
    labelNames,
    registers,
    collect() {
      for (const [of, { oldestSeconds }] of Object.entries(pending.state)) this.set({ of }, oldestSeconds);
    },
  });
}
