import { onlineManager } from "@tanstack/react-query";
import { ConnectionWatch } from "./connection-watch.ts";

// Whether the server is reachable. The state is TanStack Query's own: queries wait while the connection is lost, and
// continue after.

/** Aborts pending reads: on a broken connection they would wait for minutes. */
let reads = new AbortController();

const watch = new ConnectionWatch({
  idleMs: 5_000,
  probeTimeoutMs: 5_000,
  isLost: isConnectionLost,
  onProbe: (isThere) => {
    if (!isThere) {
      reads.abort();
      reads = new AbortController();
    }
    onlineManager.setOnline(isThere);
  },
});

/** Detects outages, even on a page that sends nothing. Call it once. */
export function watchConnection(): void {
  // The watch decides, not the browser's own guess.
  onlineManager.setEventListener(() => () => {});
  watch.start();
}

export function isConnectionLost(): boolean {
  return !onlineManager.isOnline();
}

/** For `useSyncExternalStore`. */
export const onConnectionChange = (listener: () => void): (() => void) => onlineManager.subscribe(listener);

/** Resolves once the server is reachable; immediately unless the connection is known to be lost. */
export function connected(): Promise<void> {
  if (!isConnectionLost()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return;
      stop();
      resolve();
    });
  });
}

/** Repeats a read until an outage is over. Throws any error that is not an outage. */
export async function throughOutage<Result>(read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    await connected();
    try {
      return await read();
    } catch (error) {
      if (await checkConnection()) throw error;
    }
  }
}

/** Asks the server whether it and its database respond, and returns that. Retries until they do. */
export const checkConnection = (): Promise<boolean> => watch.check();

/** `fetch` from the server, which notices an outage. Rejects as `fetch` does. */
export async function fetchWatched(input: Request | string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(input, init);
  const signal = request.method === "GET" ? AbortSignal.any([request.signal, reads.signal]) : request.signal;
  let response: Response;
  try {
    response = await fetch(request, { signal });
  } catch (error) {
    if (!request.signal.aborted) {
      onlineManager.setOnline(false);
      void checkConnection();
    }
    throw error;
  }
  watch.saw(response);
  return response;
}
