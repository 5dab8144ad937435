import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { addressOf, valuesIn } from "./call/address.ts";
import type { FieldValues, FilledForm, ResponseForm } from "./call/explorer-call.ts";
import type { Operation } from "./call/operations.ts";
import type { ExplorerSearch } from "./explorer-search.ts";
import type { GivenValues } from "./use-draft.ts";

/** The address is updated after a pause in typing, because browsers limit how often it may change. */
const pauseMs = 250;

export interface Address {
  search: ExplorerSearch;
  /** The form's values from the address, or from the logged call in the address. */
  addressValues: GivenValues | null;
  /**
   * Whether the form itself wrote the values with this id into the address. Removes this id and earlier ones from
   * `writtenIds`.
   */
  isOwn: (id: string) => boolean;
  /** Sets some parameters, without a new entry in the browser's history. */
  set: (parameters: ExplorerSearch) => void;
  /** The ids of the values that the form has written into the address, oldest first. */
  writtenIds: { current: string[] };
}

const idOf = (operation: Operation, values: FieldValues) => `${operation.id} ${JSON.stringify(values)}`;

/** Reads the address of the explorer. */
export function useAddress(operation: Operation, filled: FilledForm | null): Address {
  const search = useSearch({ from: "/frame/explorer" });
  const navigate = useNavigate({ from: "/explorer" });
  const writtenIds = useRef<string[]>([]);
  const values = valuesIn(search, operation);
  return {
    search,
    addressValues:
      filled !== null && filled.operation.id === operation.id
        ? { id: `call ${search.call}`, values: filled.values }
        : values && { id: idOf(operation, values), values },
    isOwn: (id) => {
      const place = writtenIds.current.indexOf(id);
      writtenIds.current.splice(0, place + 1);
      return place >= 0;
    },
    set: (parameters) =>
      void navigate({ search: (previous) => ({ ...previous, ...parameters }), replace: true, resetScroll: false }),
    writtenIds,
  };
}

/** The parameters of an address that opens this call. */
export const sharedSearch = (operation: Operation, draft: FieldValues, form: ResponseForm): ExplorerSearch => ({
  operation: operation.id,
  ...addressOf(operation, draft),
  form,
});

/** Writes the form's values into the address after a pause in typing. While `isHeld`, the address does not change. */
export function useMirror(
  operation: Operation,
  draft: FieldValues,
  form: ResponseForm,
  { writtenIds }: Address,
  isHeld: boolean,
): void {
  const navigate = useNavigate({ from: "/explorer" });
  const router = useRouter();
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => {
      // The user has opened another page, which is still loading.
      if (!router.latestLocation.pathname.endsWith("/explorer")) return;
      writtenIds.current.push(idOf(operation, addressOf(operation, draft)));
      void navigate({
        search: ({ view, language, pane }) => ({
          ...sharedSearch(operation, draft, form),
          ...(view !== undefined && { view }),
          ...(language !== undefined && { language }),
          ...(pane !== undefined && { pane }),
        }),
        replace: true,
        resetScroll: false,
      });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [operation, draft, form, navigate, router, writtenIds, isHeld]);
}
