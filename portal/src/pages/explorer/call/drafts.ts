import { type FieldValues, initialValues } from "./explorer-call.ts";
import type { Operation } from "./operations.ts";

/** The typed texts of the forms, by operation. */
export type Drafts = Readonly<Record<string, FieldValues>>;

/** The key in the storage of the browser tab, which survives a reload and ends with the tab. */
const storageKey = "beatmarket-explorer-drafts";

interface StoredDrafts {
  /** The account of the drafts. Null for drafts that were typed while signed out: signing in does not delete them. */
  userId: number | null;
  drafts: Drafts;
}

/** The drafts of this account in this tab, or those typed while signed out. Never another account's drafts. */
export function readDrafts(storage: Storage, userId: number | null): Drafts {
  try {
    const stored = JSON.parse(storage.getItem(storageKey) ?? "null") as StoredDrafts | null;
    return stored !== null && (stored.userId === null || stored.userId === userId) ? stored.drafts : {};
  } catch {
    return {};
  }
}

/** Stores the drafts, if the browser has room. */
export function writeDrafts(storage: Storage, userId: number | null, drafts: Drafts): void {
  try {
    storage.setItem(storageKey, JSON.stringify({ userId, drafts } satisfies StoredDrafts));
  } catch {
    // Storage is full or blocked: the form still works.
  }
}

export const idempotencyKeyName = "Idempotency-Key";

/** The initial texts of a form: examples, and a new Idempotency-Key if the operation accepts one. */
export const newDraft = (operation: Operation): FieldValues => ({
  ...initialValues(operation),
  ...(operation.fields.some(({ name }) => name === idempotencyKeyName) && {
    [idempotencyKeyName]: crypto.randomUUID(),
  }),
});

/**
 * A draft with another value of a field. A sent Idempotency-Key belongs to the sent call, so a changed call gets a new
 * one.
 */
export function changedDraft(
  draft: FieldValues,
  name: string,
  value: string,
  sentKey: string | undefined,
): FieldValues {
  const newDraftState = { ...draft, [name]: value };
  const isSent = sentKey !== undefined && draft[idempotencyKeyName] === sentKey;
  return isSent && name !== idempotencyKeyName
    ? { ...newDraftState, [idempotencyKeyName]: crypto.randomUUID() }
    : newDraftState;
}
