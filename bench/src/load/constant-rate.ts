import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "../bench.ts";
import { get } from "./request.ts";

/**
 * Reads paths at a constant rate (open loop) until the caller stops it: a slow response delays no later request.
 * Returns the milliseconds of each request from its scheduled time, so that a stall is visible in every request that it
 * delayed.
 */
export async function constantRateReads(
  service: Service,
  { perSecond, path, stop }: { perSecond: number; path: (n: number) => string; stop: AbortSignal },
): Promise<number[]> {
  const startedMs = performance.now();
  const responses: Promise<number>[] = [];
  for (let n = 0; !stop.aborted; n++) {
    const dueMs = startedMs + (n * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const response = get(service, path(n)).then(() => performance.now() - dueMs);
    // Promise.all below throws the error.
    response.catch(() => {});
    responses.push(response);
  }
  return Promise.all(responses);
}
