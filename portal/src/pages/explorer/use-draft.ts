import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { haveSameAddress } from "./call/address.ts";
import { changedDraft, type Drafts, idempotencyKeyName, newDraft, readDrafts, writeDrafts } from "./call/drafts.ts";
import type { FieldValues } from "./call/explorer-call.ts";
import type { Operation } from "./call/operations.ts";

/** Texts from outside the form: from the address, or from a logged call. */
export interface GivenValues {
  /** Identifies these values. */
  id: string;
  values: FieldValues;
}

interface Draft {
  /** The texts in the form. */
  draft: FieldValues;
  change: (name: string, value: string) => void;
  /** Fills the form of an operation. */
  fill: (operationId: string, values: FieldValues) => void;
  /** Marks the call's Idempotency-Key as used, because the call is being sent. */
  markSent: () => void;
}

/**
 * The typed form of an operation. The browser's tab stores one draft for each operation. Given values replace the draft,
 * unless both have the same address: a draft also contains the Idempotency-Key and values that are too long for an
 * address.
 */
export function useDraft(
  operation: Operation,
  given: GivenValues | null,
  isOwn: (id: string) => boolean,
  userId: number | null,
): Draft {
  const withGiven = (drafts: Drafts): Drafts => {
    if (given === null) return drafts;
    const draft = drafts[operation.id];
    if (draft !== undefined && !(idempotencyKeyName in given.values) && haveSameAddress(operation, draft, given.values))
      return drafts;
    const { [idempotencyKeyName]: key } = newDraft(operation);
    return { ...drafts, [operation.id]: { ...(key !== undefined && { [idempotencyKeyName]: key }), ...given.values } };
  };
  const [drafts, setDrafts] = useState<Drafts>(() => withGiven(readDrafts(sessionStorage, userId)));
  // The key of a logged call is already used.
  const sentKeys = useRef<Record<string, string | undefined>>({ [operation.id]: given?.values[idempotencyKeyName] });
  const takenId = useRef(given?.id);
  useLayoutEffect(() => {
    if (given === null || takenId.current === given.id) return;
    takenId.current = given.id;
    if (isOwn(given.id)) return;
    sentKeys.current[operation.id] = given.values[idempotencyKeyName];
    setDrafts(withGiven);
  });
  const fresh = useMemo(() => newDraft(operation), [operation]);
  const draft = drafts[operation.id] ?? fresh;
  useEffect(() => writeDrafts(sessionStorage, userId, drafts), [userId, drafts]);
  const fill = (id: string, values: FieldValues) => setDrafts((others) => ({ ...others, [id]: values }));
  const keep = (values: FieldValues) => fill(operation.id, values);
  return {
    draft,
    change: (name, value) => keep(changedDraft(draft, name, value, sentKeys.current[operation.id])),
    fill,
    markSent: () => {
      sentKeys.current[operation.id] = draft[idempotencyKeyName];
      keep(draft);
    },
  };
}
