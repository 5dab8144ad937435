import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { CallMetrics } from "./call-metrics.ts";
import type { Exchange } from "./http/exchange.ts";

/** What /metrics shows beside the process's own figures. */
export class Metrics {
  readonly registry = new Registry();
  readonly #calls: CallMetrics;

  /** `sharedLimits` is null where limits are counted in this process alone, by choice. */
  constructor(
    requestLog: { readonly waiting: number; readonly dropped: number },
    sharedLimits: { readonly isShared: boolean } | null,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.#calls = new CallMetrics(this.registry);
    const registers = [this.registry];
    new Gauge({
      name: "beatmarket_request_log_waiting",
      help: "Entries of the request log not written yet.",
      registers,
      collect() {
        this.set(requestLog.waiting);
      },
    });
    new Gauge({
      name: "beatmarket_request_log_dropped",
      help: "Entries of the request log dropped since start because the database was too slow.",
      registers,
      collect() {
        this.set(requestLog.dropped);
      },
    });
    if (sharedLimits !== null)
      new Gauge({
        name: "beatmarket_rate_limits_shared",
        help: "1 while limits are counted across instances, 0 while Redis is away and each counts alone.",
        registers,
        collect() {
          this.set(sharedLimits.isShared ? 1 : 0);
        },
      });
  }

  observe(exchange: Pick<Exchange, "operation" | "startedMs">, status: number): void {
    this.#calls.observe(exchange, status);
  }
}
