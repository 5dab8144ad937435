import { type Lane, maxConcurrent } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { Counter, Gauge, type Registry } from "prom-client";
import { scrapedGauges, scrapedGaugesBy } from "./scraped-gauges.ts";

/** What a thread needs to answer requests. The process shows the sums of its threads. */
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

/** Connections to the database; a process without an API has them, too. */
export function registerPool(pool: ServingParts["pool"], registry: Registry): void {
  new Gauge({
    name: "beatmarket_database_connections",
    help: "Connections of the pool that are used and idle, and callers that wait for one.",
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
  counter("response_cache_misses_total", "Calls of cacheable operations that it did not.", () => cache.misses);
  gauge("callers_cached", "API keys that are known without asking the database.", () => callers.size);
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
    help: "Entries of the request log dropped since start because their store was too slow or unreachable.",
    registers,
    collect() {
      this.set(requestLog.dropped);
    },
  });
  new Gauge({
    name: "beatmarket_request_log_sampled_out",
    help: "Refused calls since start that were counted and not kept in the request log.",
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
