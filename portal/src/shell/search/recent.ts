import type { Hit, SearchEntry } from "./ranking.ts";

const storageKey = "beatmarket-recent";
const maxRecent = 5;

/**
 * The recently opened results, newest first. Keys, endpoints and results by id are not stored, because the browser's
 * storage outlives the session.
 */
export function readRecent(): SearchEntry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.filter(isValid).map(({ title, detail, address }) => ({
      group: "Recent",
      id: address,
      title,
      detail,
      address,
    }));
  } catch {
    // Storage is blocked, or has an invalid value.
    return [];
  }
}

export function remember({ group, title, detail, address }: Hit): void {
  if (address === undefined || group === "API keys" || group === "Endpoints" || group === "By id") return;
  const otherEntries = readRecent().filter((each) => each.address !== address);
  const entries = [
    { title, detail, address },
    ...otherEntries.map((other) => ({ title: other.title, detail: other.detail, address: other.address })),
  ];
  try {
    localStorage.setItem(storageKey, JSON.stringify(entries.slice(0, maxRecent)));
  } catch {
    // Storage is blocked: the result is not stored.
  }
}

/**
 * Whether a stored value is valid. Accepts only addresses of this origin, because any script may write to the storage.
 */
const isValid = (value: unknown): value is { title: string; detail: string; address: string } =>
  typeof value === "object" &&
  value !== null &&
  ["title", "detail", "address"].every((name) => typeof (value as Record<string, unknown>)[name] === "string") &&
  /^\/(?![/\\])/.test((value as { address: string }).address);
