import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Exchange } from "./http/exchange.ts";

/** What /metrics shows beside the process's own figures. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<"operation" | "status">;
  readonly #durations: Histogram<"operation">;

  constructor(requestLog: { readonly waiting: number; readonly dropped: number }) {
    collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    this.#requests = new Counter({
      name: "beatmarket_requests_total",
      help: "API calls by operation and status.",
      labelNames: ["operation", "status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "beatmarket_request_duration_seconds",
      help: "Duration of API calls by operation.",
      labelNames: ["operation"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    });
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
  }

  observe({ operation, startedMs }: Pick<Exchange, "operation" | "startedMs">, status: number): void {
    const label = operation ?? "none";
    this.#requests.inc({ operation: label, status });
    this.#durations.observe({ operation: label }, (performance.now() - startedMs) / 1000);
  }
}
