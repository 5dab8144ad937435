import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { changeSession } from "../../api/session.ts";

/** Signs in by `enter`, forgets what another account had read here, and goes on to `next` (default: home). */
export function useEntering<Input>(enter: (input: Input) => Promise<unknown>, next = "/") {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: enter,
    onSuccess: async () => {
      await changeSession(client);
      router.history.push(`/portal${next === "/" ? "" : next}`);
    },
  });
}
