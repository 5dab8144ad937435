import { parentPort, workerData } from "node:worker_threads";
import { SharedBadKeys } from "../src/shared-memory/shared-bad-keys.ts";
import { SharedConnectionCounts } from "../src/shared-memory/shared-connection-counts.ts";
import { SharedRateLimits } from "../src/shared-memory/shared-rate-limits.ts";
import { SharedTokenBuckets } from "../src/shared-memory/shared-token-buckets.ts";
import type { CountingWork } from "./counting-threads.ts";

// A thread that counts in shared memory, for tests of several threads at once.

const { memory, clock, windows, buckets, calls, index, start } = workerData as CountingWork;
/** A clock that stands still, so that no request leaves its window while the threads count. */
const ticks = new Int32Array(clock);
const sharedClock = {
  nowMs: () => 1_700_000_000_000 + Atomics.load(ticks, 0),
  monotonicMs: () => 1_000 + Atomics.load(ticks, 0),
};
const log = { warn: (...line: unknown[]) => void line };
const limits = new SharedRateLimits({ clock: sharedClock, windows, loadRecent: async () => [], log }, memory.limits);
const badKeys = new SharedBadKeys(sharedClock, memory.badKeys);
const tokens = new SharedTokenBuckets(sharedClock, { burst: 50, perSecond: 0 }, memory.tokens);
const connections = new SharedConnectionCounts({ clock: sharedClock, index, askOthers: () => {} }, memory.connections);

const ready = new Int32Array(start);
Atomics.add(ready, 1, 1);
Atomics.notify(ready, 1);
Atomics.wait(ready, 0, 0);

const admitted: { bucket: number; atMs: number }[] = [];
let failures = 0;
let taken = 0;
let opened = 0;
for (let call = 0; call < calls; call++) {
  const bucket = 1 + (call % buckets);
  const decision = await limits.admit(bucket, windows);
  if (decision.admitted) admitted.push({ bucket, atMs: decision.atMs });
  if (!badKeys.recordFailure("192.0.2.7").refused) failures++;
  if (tokens.take("192.0.2.7")) taken++;
  opened += connections.run(() => {
    if (connections.placesOf("192.0.2.7") >= 40) return 0;
    connections.add("192.0.2.7", 1);
    connections.addTotal("stranger", 1);
    return 1;
  });
}
parentPort?.postMessage({ admitted, failures, taken, opened });
