import { type ComponentPropsWithoutRef, createContext, type FormEvent, useContext, useState } from "react";
import { useUnsavedWork } from "../api/unsaved-work.ts";

interface GuardedFormProps extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The error of the last submission. */
  error: Error | null;
}

const TouchContext = createContext(() => {});

/**
 * Returns a function that marks the form as changed. A field that changes by a button needs it, because the browser
 * then sends no event.
 */
export const useTouch = (): (() => void) => useContext(TouchContext);

/**
 * A form that protects its input from the first change until a submission, and again if the submission fails: leaving
 * the page or closing the dialog asks first.
 */
export function GuardedForm({ onSubmit, error, children, ...form }: GuardedFormProps) {
  const [state, setState] = useState<"untouched" | "touched" | "sent">("untouched");
  // An error counts only after a submission of this form: it may remain from an earlier opening of the dialog.
  useUnsavedWork(state === "touched" || (state === "sent" && error !== null));
  const touch = () => setState("touched");
  return (
    <TouchContext.Provider value={touch}>
      <form
        {...form}
        onInput={touch}
        onChange={touch}
        onSubmit={(event) => {
          setState("sent");
          onSubmit(event);
        }}
      >
        {children}
      </form>
    </TouchContext.Provider>
  );
}
