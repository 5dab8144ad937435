import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "../api/session.ts";
import { StepUp } from "./step-up.tsx";

/** Layout of the pages that need a session. When the session ends, reruns the route's `beforeLoad`, which redirects to the sign-in page. */
export function SignedIn() {
  const router = useRouter();
  const hasEnded = useQuery(sessionQuery).data?.account === null;
  useEffect(() => {
    if (hasEnded) void router.invalidate();
  }, [hasEnded, router]);
  if (hasEnded) return null;
  return (
    <>
      <Outlet />
      <StepUp />
    </>
  );
}
