import { anonymousRate } from "@beatmarket/http/admission/anonymous-pacing.ts";
import { defaultMaxBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import { processClock } from "@beatmarket/http/shared-memory/clock.ts";
import { SharedBadKeys } from "@beatmarket/http/shared-memory/shared-bad-keys.ts";
import { SharedConnectionCounts } from "@beatmarket/http/shared-memory/shared-connection-counts.ts";
import { type SharedLimitsOptions, SharedRateLimits } from "@beatmarket/http/shared-memory/shared-rate-limits.ts";
import { SharedTokenBuckets } from "@beatmarket/http/shared-memory/shared-token-buckets.ts";
import type { ConnectionCounts } from "@beatmarket/http/transport/connection-counts.ts";
import { allWindows } from "../access/plans.ts";
import { CatalogueVersion } from "../database/catalogue/catalogue-version.ts";

/**
 * The memory that the threads of one process share, including the main thread. Structured clones share the same bytes.
 */
export type ThreadMemory = ReturnType<typeof allocateThreadMemory>;

export const allocateThreadMemory = (threads: number) => ({
  threads,
  version: CatalogueVersion.allocate(),
  limits: SharedRateLimits.allocate(allWindows),
  badKeys: SharedBadKeys.allocate(),
  anonymous: SharedTokenBuckets.allocate(defaultMaxBuckets),
  connections: SharedConnectionCounts.allocate(threads),
});

/** The counts that the threads of one process share, as one thread uses them. */
export const countsIn = (memory: ThreadMemory) => ({
  threads: memory.threads,
  badKeys: new SharedBadKeys(processClock, memory.badKeys),
  anonymous: new SharedTokenBuckets(processClock, anonymousRate, memory.anonymous),
  rateLimits: (options: Omit<SharedLimitsOptions, "clock">) =>
    new SharedRateLimits({ ...options, clock: processClock }, memory.limits),
  connections: (index: number, askOthers: ConnectionCounts["askOthers"]) =>
    new SharedConnectionCounts({ clock: processClock, index, askOthers }, memory.connections),
});

export type ThreadCounts = ReturnType<typeof countsIn>;

/** Frees the places and the locks of a thread that has ended. */
export function forgetThread(memory: ThreadMemory, index: number, threadId: number): void {
  const counts = countsIn(memory);
  counts.badKeys.releaseOf(threadId);
  counts.anonymous.releaseOf(threadId);
  counts.rateLimits({ windows: allWindows, loadRecent: async () => [], log: { warn: () => {} } }).releaseOf(threadId);
  counts.connections(index, () => {}).forget(index, threadId);
}
