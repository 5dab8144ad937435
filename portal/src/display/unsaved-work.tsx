import { useBlocker } from "@tanstack/react-router";
import { type ComponentPropsWithoutRef, type FormEvent, lazy, Suspense, useState } from "react";

/** Loaded when it is shown, since every form has it and few show it. */
const LeaveDialog = lazy(() => import("./leave-dialog.tsx").then(({ LeaveDialog }) => ({ default: LeaveDialog })));

/** Asks before a page is left on which something is not saved: within the portal by a dialog, else by the browser's own. */
export function UnsavedWork({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (leaving.status !== "blocked") return null;
  return (
    <Suspense>
      <LeaveDialog onLeave={leaving.proceed} onStay={leaving.reset} />
    </Suspense>
  );
}

interface GuardedFormProps extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Of the last submission. */
  error: Error | null;
}

/** A form whose fields are not lost by leaving the page: from the first key in it until it was sent with success. */
export function GuardedForm({ onSubmit, error, children, ...form }: GuardedFormProps) {
  const [isTouched, setIsTouched] = useState(false);
  return (
    <form
      {...form}
      onInput={() => setIsTouched(true)}
      onSubmit={(event) => {
        setIsTouched(false);
        onSubmit(event);
      }}
    >
      <UnsavedWork isDirty={isTouched || error !== null} />
      {children}
    </form>
  );
}
