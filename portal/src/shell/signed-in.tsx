import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { sessionQuery } from "../api/session.ts";
import { StepUp } from "./step-up.tsx";
import { useTimeZoneReport } from "./use-time-zone-report.ts";

const SuspendedPage = lazy(() =>
  loadChunk(() => import("./suspended-page.tsx")).then((module) => ({ default: module.SuspendedPage })),
);

/**
 * The layout of pages that need a session. When the session ends, it runs the route's `beforeLoad` again, which
 * redirects to the sign-in page.
 */
export function SignedIn() {
  const router = useRouter();
  const account = useQuery(sessionQuery).data?.account;
  const hasEnded = account === null;
  // A suspended organisation does not block the pages about the person's own account.
  const isOwn = useLocation({ select: ({ pathname }) => pathname.startsWith("/account") });
  useEffect(() => {
    if (hasEnded) void router.invalidate();
  }, [hasEnded, router]);
  useTimeZoneReport(account);
  if (hasEnded) return null;
  const organisation = account?.organisation ?? null;
  if (organisation !== null && organisation.suspended_for !== null && !isOwn)
    return (
      <Suspense>
        <SuspendedPage name={organisation.name} reason={organisation.suspended_for} />
      </Suspense>
    );
  return (
    <>
      <Outlet />
      <StepUp />
    </>
  );
}
