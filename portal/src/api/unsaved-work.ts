import { createContext, useContext, useEffect, useSyncExternalStore } from "react";

// Unsaved input of pages. Each form registers its state, and one guard for the whole portal asks before input is lost.

/** The dialog, or the part of a page with a Cancel button, that contains a form. Null for a form on the page itself. */
export const DialogContext = createContext<object | null>(null);

/** Each form with unsaved input, and its dialog. */
const forms = new Map<object, object | null>();
const listeners = new Set<() => void>();
/** Resolves the question that is currently shown; null without a question. */
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

/**
 * Guards a form's unsaved input against leaving the page, closing its dialog or the tab, and the end of the session.
 */
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

/** Whether the user may leave the page. Asks if there is unsaved input. Call it before a navigation or a sign-out. */
export async function mayLeave(): Promise<boolean> {
  if (!hasUnsavedWork()) return true;
  const isLeaving = await ask();
  if (isLeaving) dropUnsavedWork();
  return isLeaving;
}

/** Whether a dialog may close. Asks if one of the dialog's forms has unsaved input. */
export async function mayClose(dialog: object): Promise<boolean> {
  const dialogForms = [...forms].filter(([, formDialog]) => formDialog === dialog);
  if (dialogForms.length === 0) return true;
  const isClosing = await ask();
  if (isClosing) for (const [form] of dialogForms) forms.delete(form);
  notify();
  return isClosing;
}

/** Shows the question. The page has one dialog for it, so a question that is already shown is answered with no. */
function ask(): Promise<boolean> {
  answer?.(false);
  return new Promise((resolve) => {
    const answerOwnQuestion = (isLeaving: boolean) => {
      // A newer question may have replaced this one.
      if (answer === answerOwnQuestion) answer = null;
      notify();
      resolve(isLeaving);
    };
    answer = answerOwnQuestion;
    notify();
  });
}

/** Records whether the session has ended with unsaved input. The page then stays until the user has signed in again. */
export function setSessionEnded(hasEnded: boolean): void {
  if (isSessionEnded === hasEnded) return;
  isSessionEnded = hasEnded;
  notify();
}

export const useHasUnsavedWork = (): boolean => useSyncExternalStore(subscribe, hasUnsavedWork);
export const useLeaveQuestion = () => useSyncExternalStore(subscribe, () => answer);
export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => isSessionEnded);
