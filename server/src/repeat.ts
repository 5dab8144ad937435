/** Stops a repeated job; resolves when none is running any more. */
export type StopRepeating = () => Promise<void>;

/**
 * Runs a job at once and then `everyMs` after each end, so never twice at the same time. It does not keep the process
 * alive. A failure goes to `onError`, and the job runs again.
 */
export function repeat(everyMs: number, job: () => Promise<unknown>, onError: (error: unknown) => void): StopRepeating {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    running = job()
      .then(() => {}, onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs).unref();
      });
  };
  run();
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
