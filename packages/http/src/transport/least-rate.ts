/** A transfer is too slow if it moves fewer than `bytes` in one of its consecutive windows of `windowMs`. */
export interface LeastRate {
  bytes: number;
  windowMs: number;
}

/**
 * Calls `onSlow` as soon as a transfer is too slow. `countBytes` returns the bytes transferred so far, or NaN to
 * suspend the check, for example while no bytes wait to be sent. Returns a function that ends the watch; call it when
 * the transfer ends.
 */
export function watchRate({ bytes, windowMs }: LeastRate, countBytes: () => number, onSlow: () => void): () => void {
  let before = countBytes();
  const timer = setInterval(() => {
    const now = countBytes();
    if (now - before < bytes) {
      clearInterval(timer);
      onSlow();
    }
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}
