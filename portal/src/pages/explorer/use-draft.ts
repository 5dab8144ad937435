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
 * The typed form of an operation. The browser's tab stores one draft for each operation. `addressValues` replace
 * the draft, unless they have no Idempotency-Key and the same address as the draft: the draft then has the same values,
 * and also its Idempotency-Key and values that are too long for an address.
 */
export function useDraft(
  operation: Operation,
  addressValues: GivenValues | null,
  isOwn: (id: string) => boolean,
  userId: number | null,
): Draft {
  const withAddressValues = (drafts: Drafts): Drafts => {
    if (addressValues === null) return drafts;
    const draft = drafts[operation.id];
    if (
      draft !== undefined &&
      !(idempotencyKeyName in addressValues.values) &&
      haveSameAddress(operation, draft, addressValues.values)
    )
      return drafts;
    const { [idempotencyKeyName]: key } = newDraft(operation);
    return {
      ...drafts,
      [operation.id]: { ...(key !== undefined && { [idempotencyKeyName]: key }), ...addressValues.values },
    };
  };
  const [drafts, setDrafts] = useState<Drafts>(() => withAddressValues(readDrafts(sessionStorage, userId)));
  // The key of a logged call is already used.
  const sentKeys = useRef<Record<string, string | undefined>>({
    [operation.id]: addressValues?.values[idempotencyKeyName],
  });
  const takenId = useRef(addressValues?.id);
  useLayoutEffect(() => {
    if (addressValues === null || takenId.current === addressValues.id) return;
    takenId.current = addressValues.id;
    if (isOwn(addressValues.id)) return;
    sentKeys.current[operation.id] = addressValues.values[idempotencyKeyName];
    setDrafts(withAddressValues);
  });
  const emptyDraft = useMemo(() => newDraft(operation), [operation]);
  const draft = drafts[operation.id] ?? emptyDraft;
  useEffect(() => writeDrafts(sessionStorage, userId, drafts), [userId, drafts]);
  const fill = (id: string, values: FieldValues) => setDrafts((previous) => ({ ...previous, [id]: values }));
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
