import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";

/** The pages of an account. When its session turns out to have ended, they give way to the sign-in page. */
export function SignedIn() {
  const { data: session } = useQuery(sessionQuery);
  const { href } = useLocation();
  if (session?.account === null) return <Navigate to="/sign-in" search={{ next: href }} replace />;
  return <Outlet />;
}
