/** A transfer that moves fewer than `bytes` in any `windowMs` is too slow. */
export interface LeastRate {
  bytes: number;
  windowMs: number;
}

/**
 * Calls `onSlow` as soon as a transfer is too slow. `transferred` returns the bytes so far, or NaN while no bytes wait
 * to be transferred. Returns a function that ends the watch; call it when the transfer ends.
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
