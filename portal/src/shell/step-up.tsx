import { lazy, Suspense, useEffect, useState } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { onStepUp } from "../api/step-up.ts";

const load = () => loadChunk(() => import("./step-up-dialog.tsx"));
const Dialog = lazy(() => load().then(({ StepUpDialog }) => ({ default: StepUpDialog })));

/** Opens a dialog when a call needs a recent sign-in. */
export function StepUp() {
  const [answer, setAnswer] = useState<((isDone: boolean) => void) | null>(null);
  useEffect(() => onStepUp(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  // Loaded ahead of its use: if the page had to be reloaded for it, typed input would be lost.
  useEffect(() => void load().catch(() => {}), []);
  // Without a session nobody can authenticate again.
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
