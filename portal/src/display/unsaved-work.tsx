import { type ComponentPropsWithoutRef, type FormEvent, useState } from "react";
import { useUnsavedWork } from "../api/unsaved-work.ts";

interface GuardedFormProps extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Of the last submission. */
  error: Error | null;
}

/** A form whose fields are not lost by leaving the page: from the first key in it until it was sent with success. */
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
