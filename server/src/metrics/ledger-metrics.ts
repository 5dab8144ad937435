import { Gauge, type Registry } from "prom-client";

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
