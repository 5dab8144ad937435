import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "../api/session.ts";

/** The pages of an account. When its session turns out to have ended, the route is asked again, and gives way. */
export function SignedIn() {
  const router = useRouter();
  const hasEnded = useQuery(sessionQuery).data?.account === null;
  useEffect(() => {
    if (hasEnded) void router.invalidate();
  }, [hasEnded, router]);
  return hasEnded ? null : <Outlet />;
}
