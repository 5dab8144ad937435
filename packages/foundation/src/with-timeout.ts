/**
 * Settles like `promise`, or rejects with `makeError()` after `timeoutMs`. Returns a result that arrived within the
 * limit, even if the process was too busy to read it. Does not cancel the work of `promise`.
 */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, makeError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    // The event loop reads pending I/O after timers and before setImmediate.
    const timer = setTimeout(() => setImmediate(() => reject(makeError())), timeoutMs);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
