import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { Counter, type Metric, type Registry } from "prom-client";

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const durationName = "beatmarket_request_duration_seconds";

/** The counts of one operation. */
class Tally {
  readonly byStatus = new Map<number, number>();
  /** Calls by the bucket they fall into; the last one is for what is longer than all. */
  readonly byBucket = new Float64Array(bucketsSeconds.length + 1);
  sumSeconds = 0;
}

/**
 * API calls and how long they took, by operation. Counted in plain numbers, and put into Prometheus' form when scraped:
 * the library's own histogram would cost as much as authentication.
 */
export class CallMetrics {
  readonly #tallies = new Map<string, Tally>();

  constructor(registry: Registry) {
    const tallies = this.#tallies;
    new Counter({
      name: "beatmarket_requests_total",
      help: "API calls by operation and status.",
      labelNames: ["operation", "status"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [operation, { byStatus }] of tallies)
          for (const [status, count] of byStatus) this.inc({ operation, status }, count);
      },
    });
    registry.registerMetric({
      name: durationName,
      get: async () => ({
        name: durationName,
        help: "Duration of API calls by operation.",
        type: "histogram",
        aggregator: "sum",
        values: [...tallies].flatMap(([operation, tally]) => histogram(operation, tally)),
      }),
    } as unknown as Metric);
  }

  observe({ route, durationMs, status }: Pick<RequestContext, "route" | "durationMs" | "status">): void {
    const name = route?.operationId ?? "none";
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      tally = new Tally();
      this.#tallies.set(name, tally);
    }
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    const seconds = durationMs / 1000;
    let bucket = 0;
    while (seconds > (bucketsSeconds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    tally.byBucket[bucket] = (tally.byBucket[bucket] ?? 0) + 1;
    tally.sumSeconds += seconds;
  }
}

/** The values of a Prometheus histogram: each bucket counts those below it too. */
function histogram(operation: string, { byBucket, sumSeconds }: Tally) {
  let count = 0;
  const buckets = Array.from(byBucket, (calls, index) => {
    count += calls;
    return {
      metricName: `${durationName}_bucket`,
      labels: { le: bucketsSeconds[index] ?? "+Inf", operation },
      value: count,
    };
  });
  return [
    ...buckets,
    { metricName: `${durationName}_sum`, labels: { operation }, value: sumSeconds },
    { metricName: `${durationName}_count`, labels: { operation }, value: count },
  ];
}
