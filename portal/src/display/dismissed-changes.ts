const storageKey = "beatmarket-dismissed-changes";
const maxKept = 200;

/** The ids of the changelog's entries that were dismissed in this browser. */
export function readDismissed(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    // Storage is blocked, or has what is not ours.
    return [];
  }
}

/** Keeps the newest of them. */
export function writeDismissed(ids: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids.slice(-maxKept)));
  } catch {
    // They are dismissed until the page is left.
  }
}
