import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "./bench.ts";
import { get } from "./request.ts";

/**
 * Asks for paths at an even rate, whether or not those before were answered, until it is stopped. Returns how long each
 * took from the moment it was due, in milliseconds: a server that stands still for a second does not hide it.
 */
export async function steadyReads(
  service: Service,
  { perSecond, path, stop }: { perSecond: number; path: (n: number) => string; stop: AbortSignal },
): Promise<number[]> {
  const startedMs = performance.now();
  const answers: Promise<number>[] = [];
  for (let n = 0; !stop.aborted; n++) {
    const dueMs = startedMs + (n * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const answer = get(service, path(n)).then(() => performance.now() - dueMs);
    // Told to whoever awaits them all.
    answer.catch(() => {});
    answers.push(answer);
  }
  return Promise.all(answers);
}
