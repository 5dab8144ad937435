import { Gauge, type Registry } from "prom-client";
import { scrapedGauges, scrapedGaugesBy } from "./scraped-gauges.ts";

/** A limit, and how much of it is used. */
interface Bounded {
  readonly open: number;
  readonly max: number;
}

/** Files on their way to clients. */
export function registerTransfers(transfers: Readonly<Record<string, Bounded>>, registry: Registry): void {
  const gauge = scrapedGaugesBy("of", () => Object.entries(transfers), registry);
  gauge("transfers", "Files on their way to clients, by what they are.", ({ open }) => open);
  gauge("transfers_max", "How many of them there may be; further ones are refused with 429.", ({ max }) => max);
}

/** The demo's renderer of loops. */
export interface Loops {
  readonly waiting: number;
  readonly maxWaiting: number;
  readonly cached: { readonly entries: number; readonly bytes: number };
}

export function registerLoops(loops: Loops, registry: Registry): void {
  const gauge = scrapedGauges(registry);
  gauge("loops_waiting", "Loops of the demo that are rendered, or wait for it.", () => loops.waiting);
  gauge(
    "loops_waiting_max",
    "How many of them there may be; further ones are refused with 503.",
    () => loops.maxWaiting,
  );
  gauge("loop_cache_entries", "Rendered loops in the cache.", () => loops.cached.entries);
  gauge("loop_cache_bytes", "Size of the rendered loops in the cache; at most 16 MiB.", () => loops.cached.bytes);
}

/** The comparisons of the ledger with the payment providers, as they were measured last. */
export interface LedgerComparisons {
  readonly state: readonly { provider: string; differences: number; comparedUntilSeconds: number }[];
}

export function registerLedger(comparisons: LedgerComparisons, registry: Registry): void {
  const registers = [registry];
  const labelNames = ["provider"] as const;
  new Gauge({
    name: "beatmarket_ledger_differences",
    help: "Differences between the ledger and the payment provider in the last 28 days that were compared.",
    labelNames,
    registers,
    collect() {
      for (const { provider, differences } of comparisons.state) this.set({ provider }, differences);
    },
  });
  new Gauge({
    name: "beatmarket_ledger_compared_until_seconds",
    help: "End of the newest day on which the ledger was compared with the payment provider, Unix time.",
    labelNames,
    registers,
    collect() {
      for (const { provider, comparedUntilSeconds } of comparisons.state) this.set({ provider }, comparedUntilSeconds);
    },
  });
}

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
