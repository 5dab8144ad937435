import { type ComponentPropsWithoutRef, type FormEvent, useState } from "react";
import { useUnsavedWork } from "../api/unsaved-work.ts";

interface GuardedFormProps extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The error of the last submission. */
  error: Error | null;
}

/** A form that guards its fields against leaving the page, from the first keystroke until it was sent successfully. */
export function GuardedForm({ onSubmit, error, children, ...form }: GuardedFormProps) {
  const [isTouched, setIsTouched] = useState(false);
  useUnsavedWork(isTouched || error !== null);
  return (
    <form
      {...form}
      onInput={() => setIsTouched(true)}
      onSubmit={(event) => {
        setIsTouched(false);
        onSubmit(event);
      }}
    >
      {children}
    </form>
  );
}
