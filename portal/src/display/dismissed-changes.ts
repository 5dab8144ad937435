const storageKey = "beatmarket-dismissed-changes";
const maxKept = 200;

/** The ids of the changelog's entries that were dismissed in this browser. */
export function readDismissed(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    // Storage is blocked, or contains an invalid value.
    return [];
  }
}

/** Stores the ids of dismissed entries. Drops the oldest ids beyond a limit. */
export function writeDismissed(ids: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids.slice(-maxKept)));
  } catch {
    // Storage is blocked: the entries stay dismissed until the page is left.
  }
}
