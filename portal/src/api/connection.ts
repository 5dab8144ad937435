import { onlineManager } from "@tanstack/react-query";
import { ConnectionWatch } from "./connection-watch.ts";

// Whether the server answers. The state is TanStack Query's own: queries wait while the connection is lost, and go on after.

/** Ends the reads under way: over a cut connection they would wait for minutes. */
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

/** Finds out about outages by itself, in a page that sends nothing, too. Call it once. */
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

/** Resolves once the server answers; at once unless the connection is known to be lost. */
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

/** Sends what only reads again and again until an outage is over. Throws what is no outage. */
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

/** Asks the server whether it and its database respond, and returns that. Tries again by itself until they do. */
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
