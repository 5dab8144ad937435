import { useMutation, useQueryClient } from "@tanstack/react-query";
import { webhooksKey } from "./queries.ts";

/** A change of endpoints or deliveries; all that is shown of them is read anew when it is done. */
export function useChange<Variables, Data>(
  change: (variables: Variables) => Promise<Data>,
  onDone?: (data: Data, variables: Variables) => unknown,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (data, variables) => {
      await onDone?.(data, variables);
      await client.invalidateQueries({ queryKey: webhooksKey });
    },
  });
}
