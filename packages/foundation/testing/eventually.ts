import { vi } from "vitest";

/** Repeats the check until it no longer throws. The time limit is generous, for a busy machine. */
export const eventually = <T>(check: () => T | Promise<T>, { intervalMs = 50 } = {}): Promise<T> =>
  vi.waitFor(check, { timeout: 180_000, interval: intervalMs });
