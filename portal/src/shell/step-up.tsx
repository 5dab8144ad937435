import { lazy, Suspense, useEffect, useState } from "react";
import { onStepUp } from "../api/step-up.ts";

const Dialog = lazy(() => import("./step-up-dialog.tsx").then(({ StepUpDialog }) => ({ default: StepUpDialog })));

/** Opens a dialog when a call needs a recent sign-in. */
export function StepUp() {
  const [answer, setAnswer] = useState<((isDone: boolean) => void) | null>(null);
  useEffect(() => onStepUp(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  // Without a session there is nobody to ask.
  useEffect(() => () => answer?.(false), [answer]);
  if (answer === null) return null;
  const close = (isDone: boolean) => {
    answer(isDone);
    setAnswer(null);
  };
  return (
    <Suspense>
      <Dialog onClose={close} />
    </Suspense>
  );
}
