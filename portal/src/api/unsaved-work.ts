import { useEffect, useSyncExternalStore } from "react";

// Unsaved input of pages. Each form registers its own; one guard for the whole portal asks before it is lost.

const forms = new Set<object>();
const listeners = new Set<() => void>();
/** Resolves the open question of `mayLeave`. */
let answer: ((mayLeave: boolean) => void) | null = null;
let isSessionEnded = false;

const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const hasUnsavedWork = (): boolean => forms.size > 0;

/** Guards a form's unsaved input against leaving the page, closing the tab, and the end of the session. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = {};
    forms.add(form);
    notify();
    return () => {
      forms.delete(form);
      notify();
    };
  }, [isDirty]);
}

/** Discards the unsaved input. */
export function dropUnsavedWork(): void {
  forms.clear();
  isSessionEnded = false;
  notify();
}

/** Asks, if there is unsaved input, before an action that would lose it and is not a navigation, such as a sign-out. */
export async function mayLeave(): Promise<boolean> {
  if (!hasUnsavedWork()) return true;
  answer?.(false);
  const mayLeave = await new Promise<boolean>((resolve) => {
    answer = resolve;
    notify();
  });
  answer = null;
  if (mayLeave) dropUnsavedWork();
  notify();
  return mayLeave;
}

/** Whether the session has ended with unsaved input: the page then stays until its user has signed in again. */
export function setSessionEnded(hasEnded: boolean): void {
  if (isSessionEnded === hasEnded) return;
  isSessionEnded = hasEnded;
  notify();
}

export const useHasUnsavedWork = (): boolean => useSyncExternalStore(subscribe, hasUnsavedWork);
export const useLeaveQuestion = () => useSyncExternalStore(subscribe, () => answer);
export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => isSessionEnded);
