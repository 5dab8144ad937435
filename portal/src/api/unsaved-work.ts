import { useEffect, useSyncExternalStore } from "react";

// What is entered on a page and not saved. Each form says so; one guard for the whole portal asks before it is lost.

const forms = new Set<object>();
const listeners = new Set<() => void>();
/** Resolves the question of `mayLeave` that is open. */
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

/** Guards what a form has until it is saved: against leaving the page, closing the tab, and the end of the session. */
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

/** Gives up what is not saved. */
export function dropUnsavedWork(): void {
  forms.clear();
  isSessionEnded = false;
  notify();
}

/** For what would lose the work and is no navigation, such as a sign-out: asks, if there is any. */
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

/** Whether the session has ended while something is not saved: the page then stays until its user has signed in again. */
export function setSessionEnded(hasEnded: boolean): void {
  if (isSessionEnded === hasEnded) return;
  isSessionEnded = hasEnded;
  notify();
}

export const useHasUnsavedWork = (): boolean => useSyncExternalStore(subscribe, hasUnsavedWork);
export const useLeaveQuestion = () => useSyncExternalStore(subscribe, () => answer);
export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => isSessionEnded);
