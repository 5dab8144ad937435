import { useEffect, useMemo, useRef, useState } from "react";
import { changedDraft, type Drafts, idempotencyKeyName, newDraft, readDrafts, writeDrafts } from "./call/drafts.ts";
import type { FieldValues, FilledForm } from "./call/explorer-call.ts";
import type { Operation } from "./call/operations.ts";

interface Draft {
  /** The texts in the form. */
  draft: FieldValues;
  change: (name: string, value: string) => void;
  /** The call is being sent: its Idempotency-Key is used. */
  noteSent: () => void;
}

/** The form of an operation as it was typed, kept for each operation while the browser's tab is open. */
export function useDraft(operation: Operation, filled: FilledForm | null, userId: number | null): Draft {
  const [drafts, setDrafts] = useState<Drafts>(() => ({
    ...readDrafts(sessionStorage, userId),
    ...(filled !== null && { [filled.operation.id]: { ...newDraft(filled.operation), ...filled.values } }),
  }));
  const sentKeys = useRef<Record<string, string | undefined>>(
    filled === null ? {} : { [filled.operation.id]: filled.values[idempotencyKeyName] },
  );
  const fresh = useMemo(() => newDraft(operation), [operation]);
  const draft = drafts[operation.id] ?? fresh;
  useEffect(() => writeDrafts(sessionStorage, userId, drafts), [userId, drafts]);
  const keep = (its: FieldValues) => setDrafts((others) => ({ ...others, [operation.id]: its }));
  return {
    draft,
    change: (name, value) => keep(changedDraft(draft, name, value, sentKeys.current[operation.id])),
    noteSent: () => {
      sentKeys.current[operation.id] = draft[idempotencyKeyName];
      keep(draft);
    },
  };
}
