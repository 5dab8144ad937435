import { setTimeout as sleep } from "node:timers/promises";

export interface ReviveOptions {
  isRunning(): boolean;
  /** Starts the server, unless another process has started it. Returns false if its cluster was removed. */
  start(): Promise<boolean>;
  log(text: string): void;
}

const checkEveryMs = 250;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Starts the server again whenever it has stopped unexpectedly. Retries a failed start after increasing pauses. The
 * returned function ends the watch, and resolves after a running start has ended.
 */
export function revive({ isRunning, start, log }: ReviveOptions): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {});

  const watch = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      await pause(checkEveryMs);
      if (stopping.signal.aborted || isRunning()) continue;
      log("PostgreSQL stopped unexpectedly; starting it again.");
      try {
        if (!(await start())) return;
        pauseMs = firstPauseMs;
        log("PostgreSQL is running again.");
      } catch (error) {
        log(`${error instanceof Error ? error.message : error} Trying again in ${pauseMs / 1000} seconds.`);
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const watching = watch();
  return () => {
    stopping.abort();
    return watching;
  };
}
