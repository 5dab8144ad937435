import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { useKeyMutation } from "./use-key-mutation.ts";

type ProposedKey = components["schemas"]["ProposedKey"];

/** A key in two steps: it is proposed, so that it can be copied, and then `create` creates it. */
export function useProposedKey(create: (proposed: ProposedKey) => Promise<unknown>) {
  const propose = useMutation({ mutationFn: () => unwrap(api.POST("/keys/proposals")) });
  const creation = useKeyMutation(async () => {
    if (propose.data !== undefined) await create(propose.data);
  });
  return { propose, create: creation };
}
