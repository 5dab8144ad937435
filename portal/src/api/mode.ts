import { useSyncExternalStore } from "react";

// The mode of the account (live or test) that the pages show. Each tab stores its own choice.

export type Mode = "live" | "test";

const storageKey = "beatmarket-mode";
const listeners = new Set<() => void>();

const read = (): Mode => {
  try {
    return sessionStorage.getItem(storageKey) === "test" ? "test" : "live";
  } catch {
    // Storage is blocked: start with live mode.
    return "live";
  }
};

let mode = read();

/** Shows this mode from now on. The caller must discard the cached data of the other mode. */
export function showMode(nextMode: Mode): void {
  mode = nextMode;
  try {
    sessionStorage.setItem(storageKey, nextMode);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
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

/** In test mode, adds the mode to a request to the portal's API, as the header x-mode. */
export function addModeHeader(request: Request): Request {
  if (mode === "test") request.headers.set("x-mode", mode);
  return request;
}
