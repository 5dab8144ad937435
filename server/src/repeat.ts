/** Stops a repeated job, telling one that is running; resolves when none is any more. */
export type StopRepeating = () => Promise<void>;

/**
 * Runs a job at once and then `everyMs` after each end, so never twice at the same time. It does not keep the process
 * alive. A failure goes to `onError`, and the job runs again.
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
