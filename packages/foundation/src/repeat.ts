/** Aborts the current run and starts no further one. Resolves when the current run has ended. */
export type StopRepeating = () => Promise<void>;

/**
 * Runs a job immediately, and again `everyMs` after each run has ended, so that runs never overlap. Passes a failure to
 * `onError` and continues. Does not keep the process alive.
 */
export function repeat(
  everyMs: number,
  job: (stopping: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): StopRepeating {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    running = job(stopping.signal)
      .then(() => {}, onError)
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(run, everyMs).unref();
      });
  };
  run();
  return () => {
    stopping.abort();
    clearTimeout(timer);
    return running;
  };
}
