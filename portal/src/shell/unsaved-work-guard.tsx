import { useBlocker } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useHasUnsavedWork, useLeaveQuestion, useSessionEnded } from "../api/unsaved-work.ts";

/** Loaded only when they are shown, which is rare. */
const LeaveDialog = lazy(() => import("./leave-dialog.tsx").then(({ LeaveDialog }) => ({ default: LeaveDialog })));
const SessionEnded = lazy(() => import("./session-ended.tsx").then(({ SessionEnded }) => ({ default: SessionEnded })));

/** Asks before a page with unsaved input is left: within the portal with a dialog, otherwise with the browser's own. */
export function UnsavedWorkGuard() {
  const hasWork = useHasUnsavedWork();
  const answer = useLeaveQuestion();
  const hasSessionEnded = useSessionEnded();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => hasWork && current.pathname !== next.pathname,
    enableBeforeUnload: hasWork,
    withResolver: true,
  });
  return (
    <Suspense>
      {leaving.status === "blocked" && <LeaveDialog onLeave={leaving.proceed} onStay={leaving.reset} />}
      {answer !== null && <LeaveDialog onLeave={() => answer(true)} onStay={() => answer(false)} />}
      {hasSessionEnded && leaving.status !== "blocked" && <SessionEnded />}
    </Suspense>
  );
}
