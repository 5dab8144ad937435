import { type FieldValues, initialValues } from "./explorer-call.ts";
import type { Operation } from "./operations.ts";

/** What was typed into the forms, by operation. */
export type Drafts = Readonly<Record<string, FieldValues>>;

/** Of the browser tab: it survives a reload and ends with the tab. */
const storageKey = "beatmarket-explorer-drafts";

interface StoredDrafts {
  /** Whose they are; null for what was typed signed out, which goes on after signing in. */
  userId: number | null;
  drafts: Drafts;
}

/** What this account typed in this tab; nothing of another account. */
export function readDrafts(storage: Storage, userId: number | null): Drafts {
  try {
    const stored = JSON.parse(storage.getItem(storageKey) ?? "null") as StoredDrafts | null;
    return stored !== null && (stored.userId === null || stored.userId === userId) ? stored.drafts : {};
  } catch {
    return {};
  }
}

/** Remembers what was typed, if the browser has room. */
export function writeDrafts(storage: Storage, userId: number | null, drafts: Drafts): void {
  try {
    storage.setItem(storageKey, JSON.stringify({ userId, drafts } satisfies StoredDrafts));
  } catch {
    // Full or forbidden: the form itself goes on.
  }
}

export const idempotencyKeyName = "Idempotency-Key";

/** The texts that a form begins with: examples, and a new Idempotency-Key where the operation takes one. */
export const newDraft = (operation: Operation): FieldValues => ({
  ...initialValues(operation),
  ...(operation.fields.some(({ name }) => name === idempotencyKeyName) && {
    [idempotencyKeyName]: crypto.randomUUID(),
  }),
});

/**
 * A draft with another value of a field. An Idempotency-Key that was sent names the call as it was, so that a changed call
 * gets a new one.
 */
export function changedDraft(
  draft: FieldValues,
  name: string,
  value: string,
  sentKey: string | undefined,
): FieldValues {
  const changed = { ...draft, [name]: value };
  const isSent = sentKey !== undefined && draft[idempotencyKeyName] === sentKey;
  return isSent && name !== idempotencyKeyName ? { ...changed, [idempotencyKeyName]: crypto.randomUUID() } : changed;
}
