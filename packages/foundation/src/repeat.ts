/** Aborts the current run and resolves when it has ended. No further run starts. */
export type StopRepeating = () => Promise<void>;

/**
 * Runs a job now and again `everyMs` after each end, so runs never overlap. Continues after a failure, which goes to
 * `onError`. Does not keep the process alive.
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
