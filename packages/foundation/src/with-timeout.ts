/**
 * Resolves as `promise` does, or rejects with `makeError()` after `timeoutMs`. A result that arrived while the process
 * was too busy to read it still counts as in time. The work behind `promise` goes on.
 */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, makeError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    // I/O that is ready is read between a timer and setImmediate.
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
