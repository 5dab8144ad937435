import { createContext, useContext, useEffect, useSyncExternalStore } from "react";

// Unsaved input of pages. Each form registers its own; one guard for the whole portal asks before it is lost.

/** What closes together with a form and loses its input: a dialog, or a part of a page with a Cancel. Null on the page itself. */
export const DialogContext = createContext<object | null>(null);

/** Each form with unsaved input, and its dialog. */
const forms = new Map<object, object | null>();
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

/** Guards a form's unsaved input against leaving the page, closing its dialog or the tab, and the end of the session. */
export function useUnsavedWork(isDirty: boolean): void {
  const dialog = useContext(DialogContext);
  useEffect(() => {
    if (!isDirty) return;
    const form = {};
    forms.set(form, dialog);
    notify();
    return () => {
      forms.delete(form);
      notify();
    };
  }, [isDirty, dialog]);
}

/** Discards the unsaved input. */
export function dropUnsavedWork(): void {
  forms.clear();
  isSessionEnded = false;
  notify();
}

/** Asks, if there is unsaved input, before something that would lose it, such as another page or a sign-out. */
export async function mayLeave(): Promise<boolean> {
  if (!hasUnsavedWork()) return true;
  const isLeaving = await ask();
  if (isLeaving) dropUnsavedWork();
  return isLeaving;
}

/** The same before a dialog closes, which loses only the input of its own forms. */
export async function mayClose(dialog: object): Promise<boolean> {
  const own = [...forms].filter(([, of]) => of === dialog);
  if (own.length === 0) return true;
  const isClosing = await ask();
  if (isClosing) for (const [form] of own) forms.delete(form);
  notify();
  return isClosing;
}

/** Opens the question. One that is open already is answered with no: the page has one dialog for it. */
function ask(): Promise<boolean> {
  answer?.(false);
  return new Promise((resolve) => {
    const own = (isLeaving: boolean) => {
      // Another question may have taken its place.
      if (answer === own) answer = null;
      notify();
      resolve(isLeaving);
    };
    answer = own;
    notify();
  });
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
