import { type Lane, maxConcurrent } from "@beatmarket/http/admission/concurrency-limiter.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { Counter, Gauge, type Metric, type Registry } from "prom-client";

/** The parts of a thread that answers requests. The process shows the sums over its threads. */
export interface ServingParts {
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
  concurrency: {
    running(lane: Lane): number;
    queued(lane: Lane): number;
    max(lane: Lane): number;
    readonly shed: number;
  };
  cache: { readonly entries: number; readonly bytes: number; readonly hits: number; readonly misses: number };
  callers: { readonly size: number };
  requestLog: { readonly waiting: number; readonly dropped: number; readonly sampledOut: number };
  reads: { readonly counts: Readonly<Record<"primary" | "replica", number>> };
}

const allLanes = Object.keys(maxConcurrent) as Lane[];

/** Shows the connections to the database, which a process without an API has too. */
export function registerPool(pool: ServingParts["pool"], registry: Registry): void {
  new Gauge({
    name: "beatmarket_database_connections",
    help: "Used and idle connections of the pool, and callers that wait for a connection.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "used" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}

export function registerServing(
  { pool, concurrency, cache, callers, requestLog, reads }: ServingParts,
  registry: Registry,
  lanes: readonly Lane[] = allLanes,
): void {
  const registers = [registry];
  const gauge = scrapedGauges(registry);
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name: `beatmarket_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  const perLane = scrapedGaugesBy("lane", () => lanes.map((lane) => [lane, lane]), registry);
  perLane("requests_running", "Requests that run, by lane.", (lane) => concurrency.running(lane));
  perLane("requests_running_max", "Requests that may run at once, by lane.", (lane) => concurrency.max(lane));
  perLane("requests_queued", "Requests that wait for a permit of their lane.", (lane) => concurrency.queued(lane));
  counter("requests_shed_total", "Requests refused with 503 because no permit became free.", () => concurrency.shed);
  registerPool(pool, registry);
  gauge("response_cache_entries", "Responses in the cache.", () => cache.entries);
  gauge("response_cache_bytes", "Size of the responses in the cache; at most 12 MiB.", () => cache.bytes);
  counter("response_cache_hits_total", "Calls of cacheable operations that the cache answered.", () => cache.hits);
  counter(
    "response_cache_misses_total",
    "Calls of cacheable operations that the response cache did not answer.",
    () => cache.misses,
  );
  gauge("callers_cached", "API keys that are known without asking the database.", () => callers.size);
  new Gauge({
    name: "beatmarket_request_log_waiting",
    help: "Entries of the request log that are not written yet.",
    registers,
    collect() {
      this.set(requestLog.waiting);
    },
  });
  new Gauge({
    name: "beatmarket_request_log_dropped",
    help: "Entries of the request log that were dropped since start, because the log's store was too slow or unreachable.",
    registers,
    collect() {
      this.set(requestLog.dropped);
    },
  });
  new Gauge({
    name: "beatmarket_request_log_sampled_out",
    help: "Refused calls since start that were only counted, without an entry in the request log.",
    registers,
    collect() {
      this.set(requestLog.sampledOut);
    },
  });
  new Counter({
    name: "beatmarket_catalogue_reads_total",
    help: "Reads of the catalogue by database server. Cached responses do not count.",
    labelNames: ["server"],
    registers,
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(reads.counts)) this.inc({ server }, count);
    },
  });
}

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const durationName = "beatmarket_request_duration_seconds";

/** The counts of one operation. */
class Tally {
  readonly byStatus = new Map<number, number>();
  /** The number of calls by bucket; the last bucket is for durations above all bounds. */
  readonly byBucket = new Float64Array(bucketsSeconds.length + 1);
  sumSeconds = 0;
}

/**
 * Counts API calls and their durations by operation. Counts in plain numbers, and converts them to a Prometheus
 * histogram at a scrape, because the library's histogram would cost as much as authentication.
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

/** The values of a Prometheus histogram, in which each bucket includes the calls of the lower buckets. */
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

/** Returns a function that adds the gauge `beatmarket_{name}`. Its value is read at each scrape. */
export const scrapedGauges =
  (registry: Registry) =>
  (name: string, help: string, value: () => number): void => {
    new Gauge({
      name: `beatmarket_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };

/** Like `scrapedGauges`, with a value for each entry. The entry's name is the value of the label. */
export const scrapedGaugesBy =
  <T>(label: string, entries: () => [name: string, T][], registry: Registry) =>
  (name: string, help: string, value: (entry: T) => number): void => {
    new Gauge({
      name: `beatmarket_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const [entryName, each] of entries()) this.set({ [label]: entryName }, value(each));
      },
    });
  };
