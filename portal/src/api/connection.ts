import { onlineManager } from "@tanstack/react-query";

// Whether the server answers. The state is TanStack Query's own: queries wait while the connection is lost, and go on after.

const heartbeatMs = 5_000;
const retryMs = 1_000;
const probeTimeoutMs = 5_000;
/** The server, or its database, is away: also what a proxy says in its place. */
const outageStatuses = [502, 503, 504];

let timer: ReturnType<typeof setTimeout> | undefined;
let probing: Promise<boolean> | null = null;
/** Ends the reads under way: over a cut connection they would wait for minutes. */
let reads = new AbortController();

/** Finds out about outages by itself, in a page that sends nothing, too. Call it once. */
export function watchConnection(): void {
  // Without a network there may still be a server: on this machine.
  onlineManager.setEventListener(() => () => {});
  for (const event of ["online", "offline"]) addEventListener(event, () => void checkConnection());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void checkConnection();
  });
  checkAfter(heartbeatMs);
}

export const isConnectionLost = (): boolean => !onlineManager.isOnline();

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
export function checkConnection(): Promise<boolean> {
  probing ??= probe().finally(() => {
    probing = null;
  });
  return probing;
}

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
  if (outageStatuses.includes(response.status)) void checkConnection();
  else if (!isConnectionLost()) checkAfter(heartbeatMs);
  return response;
}

async function probe(): Promise<boolean> {
  const isThere = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(probeTimeoutMs) }).then(
    ({ status }) => !outageStatuses.includes(status),
    () => false,
  );
  if (!isThere) {
    reads.abort();
    reads = new AbortController();
  }
  onlineManager.setOnline(isThere);
  // Pages that lost the connection together do not come back together.
  checkAfter(isThere ? heartbeatMs : retryMs * (1 + Math.random()));
  return isThere;
}

function checkAfter(delayMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // A hidden page is checked when it is looked at.
    if (document.hidden && !isConnectionLost()) checkAfter(heartbeatMs);
    else void checkConnection();
  }, delayMs);
}
