import { lazy, Suspense, useEffect, useState } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { onStepUp } from "../api/step-up.ts";

const load = () => loadChunk(() => import("./step-up-dialog.tsx"));
const Dialog = lazy(() => load().then(({ StepUpDialog }) => ({ default: StepUpDialog })));

/** Opens a dialog when a call needs a recent sign-in. */
export function StepUp() {
  const [answer, setAnswer] = useState<((isDone: boolean) => void) | null>(null);
  useEffect(() => onStepUp(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  // Ahead of its use: a page that had to be reloaded for it would lose what was typed.
  useEffect(() => void load().catch(() => {}), []);
  // Without a session there is no one to ask.
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
