import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answered, api } from "../../api/client.ts";
import { changeSession } from "../../api/session.ts";

/** Ends the session, and forgets all that was read in it. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => answered(api.POST("/auth/sign-out")),
    onSuccess: async () => {
      await changeSession(client);
      await navigate({ to: "/sign-in" });
    },
  });
}
