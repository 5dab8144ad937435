import { vi } from "vitest";

/** Waits until the check throws no more. The limit is for a check that never holds, however busy the machine is. */
export const eventually = <T>(check: () => T | Promise<T>, { intervalMs = 50 } = {}): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: intervalMs });
