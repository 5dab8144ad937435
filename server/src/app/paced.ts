import type { Clock } from "@beatmarket/foundation/clock.ts";

/**
 * Runs a job at most once in `intervalMs` after it has changed something, and whenever it is called otherwise: the first
 * change after a quiet time is immediate. The job, and what is returned, resolve to whether something changed.
 */
export function paced(clock: Clock, intervalMs: number, job: () => Promise<boolean>): () => Promise<boolean> {
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonicMs() < notBeforeMs) return false;
    const changed = await job();
    if (changed) notBeforeMs = clock.monotonicMs() + intervalMs;
    return changed;
  };
}
