import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The queue of media jobs as it was measured last. */
export interface MediaQueue {
  readonly state: { waiting: number; running: number; oldestSeconds: number };
}

/** The attempts at media jobs by this process, and the queue that it shares with others. */
export class MediaJobMetrics {
  readonly #seconds: Histogram<"kind">;
  readonly #failures: Counter<"kind">;

  constructor(queue: MediaQueue, registry: Registry) {
    const registers = [registry];
    new Gauge({
      name: "beatmarket_media_jobs",
      help: "Media jobs (analysis, previews, covers) that wait and that run, over all processes, measured every 15 seconds.",
      labelNames: ["state"],
      registers,
      collect() {
        this.set({ state: "waiting" }, queue.state.waiting);
        this.set({ state: "running" }, queue.state.running);
      },
    });
    new Gauge({
      name: "beatmarket_media_jobs_oldest_seconds",
      help: "How long the media job that has been due longest has waited; 0 without any.",
      registers,
      collect() {
        this.set(queue.state.oldestSeconds);
      },
    });
    this.#seconds = new Histogram({
      name: "beatmarket_media_job_seconds",
      help: "Duration of attempts at media jobs in this process.",
      labelNames: ["kind"],
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    });
    this.#failures = new Counter({
      name: "beatmarket_media_job_failures_total",
      help: "Failed attempts at media jobs in this process.",
      labelNames: ["kind"],
      registers,
    });
  }

  observe({ kind, durationMs, hasFailed }: { kind: string; durationMs: number; hasFailed: boolean }): void {
    this.#seconds.observe({ kind }, durationMs / 1_000);
    if (hasFailed) this.#failures.inc({ kind });
  }
}
