import { type ComponentPropsWithoutRef, createContext, type FormEvent, useContext, useState } from "react";
import { useUnsavedWork } from "../api/unsaved-work.ts";

interface GuardedFormProps extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The error of the last submission. */
  error: Error | null;
}

const TouchContext = createContext(() => {});

/** For a field that its own buttons change, of which the browser sends no event: tells the form around it. */
export const useTouch = (): (() => void) => useContext(TouchContext);

/** A form that guards its fields against leaving the page or the dialog, from the first change until it was sent successfully. */
export function GuardedForm({ onSubmit, error, children, ...form }: GuardedFormProps) {
  const [state, setState] = useState<"untouched" | "touched" | "sent">("untouched");
  // The error of an earlier time that the dialog was open says nothing of this form.
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
