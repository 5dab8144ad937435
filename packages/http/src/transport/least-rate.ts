/** A transfer that moves fewer than `bytes` in any `windowMs` is too slow. */
export interface LeastRate {
  bytes: number;
  windowMs: number;
}

/**
 * Calls `onSlow` once a transfer is too slow. `transferred` is its bytes so far, NaN while nothing waits to be transferred. Returns what ends the watch; it must be
 * called when the transfer ends.
 */
export function watchRate({ bytes, windowMs }: LeastRate, transferred: () => number, onSlow: () => void): () => void {
  let before = transferred();
  const timer = setInterval(() => {
    const now = transferred();
    if (now - before < bytes) {
      clearInterval(timer);
      onSlow();
    }
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}
