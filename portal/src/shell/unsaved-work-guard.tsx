import { useBlocker } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { mayLeave, useHasUnsavedWork, useLeaveQuestion, useSessionEnded } from "../api/unsaved-work.ts";

/** The dialogs are rare, so they are loaded when they are shown. */
const LeaveDialog = lazy(() => import("./leave-dialog.tsx").then(({ LeaveDialog }) => ({ default: LeaveDialog })));
const SessionEnded = lazy(() => import("./session-ended.tsx").then(({ SessionEnded }) => ({ default: SessionEnded })));

/** Asks before unsaved input is lost: with a dialog within the portal, otherwise with the browser's question. */
export function UnsavedWorkGuard() {
  const hasWork = useHasUnsavedWork();
  const answer = useLeaveQuestion();
  const hasSessionEnded = useSessionEnded();
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await mayLeave()),
    enableBeforeUnload: hasWork,
  });
  return (
    <Suspense>
      {answer !== null && <LeaveDialog onLeave={() => answer(true)} onStay={() => answer(false)} />}
      {hasSessionEnded && answer === null && <SessionEnded />}
    </Suspense>
  );
}
