import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../api/client.ts";
import { refreshSession } from "../api/session.ts";

/** Ends the session, clears the cached data and opens the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => unwrap(api.POST("/auth/sign-out")),
    onSuccess: async () => {
      await refreshSession(client);
      await navigate({ to: "/sign-in" });
    },
  });
}
