import { useSyncExternalStore } from "react";

// The half of the account that the pages show. It is kept for the tab, so that another tab may show the other half.

export type Mode = "live" | "test";

const storageKey = "beatmarket-mode";
const listeners = new Set<() => void>();

const read = (): Mode => {
  try {
    return sessionStorage.getItem(storageKey) === "test" ? "test" : "live";
  } catch {
    // Storage may be forbidden. The page then begins with the live half.
    return "live";
  }
};

let mode = read();

/** Shows this half from now on. The caller discards what was read of the other one. */
export function showMode(nextMode: Mode): void {
  mode = nextMode;
  try {
    sessionStorage.setItem(storageKey, nextMode);
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

export const useMode = (): Mode =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => mode,
  );

/** Names the half in a request to the portal's API. */
export function nameMode(request: Request): Request {
  if (mode === "test") request.headers.set("x-mode", mode);
  return request;
}
