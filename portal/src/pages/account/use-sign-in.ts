import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { refreshSession } from "../../api/session.ts";

/** A mutation that signs in by `signIn`, clears the previous account's cached data and opens the path `next`. */
export function useSignIn<Input>(signIn: (input: Input) => Promise<unknown>, next = "/") {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      await refreshSession(client);
      router.history.push(`/portal${next === "/" ? "" : next}`);
    },
  });
}
