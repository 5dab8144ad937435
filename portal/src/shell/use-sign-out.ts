import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../api/client.ts";
import { refreshSession } from "../api/session.ts";
import { mayLeave } from "../api/unsaved-work.ts";

/** Ends the session, clears the cached data and opens the sign-in page. Asks first if there is unsaved input. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      if (!(await mayLeave())) return false;
      await unwrap(api.POST("/auth/sign-out"));
      return true;
    },
    onSuccess: async (isSignedOut) => {
      if (!isSignedOut) return;
      await refreshSession(client);
      await navigate({ to: "/sign-in" });
    },
  });
}
