import { setTimeout as sleep } from "node:timers/promises";

export interface Revival {
  isRunning(): boolean;
  /** Starts it, or finds that another process did; false when there is nothing left to start. */
  start(): Promise<boolean>;
  log(text: string): void;
}

const lookEveryMs = 250;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Starts the server again whenever it has ended by itself, with ever longer pauses when that fails, until the returned
 * function is called, which resolves when no start is under way any more.
 */
export function revive({ isRunning, start, log }: Revival): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {});

  const watch = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      await pause(lookEveryMs);
      if (stopping.signal.aborted || isRunning()) continue;
      log("PostgreSQL has ended by itself; starting it again.");
      try {
        if (!(await start())) return;
        pauseMs = firstPauseMs;
        log("PostgreSQL runs again.");
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
