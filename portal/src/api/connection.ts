import { onlineManager } from "@tanstack/react-query";
import { ConnectionWatch } from "./connection-watch.ts";

// The state of the connection. TanStack Query's onlineManager stores it, so queries pause while the connection is lost.

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

/** Starts detecting outages, even on a page that sends nothing. Call this function once. */
export function watchConnection(): void {
  // The watch sets the state instead of the browser's online and offline events.
  onlineManager.setEventListener(() => () => {});
  watch.start();
}

export function isConnectionLost(): boolean {
  return !onlineManager.isOnline();
}

/** For `useSyncExternalStore`. */
export const onConnectionChange = (listener: () => void): (() => void) => onlineManager.subscribe(listener);

/** Resolves once the server is reachable. Resolves immediately if no outage is known. */
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

/** Repeats a read that fails during an outage. Throws any other error. */
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

/**
 * Returns whether the server and its database respond now. If not, it checks again in the background until they
 * respond.
 */
export const checkConnection = (): Promise<boolean> => watch.check();

/** Like `fetch`, but detects an outage, which also aborts pending GET requests. */
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
  watch.recordResponse(response);
  return response;
}
