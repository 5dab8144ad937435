import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { RateWindow } from "../src/rate-limit/store.ts";
import { SharedBadKeys } from "../src/shared-memory/shared-bad-keys.ts";
import { SharedConnectionCounts } from "../src/shared-memory/shared-connection-counts.ts";
import { SharedRateLimits } from "../src/shared-memory/shared-rate-limits.ts";
import { SharedTokenBuckets } from "../src/shared-memory/shared-token-buckets.ts";

export interface CountingOptions {
  threads: number;
  windows: readonly RateWindow[];
  /** Number of keys. */
  buckets: number;
  /** Calls of each thread. */
  calls: number;
}

export interface CountingWork extends CountingOptions {
  memory: ReturnType<typeof allocate>;
  clock: SharedArrayBuffer;
  /** Two Int32: 1 once the threads may start, and the number of threads that are ready. */
  start: SharedArrayBuffer;
  index: number;
}

/**
 * The result of one thread. `admitted`: the requests within the rate limit. `failures`: bad keys that were not refused.
 * `taken`: tokens. `opened`: connections.
 */
export interface ThreadCounts {
  admitted: { bucket: number; atMs: number }[];
  failures: number;
  taken: number;
  opened: number;
}

export const allocate = (windows: readonly RateWindow[], threads: number) => ({
  limits: SharedRateLimits.allocate(windows, 64, 8_000),
  badKeys: SharedBadKeys.allocate(16),
  tokens: SharedTokenBuckets.allocate(16),
  connections: SharedConnectionCounts.allocate(threads),
});

/** Runs threads that count in the same memory, and starts them at the same moment. */
export async function countInThreads(
  options: CountingOptions,
): Promise<{ counted: ThreadCounts[]; memory: CountingWork["memory"] }> {
  const memory = allocate(options.windows, options.threads);
  const clock = new SharedArrayBuffer(4);
  const start = new SharedArrayBuffer(8);
  const ready = new Int32Array(start);
  const workers = Array.from({ length: options.threads }, (_, index) => {
    const workerData: CountingWork = { ...options, memory, clock, start, index };
    return new Worker(new URL("./counting-worker.ts", import.meta.url), { workerData });
  });
  const answers = workers.map((worker) => once(worker, "message"));
  for (let count = Atomics.load(ready, 1); count < options.threads; count = Atomics.load(ready, 1))
    await Atomics.waitAsync(ready, 1, count).value;
  Atomics.store(ready, 0, 1);
  Atomics.notify(ready, 0);
  const counted = (await Promise.all(answers)).map(([answer]) => answer as ThreadCounts);
  await Promise.all(workers.map((worker) => worker.terminate()));
  return { counted, memory };
}
