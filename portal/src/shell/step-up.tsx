import { lazy, Suspense, useEffect, useState } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { onStepUp } from "../api/step-up.ts";

const load = () => loadChunk(() => import("./step-up-dialog.tsx"));
const Dialog = lazy(() => load().then(({ StepUpDialog }) => ({ default: StepUpDialog })));

/** Opens a dialog when a call needs a recent sign-in. */
export function StepUp() {
  const [answer, setAnswer] = useState<((isDone: boolean) => void) | null>(null);
  useEffect(() => onStepUp(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  // Load the dialog in advance: a missing chunk would reload the page and lose input.
  useEffect(() => void load().catch(() => {}), []);
  // Without a session the user cannot authenticate again.
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
